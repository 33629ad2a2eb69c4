package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// stage is the directory in which the new root is built. It always exists, and the new root needs
// nothing in it.
const stage = "/proc"

// privateRoot replaces the file tree of this mount namespace with a read-only one that contains
// only the given paths: no /proc, no home, no temporary directory, not even names to stat. Each
// path keeps its name, even if it leads through links.
func privateRoot(paths []string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mount namespace: %w", err)
	}
	t := tree{links: map[string]string{}}
	for _, path := range paths {
		real, err := t.resolve(path)
		if err != nil {
			return err
		}
		t.real = append(t.real, real)
	}
	t.real = outermost(t.real)
	// Open the paths before the mounts hide them.
	handles := make([]int, len(t.real))
	for i, path := range t.real {
		fd, err := unix.OpenTree(unix.AT_FDCWD, path,
			unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return &fs.PathError{Op: "open_tree", Path: path, Err: err}
		}
		defer unix.Close(fd)
		handles[i] = fd
	}
	unix.Umask(0o022)
	const flags = unix.MS_NOSUID | unix.MS_NODEV
	if err := unix.Mount("tmpfs", stage, "tmpfs", flags, "size=256k,mode=0755"); err != nil {
		return fmt.Errorf("mount tmpfs: %w", err)
	}
	for i, path := range t.real {
		if err := attach(handles[i], path); err != nil {
			return err
		}
	}
	if err := t.link(); err != nil {
		return err
	}
	return enter()
}

// attach puts a mount into the stage, read-only.
func attach(handle int, path string) error {
	var stat unix.Stat_t
	if err := unix.Fstat(handle, &stat); err != nil {
		return err
	}
	target := filepath.Join(stage, path)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		if err := os.MkdirAll(target, 0o755); err != nil {
			return err
		}
	} else if err := os.WriteFile(target, nil, 0o644); err != nil {
		return err
	}
	err := unix.MoveMount(handle, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH)
	if err != nil {
		return &fs.PathError{Op: "move_mount", Path: path, Err: err}
	}
	return readOnly(target)
}

func readOnly(path string) error {
	const rights = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	attr := unix.MountAttr{Attr_set: rights}
	if err := unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &attr); err != nil {
		return &fs.PathError{Op: "mount_setattr", Path: path, Err: err}
	}
	return nil
}

func enter() error {
	if err := unix.Chdir(stage); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the old root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	return readOnly("/")
}

// A tree is the set of paths that the new root will have.
type tree struct {
	real  []string
	links map[string]string // link: target
}

// resolve returns the path without links, and records the links on the way.
func (t *tree) resolve(path string) (string, error) {
	real := "/"
	todo := strings.Split(filepath.Clean(path), "/")
	for hops := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if name == "" {
			continue
		}
		next := filepath.Join(real, name) // correct for "..", too, because real has no links
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			real = next
			continue
		}
		if hops++; hops > 40 {
			return "", &fs.PathError{Op: "resolve", Path: path, Err: unix.ELOOP}
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		t.links[next] = target
		if filepath.IsAbs(target) {
			real = "/"
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return real, nil
}

// link makes the links that are not in an attached directory.
func (t *tree) link() error {
	for path, target := range t.links {
		if slices.ContainsFunc(t.real, func(dir string) bool { return below(path, dir) }) {
			continue
		}
		at := filepath.Join(stage, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(target, at); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}
