package cli

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/urfave/cli/v2"
	"golang.org/x/mod/modfile"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

const modulePath = "github.com/pacebench/pacebench"

//go:embed skeleton
var skeleton embed.FS

// A kind describes what new can create: methods or tasks.
type kind struct {
	list string // the file that lists all of this kind
	// call is the function of each method's or task's package that list calls.
	call  string
	taken func() []string
	left  string // template of the message about the remaining work
}

var kinds = map[string]kind{
	"method": {"methods/methods.go", "New", func() []string {
		names := trainable()
		for _, t := range tasks.All() {
			names = append(names, suite.MethodNames(t.Name)...)
		}
		return names
	}, `It already runs; the first command stores its prompts for the tests:
  go test ./methods -run 'PromptsOfAllMethods/{{.Name}}' -update
  go test ./methods/{{.Package}} ./methods
  go run . run --task tsp-construct --method {{.Name}} --evals 20
Left to do; docs/extend-in-go.md explains each:
  1. Write the search in methods/{{.Package}}/{{.Package}}.go, its settings and their Check.
  2. Test the search with a scripted model in methods/{{.Package}}/{{.Package}}_test.go.
  3. Describe it in docs/methods/{{.Name}}.md, and its deviations in docs/fidelity.md.
  4. Record a short run of it on every task of the paper:
     go test ./cli -run 'RecordedRuns/.*/{{.Name}}' -update
`},
	"task": {"tasks/tasks.go", "Task", suite.TaskNames, `It already runs:
  go test ./tasks/{{.Package}} ./tasks
  go run . run --task {{.Name}} --method pace --evals 20
Left to do; docs/extend-in-go.md explains each:
  1. Write the problem, the instances and the score in tasks/{{.Package}}/{{.Package}}.go.
  2. Test known scores and every wrong answer in tasks/{{.Package}}/{{.Package}}_test.go.
  3. Describe it in docs/tasks/{{.Name}}.md.
  4. Write a vocabulary for it, so that the embedded model finds better programs.
`},
}

func (c *console) newCommand() *cli.Command {
	return command(cli.Command{
		Name:        "new",
		Usage:       "begin a method or a task: in a checkout, or a file in Python",
		Description: "pacebench new method hill-climbing",
		ArgsUsage:   "method|task NAME",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "python",
			Usage: "write a task or a method in Python to NAME.py here, without a checkout"}},
		BashComplete: completeNames(func() []string { return []string{"method", "task"} }),
	}, 2, 2, func(cc *cli.Context) error {
		what, name := cc.Args().Get(0), cc.Args().Get(1)
		k, ok := kinds[what]
		if !ok {
			return hint.Add(usagef("new: there is no kind %q", what),
				oneOf("kinds", what, []string{"method", "task"}))
		}
		n, err := nameOf(name)
		if err != nil {
			return err
		}
		if slices.Contains(k.taken(), name) {
			return usagef("new %s %s: the name is taken", what, name)
		}
		if cc.Bool("python") {
			return c.newPython(what, n)
		}
		root, err := checkout()
		if err != nil {
			return err
		}
		files, err := k.files(root, what, n)
		if err != nil {
			return err
		}
		for _, f := range files {
			target := filepath.Join(root, filepath.FromSlash(f.path))
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			if err := journal.WriteFile(target, f.data); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s\n", f.path)
		}
		fmt.Fprintln(c.out)
		return template.Must(template.New("left").Parse(k.left)).Execute(c.out, n)
	})
}

// newPython writes a task or a method in Python into the current directory.
func (c *console) newPython(what string, n names) error {
	file := n.Name + ".py"
	if _, err := os.Lstat(file); err == nil {
		return hint.Add(usagef("%s already exists", file), "choose another name, or remove it")
	}
	var b bytes.Buffer
	t, err := template.ParseFS(skeleton, "skeleton/"+what+".py.tmpl")
	if err == nil {
		err = t.Execute(&b, n)
	}
	if err == nil {
		err = journal.WriteFile(file, b.Bytes())
	}
	run := "--task tsp-construct --method ./" + file
	if what == "task" {
		run = "--task ./" + file + " --method pace"
	}
	if err == nil {
		_, err = fmt.Fprintf(c.out, "%s\n\nIt already runs:\n  pacebench run %s --evals 20\n"+
			"  pacebench check-%s ./%s\n"+
			"pacebench docs your-%s describes everything that the file may use.\n",
			file, run, what, file, what)
	}
	return err
}

