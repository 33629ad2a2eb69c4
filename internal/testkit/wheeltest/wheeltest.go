// Package wheeltest makes wheels that pip installs without an index.
package wheeltest

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// Write writes a wheel into dir and returns its SHA-256. The wheel is version 1.0 of a package with
// one module, whose ANSWER is 42. needs contains further lines for the metadata.
func Write(t *testing.T, dir, name, needs string) string {
	t.Helper()
	path := filepath.Join(dir, name+"-1.0-py3-none-any.whl")
	file, err := os.Create(path)
	must.Do(t, err)
	z, about := zip.NewWriter(file), name+"-1.0.dist-info/"
	for _, f := range [][2]string{
		{name + ".py", "ANSWER = 42\n"},
		{about + "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n" + needs},
		{about + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n" +
			"Tag: py3-none-any\n"},
		{about + "RECORD", name + ".py,,\n" + about + "METADATA,,\n" + about + "WHEEL,,\n" +
			about + "RECORD,,\n"},
	} {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = w.Write([]byte(f[1]))
		}
		must.Do(t, err)
	}
	must.Do(t, z.Close(), file.Close())
	data := must.Read(t, path)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
