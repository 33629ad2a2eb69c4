package record

import (
	"archive/tar"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record/journal"
)

// A bundle is a tar file compressed with zstd: the manifest, then the files of each run, sorted,
// then the declarations that the runs' headers name. All files have the same time and no owner. A
// bundle contains the files of a run that verify and report need, with the journal unpacked. Equal
// runs give equal bytes, in every directory, packed or not.

// manifestName is the name of a bundle's first file.
const manifestName = "pacebench-bundle.json"

// A manifest lists the content of a bundle.
type manifest struct {
	Format int      `json:"format"`
	Tool   string   `json:"tool"`
	Runs   []string `json:"runs"` // directories in the bundle
}

// Bounds on a bundle, which may come from a stranger.
const (
	maxBundle      = 8 << 30 // bytes, unpacked
	maxBundleFiles = 200_000
	deepestFile    = 20      // folders above a file, which take no bytes of the bundle
	maxList        = 8 << 20 // bytes of the manifest, or of a declaration
	maxPadding     = 1 << 20 // zero bytes after the end of the archive
)

var errBundle = errors.New("not a valid bundle of runs")

// notBundle returns an errBundle with its reason and a hint.
func notBundle(why error) error {
	return hint.Add(fmt.Errorf("%w: %w", errBundle, why),
		"BUNDLE is a file that pacebench pack --out wrote; name a run by its directory")
}

