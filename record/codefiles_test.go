package record

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestWriteCode checks that copies of code match their digests and stay in their folder.
func TestWriteCode(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "blobs"), 0o755))
	sum := sha256.Sum256([]byte("code"))
	digest := hex.EncodeToString(sum[:])
	blob := filepath.Join(dir, "blobs", digest)
	must.Do(t, os.WriteFile(blob, []byte("code"), 0o600))
	l := &Loaded{Dir: dir}
	to := filepath.Join(dir, "to")
	must.Do(t, l.WriteCode(map[string]string{"a/b.py": digest}, to))
	if text, err := os.ReadFile(filepath.Join(to, "a", "b.py")); string(text) != "code" {
		t.Errorf("%q, %v", text, err)
	}
	for name, digest := range map[string]string{
		"../out.py": digest, "/out.py": digest, "a/../../out.py": digest, "": digest,
		"missing.py": hex.EncodeToString(make([]byte, 32)), "no.py": "../run.json",
	} {
		files := map[string]string{name: digest}
		if err := l.WriteCode(files, filepath.Join(dir, "x")); err == nil {
			t.Errorf("%q with digest %s was written", name, digest)
		}
	}
	for name, digest := range map[string]string{
		"a\nb.py": digest, "a\tb.py": digest, "a\x85b.py": digest, "a.py": digest + "\n",
		"b.py": "",
	} {
		if err := CheckCode(map[string]string{name: digest}); err == nil {
			t.Errorf("%q with digest %q was accepted", name, digest)
		}
	}
	if err := CheckCode(map[string]string{"a/ä b.py": digest}); err != nil {
		t.Error(err)
	}
	must.Do(t, os.WriteFile(blob, []byte("other"), 0o600))
	if err := l.WriteCode(map[string]string{"b.py": digest}, to); err == nil {
		t.Error("a copy that does not match its digest was written")
	}
}
