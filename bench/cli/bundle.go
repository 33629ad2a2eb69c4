package cli

import (
	"archive/tar"
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
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/suite"
	"github.com/pacebench/pacebench/internal/plain"
)

// A bundle is a tar file under zstd: the manifest first, then the files of each run, sorted, with
// one time and no owner. It holds what verify and report need, journals unpacked, and none of what
// may be deleted. Equal runs give equal bytes, wherever they lie and packed or not.

// manifestName is the first file of a bundle.
const manifestName = "pacebench-bundle.json"

// A manifest says what a bundle holds.
type manifest struct {
	Format int      `json:"format"`
	Tool   string   `json:"tool"`
	Runs   []string `json:"runs"` // directories
}

// Bounds of what is believed of a bundle from elsewhere.
const (
	maxBundle      = 8 << 30 // bytes, unpacked
	maxBundleFiles = 200_000
	maxPadding     = 1 << 20 // zeros after the end
)

var errBundle = errors.New("not a bundle of runs, or a damaged one")

func (c *console) bundleCommand() *cli.Command {
	return command(cli.Command{
		Name: "bundle",
		Usage: "put finished runs into one file that verify checks on any machine, " +
			"without a key",
		ArgsUsage: "DIR ...",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Value: "results.tar.zst",
				Usage: "the file to write"},
		},
	}, 1, -1, func(cc *cli.Context) error {
		out := cc.String("out")
		if info, err := os.Stat(out); out == "" || err == nil && !info.Mode().IsRegular() {
			return hint.Add(usagef("--out %s: not a file that can be written", out),
				"--out is the file to write")
		}
		runs := map[string]*record.Loaded{} // by their place in the bundle
		dirs, err := runsBelow(cc.Args().Slice())
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			l, err := record.LoadFinished(dir)
			if err == nil && !l.Journal && !suite.IsRow(l.Header) {
				err = l.CheckResult() // a search without its journal
			}
			if err != nil {
				return err
			}
			name := filepath.ToSlash(suite.CellDir("", l.Header))
			if old := runs[name]; old != nil {
				return fmt.Errorf("%s and %s are the same cell, %s", old.Dir, dir, name)
			}
			l.Records = nil // the journal is read again when its turn comes
			runs[name] = l
		}
		journal.Sweep(filepath.Dir(out))
		f, err := journal.NewDraft(out)
		if err != nil {
			return hint.Add(usagef("--out %s: %w", out, errors.Unwrap(err)),
				"--out is the file to write")
		}
		defer f.Drop()
		if err := writeBundle(cc.Context, f, runs); err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := f.Keep(); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s: %s in %s\n", out, counted(len(runs), "run"), inBytes(info.Size()))
		return nil
	})
}

// writeBundle writes the runs, by their places.
func writeBundle(ctx context.Context, w io.Writer, runs map[string]*record.Loaded) error {
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
	list, err := json.MarshalIndent(manifest{record.FormatVersion, Version, places}, "", "  ")
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
		names, err := record.Files(runs[place].Dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := journal.ReadFile(filepath.Join(runs[place].Dir, name))
			if err == nil {
				err = add(path.Join(place, filepath.ToSlash(name)), data)
			}
			if err != nil {
				return err
			}
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// openBundle unpacks the bundle at file below dir and returns the directories of its runs. It
// writes nothing outside of dir, whatever the bundle says, and ends with ctx.
func openBundle(ctx context.Context, file, dir string) ([]string, error) {
	path, err := filepath.EvalSymlinks(file) // a link that the user names
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
		return nil, fmt.Errorf("%s: %w: %w", file, errBundle, err)
	}
	defer z.Close()
	runs, err := unpackBundle(&bounded{ctx, z, maxBundle}, root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range runs {
		runs[i] = filepath.Join(dir, runs[i])
	}
	return runs, nil
}

func unpackBundle(r io.Reader, root *os.Root) ([]string, error) {
	bad := func(format string, args ...any) ([]string, error) {
		return nil, fmt.Errorf("%w: %w", errBundle, fmt.Errorf(format, args...))
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
		total += h.Size // a sparse file's is larger than what stands in the bundle
		switch {
		case m == nil && h.Name != manifestName:
			return bad("its first file is %.100q, not %s", h.Name, manifestName)
		case h.Typeflag != tar.TypeReg || odd(h):
			return bad("%.100q is not a plain file", h.Name)
		case !filepath.IsLocal(name) || name != filepath.Clean(name):
			return bad("%.100q is not a file of a run", h.Name)
		case seen[name]:
			return bad("%.100q is there twice", h.Name)
		case len(seen) == maxBundleFiles:
			return bad("more than %d files", maxBundleFiles)
		case h.Size > journal.MaxPacked:
			return bad("%.100q has %d bytes", h.Name, h.Size)
		case total > maxBundle:
			return bad("%w", errBundleSize)
		case m == nil && h.Size > suite.MaxFile:
			return bad("%s has %d bytes", manifestName, h.Size)
		}
		seen[name] = true
		if m == nil {
			m = &manifest{}
			if err := json.NewDecoder(t).Decode(m); err != nil {
				return bad("%s: %w", manifestName, err)
			}
			if m.Format != record.FormatVersion {
				return bad("format %d, this program reads format %d",
					m.Format, record.FormatVersion)
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
				return nil, err // the disk's fault
			}
			return bad("%w", err)
		}
	}
	if m == nil || len(m.Runs) == 0 {
		return bad("it is empty")
	}
	if rest, err := io.ReadAll(io.LimitReader(r, maxPadding)); err != nil ||
		strings.Trim(string(rest), "\x00") != "" {
		return bad("something follows its end")
	}
	var runs []string
	known := map[string]bool{}
	for _, place := range m.Runs {
		name := filepath.FromSlash(place)
		if known[filepath.Clean(name)] {
			return bad("run %.100q is there twice", place)
		}
		if !filepath.IsLocal(name) || !seen[filepath.Join(name, "result.json")] {
			return bad("run %.100q is missing", place)
		}
		runs = append(runs, filepath.Clean(name))
		known[filepath.Clean(name)] = true
	}
	for name := range seen {
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

// odd reports whether an entry says more than bundle writes, which is a long name at most: it is
// sparse, for example, 14 KB that become gigabytes.
func odd(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if key != "path" {
			return true
		}
	}
	return false
}

var errBundleSize = fmt.Errorf("it unpacks to more than %d GiB", int64(maxBundle)>>30)

// bounded reads at most left bytes, until ctx ends, and then fails.
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
