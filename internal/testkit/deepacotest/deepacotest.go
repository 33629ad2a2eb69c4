// Package deepacotest finds the published checkpoints of DeepACO for tests.
package deepacotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir returns a directory with the published checkpoints, converted by scripts/fetch-deepaco: the
// user's cache, or a new directory. A new directory is made from the files in the folder that
// PACEBENCH_DEEPACO names, or in ../shared/reference/deepaco next to the checkout. Without these
// files, Dir skips the test.
func Dir(tb testing.TB) string {
	tb.Helper()
	if cache, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(cache, "pacebench", "deepaco")
		if exists(filepath.Join(dir, "tsp500.safetensors")) {
			return dir
		}
	}
	_, here, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(here), "../../..")
	originals := os.Getenv("PACEBENCH_DEEPACO")
	if originals == "" {
		originals = filepath.Join(root, "../shared/reference/deepaco")
	}
	if !exists(filepath.Join(originals, "tsp500.pt")) {
		tb.Skip("the checkpoints of DeepACO are missing: scripts/fetch-deepaco fetches them")
	}
	dir := tb.TempDir()
	fetch := exec.Command("bash", filepath.Join(root, "scripts/fetch-deepaco"), dir)
	fetch.Env = append(os.Environ(), "DEEPACO_URL=file://"+originals)
	if out, err := fetch.CombinedOutput(); err != nil {
		tb.Fatalf("scripts/fetch-deepaco: %v\n%s", err, out)
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
