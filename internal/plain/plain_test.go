package plain

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestRead checks that anything other than a regular file is refused immediately, whether for
// reading or for writing.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", at("socket"))
	must.Do(t, err)
	defer socket.Close()
	must.Do(t,
		os.WriteFile(at("file"), []byte("text"), 0o644), os.WriteFile(at("empty"), nil, 0o644),
		os.WriteFile(at("sparse"), nil, 0o644), os.Truncate(at("sparse"), 1<<40),
		os.Mkdir(at("directory"), 0o755), syscall.Mkfifo(at("pipe"), 0o644),
		os.Symlink("file", at("link")), os.Symlink("nowhere", at("loose")),
		os.Symlink("loop", at("loop")), os.Symlink("/dev/zero", at("zero")),
		os.Symlink("pipe", at("link to pipe")), os.Symlink("directory", at("link to directory")))
	tests := []struct {
		name string
		want error
	}{
		{"file", nil}, {"empty", nil}, {"sparse", ErrTooLarge}, {"missing", os.ErrNotExist},
		{"directory", ErrNotPlain}, {"pipe", ErrNotPlain}, {"link", ErrNotPlain},
		{"loose", ErrNotPlain}, {"loop", ErrNotPlain}, {"zero", ErrNotPlain},
		{"link to pipe", ErrNotPlain}, {"link to directory", ErrNotPlain}, {"socket", ErrNotPlain},
	}
	for _, tt := range tests {
		data, err := Read(at(tt.name), 4)
		if !errors.Is(err, tt.want) || tt.name == "file" && string(data) != "text" {
			t.Errorf("%s: %q, %v; want %v", tt.name, data, err, tt.want)
		}
		if tt.want != ErrNotPlain {
			continue
		}
		if _, err := Open(at(tt.name), os.O_CREATE|os.O_WRONLY); !errors.Is(err, ErrNotPlain) {
			t.Errorf("%s: opened for writing: %v", tt.name, err)
		}
	}
	if _, err := Read(at("file"), 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Read of 4 bytes with a bound of 3: %v", err)
	}
	must.Do(t, os.Link(at("file"), at("second")))
	for name, want := range map[string]error{"file": ErrShared, "empty": nil, "link": ErrNotPlain} {
		f, err := Open(at(name), os.O_WRONLY|os.O_TRUNC)
		if f.Close(); !errors.Is(err, want) {
			t.Errorf("%s: truncated: %v; want %v", name, err, want)
		}
	}
	if data, err := Read(at("second"), 4); string(data) != "text" {
		t.Errorf("the file is %q now, %v", data, err)
	}
	for name, want := range map[string]error{
		"directory": nil, "missing": nil, "link to directory": ErrNotDir, ".": ErrNotPlain,
	} {
		if err := Files(at(name)); !errors.Is(err, want) {
			t.Errorf("files of %s: %v", name, err)
		}
	}
	for name, want := range map[string]error{
		"directory": nil, "missing": nil, "file": ErrNotDir, "loose": ErrNotDir,
		"link to directory": ErrNotDir,
	} {
		if err := Dir(at(name)); !errors.Is(err, want) {
			t.Errorf("directory %s: %v", name, err)
		}
	}
}
