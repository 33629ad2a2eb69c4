package pyenv

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
)

// scripts/lock-python writes the locks.
var (
	//go:embed paper.lock
	paperLock string
	//go:embed current.lock
	currentLock string
	//go:embed vision.lock
	visionLock string
	//go:embed control.lock
	controlLock string
	//go:embed rl.lock
	rlLock string
	//go:embed llm4ad.lock
	llm4adLock string
)

// A lock is a choice of packages: their versions, with the hash of every wheel.
type lock struct {
	name           string
	text           string  // a requirements file of pip
	oldest, newest int     // range of minor versions of Python 3 that have all wheels
	extras         []extra // packages that were added to it, in order
}

// An extra holds packages that some tasks need in addition to the packages of candidates. It can
// extend either lock.
type extra struct {
	name     string
	below    string // the extra that this one extends, or ""
	text     string
	oldest   int      // the oldest minor version of Python 3 that has wheels for all of it; 0: any
	newest   int      // the newest such version
	packages []string // packages that a task relies on; the rest of text is their dependencies
	modules  []string // the names by which Python imports packages
	rivals   []string // other packages that overwrite files of packages
	disk     string   // size of a whole environment that has this extra
	wide     bool     // a package uses vectors that Arithmetic leaves on
}

var extras = []extra{
	{
		// Candidates get vision instead of control. With the environments in control, a candidate
		// could play its episodes in advance.
		name: "vision", text: visionLock, newest: 14, disk: "340 MB",
		packages: []string{"opencv-python-headless"},
		modules:  []string{"cv2"},
		rivals:   []string{"opencv-python"},
	},
	{
		name: "control", text: controlLock, newest: 13, disk: "520 MB",
		packages: []string{"gymnasium", "box2d", "pygame", "opencv-python-headless", "matplotlib"},
		modules:  []string{"gymnasium", "Box2D", "pygame", "cv2", "matplotlib"},
		// pygame-ce draws different pixels, and SB3's own extras require it.
		rivals: []string{"pygame-ce", "box2d-py", "opencv-python"},
	},
	{
		name: "rl", below: "control", text: rlLock, newest: 13, disk: "6 GB",
		packages: []string{"stable-baselines3", "torch"},
		modules:  []string{"stable_baselines3", "torch"},
		wide:     true,
	},
	{
		// The module llm4ad is not listed: importing it needs more packages than its evaluators do.
		name: "llm4ad", text: llm4adLock, newest: 12, disk: "520 MB",
		packages: []string{"llm4ad", "gymnasium", "matplotlib", "pandas", "sympy"},
		modules:  []string{"gymnasium", "matplotlib", "pandas", "sympy"},
	},
}

// Extras returns the names of the extras.
func Extras() (names []string) {
	for _, e := range extras {
		names = append(names, e.name)
	}
	return names
}

// with returns the lock with an extra and with everything that the extra extends. The name of a
// user's lock is its path.
func (l lock) with(name string) (lock, error) {
	if name == "" {
		return l, nil
	}
	if filepath.IsAbs(name) {
		_, e, err := readOwn(name)
		if err != nil {
			return l, err
		}
		return l.on(e)
	}
	i := slices.IndexFunc(extras, func(e extra) bool { return e.name == name })
	if i < 0 {
		return l, hint.Add(fmt.Errorf("there are no packages %q", name),
			"packages: "+strings.Join(Extras(), ", "))
	}
	return l.on(extras[i])
}

func (l lock) on(e extra) (lock, error) {
	l, err := l.with(e.below)
	l.text += e.text
	l.oldest = max(l.oldest, e.oldest)
	l.newest = min(l.newest, e.newest)
	l.extras = append(slices.Clip(l.extras), e)
	return l, err
}

func (l lock) extra() string {
	if len(l.extras) == 0 {
		return ""
	}
	return l.extras[len(l.extras)-1].name
}

// wide reports whether a package of the lock uses vectors that Arithmetic leaves on.
func (l lock) wide() bool {
	return slices.ContainsFunc(l.extras, func(e extra) bool { return e.wide })
}

// wanted lists the packages that tasks rely on, except NumPy and SciPy, with their versions, in
// order: "gymnasium==1.2.3".
func (l lock) wanted() (wanted []string) {
	for _, e := range l.extras {
		for _, p := range e.packages {
			wanted = append(wanted, p+"=="+l.version(p))
		}
	}
	return wanted
}

// versions returns the versions that an interpreter has of the packages in wanted. The error says
// which package is missing, has another version, or overwrites files of another package.
func (l lock) versions(i *interpreter) (map[string]string, error) {
	var found map[string]string
	for _, e := range l.extras {
		for _, p := range e.packages {
			// 2.15.0+cpu is 2.15.0 built in another way.
			version, _, _ := strings.Cut(i.Packages[p], "+")
			switch want := l.version(p); version {
			case want:
			case "":
				return nil, fmt.Errorf("%s %s is missing", p, want)
			default:
				return nil, fmt.Errorf("%s is %s, want %s", p, version, want)
			}
			if found == nil {
				found = map[string]string{}
			}
			found[p] = i.Packages[p]
		}
		for _, r := range e.rivals {
			if i.Packages[r] != "" {
				return nil, fmt.Errorf(
					"%s is installed, and it overwrites files of another package", r)
			}
		}
	}
	return found, nil
}

// locks are all locks, the default first. The programs in the paper reach their published scores
// only with NumPy 1.x: NumPy 2 promotes float32 scalars differently.
var locks = []lock{
	{name: "paper", text: paperLock, oldest: 11, newest: 12},
	{name: "current", text: currentLock, oldest: 11, newest: 14},
}

// NoLock is the Env.Lock of an interpreter whose packages match no lock.
const NoLock = "none"

// Locks returns the names of the locks, the default first.
func Locks() (names []string) {
	for _, l := range locks {
		names = append(names, l.name)
	}
	return names
}

func lockOf(numpy, scipy string) string {
	i := slices.IndexFunc(locks, func(l lock) bool {
		return l.version("numpy") == numpy && l.version("scipy") == scipy
	})
	if i < 0 {
		return NoLock
	}
	return locks[i].name
}

// version returns the version of a package, or "" if the lock does not have it.
func (l lock) version(name string) string {
	for line := range strings.SplitSeq(l.text, "\n") {
		if rest, ok := strings.CutPrefix(line, name+"=="); ok {
			return strings.Fields(rest)[0]
		}
	}
	return ""
}

// String names the lock for messages: "NumPy 1.26.4 and SciPy 1.16.3".
func (l lock) String() string {
	text := packages(l.version("numpy"), l.version("scipy"))
	for _, w := range l.wanted() {
		text += ", " + strings.Replace(w, "==", " ", 1)
	}
	return text
}

func packages(numpy, scipy string) string {
	if scipy == "" {
		return "NumPy " + numpy + " without SciPy"
	}
	return "NumPy " + numpy + " and SciPy " + scipy
}

func (l lock) covers(i *interpreter) bool { return l.oldest <= i.minor() && i.minor() <= l.newest }

func (l lock) pythons() string { return fmt.Sprintf("3.%d to 3.%d", l.oldest, l.newest) }

func (l lock) digest() string {
	sum := sha256.Sum256([]byte(l.text))
	return hex.EncodeToString(sum[:6])
}