// WriteBundle writes runs and the declarations that they name. runs maps the place of each run in
// the bundle to the run's directory, and declarations maps the digest of each declaration to its
// file.
func WriteBundle(ctx context.Context, w io.Writer, tool string,
	runs, declarations map[string]string) error {
	z, err := journal.NewPacker(w)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	add := func(name string, data []byte) error {
		h := &tar.Header{
			Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: time.Unix(0, 0),
			Typeflag: tar.TypeReg,
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		_, err := t.Write(data)
		return err
	}
	places := slices.Sorted(maps.Keys(runs))
	list, err := json.MarshalIndent(manifest{FormatVersion, tool, places}, "", "  ")
	if err == nil {
		err = add(manifestName, append(list, '\n'))
	}
	if err != nil {
		return err
	}
	for _, place := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		names, err := Files(runs[place])
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := journal.ReadFile(filepath.Join(runs[place], name))
			if err == nil {
				err = add(path.Join(place, filepath.ToSlash(name)), data)
			}
			if err != nil {
				return err
			}
		}
	}
	byName := func(a, b string) int { return cmp.Compare(filepath.Base(a), filepath.Base(b)) }
	last := ""
	for _, file := range slices.SortedFunc(maps.Values(declarations), byName) {
		if byName(last, file) == 0 {
			return hint.Add(fmt.Errorf("%s and %s are declarations with the same name", last, file),
				"make a separate bundle for each results directory")
		}
		last = file
		data, err := plain.Read(file, maxList)
		if err = cmp.Or(err, plain.Alone(file)); err == nil {
			err = add(path.Join(PlansDir, filepath.Base(file)), data)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// BundleOf splits an argument, BUNDLE or BUNDLE:RUN, into the file of a bundle and the run in it.
// Both are "" if the argument names no file. The file need not be a bundle.
func BundleOf(arg string) (file, run string) {
	isFile := func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && !info.IsDir()
	}
	if isFile(arg) {
		return arg, ""
	}
	if at := strings.LastIndexByte(arg, ':'); at > 0 && isFile(arg[:at]) {
		return arg[:at], arg[at+1:]
	}
	return "", ""
}

// OpenBundle unpacks the bundle at file below dir and returns the directories of its runs there. It
// writes nothing outside of dir, and stops when ctx ends.
func OpenBundle(ctx context.Context, file, dir string) ([]string, error) {
	path, err := filepath.EvalSymlinks(file) // the user may name a link
	if err != nil {
		return nil, err
	}
	f, err := plain.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	z, err := journal.NewUnpacker(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, notBundle(err))
	}
	defer z.Close()
	runs, err := unpackBundle(&bounded{ctx, z, maxBundle}, root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return runs, nil
}

func unpackBundle(r io.Reader, root *os.Root) ([]string, error) {
	bad := func(format string, args ...any) ([]string, error) {
		return nil, notBundle(fmt.Errorf(format, args...))
	}
	var m *manifest
	t, seen, total := tar.NewReader(r), map[string]bool{}, int64(0)
	for {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return bad("%w", err)
		}
		name := filepath.FromSlash(h.Name)
		// WriteBundle uses PAX records only for long names. Other records are dangerous: a sparse
		// file turns 14 KB into gigabytes.
		delete(h.PAXRecords, "path")
		total += h.Size // the unpacked size, even of a sparse file
		switch {
		case m == nil && h.Name != manifestName:
			return bad("its first file is %.100q, not %s", h.Name, manifestName)
		case h.Typeflag != tar.TypeReg || len(h.PAXRecords) > 0:
			return bad("%.100q is not a plain file", h.Name)
		case !filepath.IsLocal(name) || name != filepath.Clean(name) ||
			strings.Count(h.Name, "/") > deepestFile:
			return bad("%.100q is not a path inside the bundle", h.Name)
		case seen[name]:
			return bad("%.100q appears twice", h.Name)
		case len(seen) == maxBundleFiles:
			return bad("more than %d files", maxBundleFiles)
		case h.Size > journal.MaxPacked:
			return bad("%.100q has %d bytes, more than %d", h.Name, h.Size, journal.MaxPacked)
		case total > maxBundle:
			return bad("%w", errBundleSize)
		case (m == nil || strings.HasPrefix(h.Name, PlansDir)) && h.Size > maxList:
			return bad("%.100q has %d bytes, more than %d", h.Name, h.Size, maxList)
		}
		seen[name] = true
		if m == nil {
			m = &manifest{}
			if err := json.NewDecoder(t).Decode(m); err != nil {
				return bad("%s: %w", manifestName, hint.JSON(err))
			}
			if m.Format != FormatVersion {
				return nil, hint.Add(fmt.Errorf("a bundle of format %d; this pacebench reads "+
					"format %d", m.Format, FormatVersion),
					"use the version of pacebench that made it")
			}
			continue
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(f, t)
		if cerr := f.Close(); cerr != nil {
			return nil, cerr
		}
		if err != nil {
			if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
				return nil, err // the disk failed
			}
			return bad("%w", err)
		}
	}
	if m == nil || len(m.Runs) == 0 {
		return bad("it contains no run")
	}
	rest, err := io.ReadAll(io.LimitReader(r, maxPadding))
	if err != nil {
		return bad("%w", err)
	}
	if strings.Trim(string(rest), "\x00") != "" {
		return bad("there is data after the end of the archive")
	}
	var runs []string
	known := map[string]bool{}
	for _, place := range m.Runs {
		name := filepath.Clean(filepath.FromSlash(place))
		if known[name] {
			return bad("run %.100q appears twice", place)
		}
		if !filepath.IsLocal(name) || strings.HasPrefix(name, ".") ||
			strings.Contains(name, string(filepath.Separator)+".") { // readers skip the run
			return bad("run %.100q is hidden or outside of the bundle", place)
		}
		if !seen[filepath.Join(name, "result.json")] {
			return bad("run %.100q is missing", place)
		}
		runs = append(runs, name)
		known[name] = true
	}
	for _, run := range runs {
		for dir := filepath.Dir(run); dir != "."; dir = filepath.Dir(dir) {
			if known[dir] {
				return bad("run %.100q is inside run %.100q", run, dir)
			}
		}
	}
	plans := sync.OnceValue(func() map[string]bool { return plansOf(root.Name(), runs) })
	for name := range seen {
		if declarationName.MatchString(filepath.ToSlash(name)) {
			var d Declaration
			err := ReadDeclaration(filepath.Join(root.Name(), name), &d)
			if err != nil || !plans()[d.Digest()] {
				return bad("%.100q is not a declaration that a run names, or is a second copy",
					name)
			}
			delete(plans(), d.Digest()) // a second file with this digest is refused
			continue
		}
		dir := filepath.Dir(name)
		for dir != "." && !known[dir] {
			dir = filepath.Dir(dir)
		}
		if name != manifestName && dir == "." {
			return bad("%.100q belongs to no run", name)
		}
	}
	return runs, nil
}

// plansOf returns the digests of the declarations that the runs below root name.
func plansOf(root string, runs []string) map[string]bool {
	plans := map[string]bool{}
	for _, run := range runs {
		if r, err := ReadResult(filepath.Join(root, run)); err == nil {
			plans[r.Plan] = true
		}
	}
	return plans
}

var errBundleSize = fmt.Errorf("it unpacks to more than %d GiB", int64(maxBundle)>>30)

// A bounded reader fails after left bytes, or when ctx ends.
type bounded struct {
	ctx  context.Context
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, errBundleSize
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
