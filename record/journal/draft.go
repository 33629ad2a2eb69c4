package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/pacebench/pacebench/internal/plain"
)

// A Draft is a new file next to the file that it replaces as a whole: a reader sees the old content
// or the new, never a part. A link is replaced and not followed. The kernel's lock distinguishes a
// draft in use from a draft that a dead process left: see Sweep.
type Draft struct {
	*os.File
	path string
}

// left matches the name of a draft.
var left = regexp.MustCompile(`^\..+\.[0-9]+\.draft$`)

// NewDraft creates a draft of the file at path. The caller must call Drop after use.
func NewDraft(path string) (*Draft, error) {
	for {
		name := fmt.Sprintf(".%s.%d.draft", filepath.Base(path), rand.Uint64())
		// Unlike os.CreateTemp, this leaves the permissions to the umask.
		f, err := plain.Open(filepath.Join(filepath.Dir(path), name),
			os.O_CREATE|os.O_EXCL|os.O_RDWR)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// On a file system without locks, Flock fails. Sweep then fails to lock the draft, too, and
		// keeps it.
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) || removed(f, f.Name()) {
			f.Close() // another process is sweeping the draft, or removed it before the lock
			continue
		}
		return &Draft{f, path}, nil
	}
}

// Keep renames the draft to its path. When Keep returns nil, the file is on disk.
func (d *Draft) Keep() error {
	if err := plain.Synced(d.Sync()); err != nil {
		return fmt.Errorf("write %s: %w", d.path, err)
	}
	if err := d.rename(); err != nil {
		return err
	}
	syncDir(filepath.Dir(d.path))
	return nil
}

func (d *Draft) rename() error { return os.Rename(d.Name(), d.path) }

// Drop closes the draft, and removes it unless it was kept.
func (d *Draft) Drop() {
	os.Remove(d.Name()) // fails after Keep has renamed it, which is harmless
	d.Close()
}

// WriteFile replaces the file at path as a whole; see Draft. When WriteFile returns nil, the file
// is on disk.
func WriteFile(path string, data []byte) error { return replace(path, data, (*Draft).Keep) }

// WritePage is WriteFile for one of many files that a command can make again. It does not wait for
// the disk, so a power cut may leave an empty file.
func WritePage(path string, data []byte) error { return replace(path, data, (*Draft).rename) }

func replace(path string, data []byte, keep func(*Draft) error) error {
	d, err := NewDraft(path)
	if err != nil {
		return err
	}
	defer d.Drop()
	if _, err := d.Write(data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return keep(d)
}

// WriteJSON is WriteFile for a value, as indented JSON.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(data, '\n'))
}

// Sweep removes the drafts of dead processes from the directories. A draft that cannot be removed
// is harmless.
func Sweep(dirs ...string) {
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !left.MatchString(e.Name()) {
				continue
			}
			path := filepath.Join(dir, e.Name())
			f, err := plain.Open(path, os.O_RDWR)
			if err != nil {
				continue
			}
			if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
				os.Remove(path)
			}
			f.Close()
		}
	}
}