// checkout returns the root of the pacebench checkout that contains the current directory.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && modfile.ModulePath(data) == modulePath {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", hint.Add(usagef("new: this is not a checkout of pacebench"),
				"clone the repository and run `go run . new` in it")
		}
		dir = filepath.Dir(dir)
	}
}

type names struct {
	Name    string // "hill-climb", on the command line
	Package string // "hillclimb"
	Type    string // "HillClimb"
}

var (
	goodName  = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	maxLength = 40 // of a name, which becomes a folder of results
)

func nameOf(name string) (names, error) {
	n := names{Name: name, Package: strings.ReplaceAll(name, "-", "")}
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			n.Type += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	switch {
	case !goodName.MatchString(name) || len(name) > maxLength:
		return n, hint.Add(usagef("new: invalid name %q", name),
			fmt.Sprintf("a name has at most %d lower-case letters, digits and single dashes, "+
				"and begins with a letter, as in hill-climb", maxLength))
	case token.IsKeyword(n.Package), types.Universe.Lookup(n.Package) != nil,
		slices.Contains([]string{"init", "internal", "main", "testdata", "vendor"}, n.Package),
		strings.HasSuffix(n.Package, "test"):
		return n, hint.Add(usagef("new: the name of the Go package cannot be %q", n.Package),
			"choose another name")
	}
	return n, nil
}

type newFile struct {
	path string // relative to the checkout, with slashes
	data []byte
}

// files returns the files of a new method or task, none of which may exist yet, and the extended
// list.
func (k kind) files(root, what string, n names) ([]newFile, error) {
	folder := path.Join(path.Dir(k.list), n.Package)
	var files []newFile
	for _, f := range [][2]string{
		{path.Join(folder, n.Package+".go"), what + ".go.tmpl"},
		{path.Join(folder, n.Package+"_test.go"), what + "_test.go.tmpl"},
		{path.Join("docs", path.Dir(k.list), n.Name+".md"), what + ".md.tmpl"},
	} {
		switch _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(f[0]))); {
		case err == nil:
			return nil, hint.Add(usagef("%s already exists", f[0]),
				"choose another name, or remove it")
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
		t, err := template.ParseFS(skeleton, "skeleton/"+f[1])
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, n); err != nil {
			return nil, err
		}
		files = append(files, newFile{f[0], b.Bytes()})
	}
	old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(k.list)))
	if err != nil {
		return nil, err
	}
	list, err := addToList(old, modulePath+"/"+folder, n.Package+"."+k.call+"()")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.list, err)
	}
	return append(files, newFile{k.list, list}), nil
}

// endOfList matches the end of the list that All (in tasks: inGo) returns, including comments.
var endOfList = regexp.MustCompile(`(?ms)^func (?:All|inGo)\(\) \S+ \{\n\treturn \[\][^\n{]*\{` +
	`.*?(,?)[ \t]*(?://[^\n]*)?\n?\t?\}[ \t]*(?://[^\n]*)?\n\}$`)

// addToList adds a call to the end of the list that All or inGo returns, and the import for it
// after the other imports.
func addToList(source []byte, imp, call string) ([]byte, error) {
	if _, err := format.Source(source); err != nil {
		return nil, err // the file does not parse
	}
	imports := bytes.Index(source, []byte("\n)\n"))
	list := endOfList.FindSubmatchIndex(source)
	if imports < 0 || list == nil {
		return nil, errors.New("neither All nor inGo ends in a list")
	}
	for _, m := range regexp.MustCompile(`(?m)^\t"(.*)"$`).FindAllSubmatch(source[:imports+1], -1) {
		if old := string(m[1]); path.Base(old) == path.Base(imp) {
			return nil, hint.Add(
				usagef("package %s is imported already: %s", path.Base(imp), old),
				"choose another name")
		}
	}
	at, entry := list[2], ", "+call
	if list[3] > list[2] { // one entry on each line
		entry = ",\n" + call
	}
	return format.Source(slices.Concat(source[:imports], fmt.Appendf(nil, "\n\t%q", imp),
		source[imports:at], []byte(entry), source[at:]))
}
