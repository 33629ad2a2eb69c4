package pyenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
)

// A user's lock has the packages of one task, each wheel with its hash. It is installed on top of a
// lock or an extra; Options.Extra is its path. Its first line records its requirements:
//
//	# pacebench lock {"for":["pandas","gymnasium==1.2.3"],"below":"","minor":11}
type ownHead struct {
	For   []string `json:"for"`   // requirements
	Below string   `json:"below"` // the extra in For, or ""
	Minor int      `json:"minor"` // the minor version of Python 3 that the wheels are for
}

const ownStart = "# pacebench lock "

// The range of minor versions of Python 3 that a lock can name.
const oldestMinor, newestMinor = 11, 99

// ownLine matches a line after the first. pip ends lines where Python does, even at U+2028, so
// ownLine allows only the characters of names, versions and hashes.
var ownLine = regexp.MustCompile(
	`^([a-z0-9][a-z0-9-]*)==[0-9A-Za-z][0-9A-Za-z.!+_-]* --hash=sha256:[0-9a-f]{64}$`)

// foreign matches characters that a lock must not have, even in the comment in its first line,
// because pip reads that line, too.
var foreign = regexp.MustCompile(`[^\n -~]`)

// OwnLock returns the requirements that a user's lock was made for. The error is
// fs.ErrNotExist if the file does not exist, and ErrLock if it is damaged.
func OwnLock(path string) ([]string, error) {
	head, _, err := readOwn(path)
	return head.For, err
}

func readOwn(path string) (head ownHead, e extra, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return head, e, err
	}
	if c := foreign.Find(text); c != nil {
		return head, e, fmt.Errorf("%w: %s: it contains the character %+q, but a lock has "+
			"only ASCII", ErrLock, filepath.Base(path), c)
	}
	start, rest, _ := strings.Cut(string(text), "\n")
	said, ok := strings.CutPrefix(start, ownStart)
	if !ok || json.Unmarshal([]byte(said), &head) != nil {
		return head, e, fmt.Errorf("%w: %s: its first line was not written by pacebench lock",
			ErrLock, filepath.Base(path))
	}
	if head.Minor < oldestMinor || head.Minor > newestMinor {
		return head, e, fmt.Errorf("%w: %s: its first line names Python 3.%d, which is unknown",
			ErrLock, filepath.Base(path), head.Minor)
	}
	e = extra{
		name: "own", below: head.Below, text: string(text), oldest: head.Minor, newest: head.Minor,
		disk: "230 MB plus the size of its packages", wide: true, // its packages are unknown
	}
	for line := range strings.SplitSeq(strings.TrimSpace(rest), "\n") {
		m := ownLine.FindStringSubmatch(line)
		if m == nil && line != "" {
			return head, e, fmt.Errorf("%w: %s: %q is not a package with its hash",
				ErrLock, filepath.Base(path), clip(line))
		}
		if m != nil {
			e.packages = append(e.packages, m[1])
		}
	}
	return head, e, nil
}

var (
	requirement = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._,<>=!~;\[\]+*-]*$`)
	archive     = regexp.MustCompile(`(?i)\.(whl|zip|t[bglx]z2?|tar(\.[a-z0-9]+)?) *([\[;].*)?$`)
)

// safe reports whether pip takes an argument for a requirement: not for an option, an address, a
// path or an archive in the working directory.
func safe(argument string) bool {
	return requirement.MatchString(argument) && !archive.MatchString(argument)
}

// WriteLock writes a lock for a user's requirements and returns the number of its packages. One
// requirement may be the name of an extra. pip chooses the packages for the Python of o, which
// stays unchanged. A requirement that ends in "; no-deps" comes without its dependencies.
func WriteLock(ctx context.Context, o Options, path string, requirements []string) (int, error) {
	head := ownHead{For: requirements}
	var together, alone []string
	for _, r := range requirements {
		if !safe(r) {
			return 0, fmt.Errorf("%w: packages: %.60q is not a name with versions, as in "+
				"pandas>=2,<3", ErrLock, r)
		}
		if name, ok := strings.CutSuffix(strings.ReplaceAll(r, " ", ""), ";no-deps"); ok {
			alone = append(alone, name)
		} else if !slices.Contains(Extras(), r) {
			together = append(together, r)
		} else if head.Below == "" {
			head.Below = r
		} else {
			return 0, fmt.Errorf("%w: %s and %s cannot be combined", ErrLock, head.Below, r)
		}
	}
	o.Extra = head.Below
	env, err := Ensure(ctx, o)
	if err != nil {
		return 0, err
	}
	i, err := probe(ctx, env.Python)
	if err != nil {
		return 0, err
	}
	head.Minor = i.minor()
	kept, err := os.CreateTemp("", "pacebench-*.txt")
	if err != nil {
		return 0, err
	}
	defer os.Remove(kept.Name())
	_, err = fmt.Fprintf(kept, "numpy==%s\nscipy==%s\n", env.NumPy, env.SciPy)
	if err := errors.Join(err, kept.Close()); err != nil {
		return 0, err
	}
	lines := map[string]bool{}
	for _, part := range []struct{ flags, names []string }{
		{[]string{"--constraint", kept.Name()}, together}, {[]string{"--no-deps"}, alone},
	} {
		if len(part.names) == 0 {
			continue
		}
		wheels, err := choose(ctx, env.Python, slices.Concat(part.flags, part.names))
		if err != nil {
			return 0, err
		}
		for _, w := range wheels {
			lines[w] = true
		}
	}
	said, err := json.Marshal(head)
	if err != nil {
		return 0, err
	}
	text := ownStart + string(said) + "\n"
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		text += line + "\n"
	}
	return len(lines), os.WriteFile(path, []byte(text), 0o644)
}

// choose has pip choose wheels for an interpreter, and returns the lines of a lock.
func choose(ctx context.Context, python string, what []string) (lines []string, err error) {
	install := append([]string{"install", "--dry-run", "--quiet", "--report", "-",
		"--only-binary", ":all:", "--no-input", "--disable-pip-version-check"}, what...)
	p := pip{python, "-I", "-m", "pip"}
	out, err := p.run(ctx, p.settings(ctx), install...)
	if err != nil && mentions(err.Error(), "No module named pip") {
		found, berr := bases(ctx)
		if berr != nil {
			return nil, berr
		}
		p = pip{found[0].Executable, "-I", "-m", "pip", "--python", python}
		out, err = p.run(ctx, p.settings(ctx), install...)
	}
	if err != nil {
		return nil, hint.Add(fmt.Errorf("%w: pip: %w", ErrLock, err),
			"check the names and versions in packages, the network and pip's settings")
	}
	var report struct {
		Install []struct {
			Metadata struct{ Name, Version string }
			Download struct {
				Archive struct{ Hashes map[string]string } `json:"archive_info"`
			} `json:"download_info"`
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		return nil, fmt.Errorf("%w: pip's report: %w", ErrLock, hint.JSON(err))
	}
	for _, w := range report.Install {
		name := regexp.MustCompile(`[-_.]+`).ReplaceAllString(strings.ToLower(w.Metadata.Name), "-")
		line := fmt.Sprintf("%s==%s --hash=sha256:%s",
			name, w.Metadata.Version, w.Download.Archive.Hashes["sha256"])
		if !ownLine.MatchString(line) {
			return nil, fmt.Errorf("%w: pip's report: %s", ErrLock, clip(line))
		}
		lines = append(lines, line)
	}
	return lines, nil
}
