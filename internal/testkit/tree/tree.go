// Package tree lists the files of a checkout for tests that check all of them. Start at Files.
package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Files returns the regular files below root that git tracks or would add, as slash-separated paths
// relative to root. Git's patterns, such as "*.go" and ":!results", choose among them. Files never
// returns ignored files, such as the demo's runs/ and report/. Files skips the test outside a
// checkout.
func Files(tb testing.TB, root string, patterns ...string) []string {
	tb.Helper()
	args := []string{"-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
		"--deduplicate", "--"}
	out, err := exec.Command("git", append(args, patterns...)...).Output()
	if err != nil || len(out) == 0 {
		tb.Skipf("git lists no files in %s: %v", root, err)
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		// A tracked file may be missing. Links are left out, because their targets are listed.
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		if err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	return files
}
