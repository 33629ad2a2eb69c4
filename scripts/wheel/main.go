// Command wheel packs pacebench for `pip install`; scripts/build-wheel runs it. It writes a static
// binary, and a wheel with the binary, the Python module pacebench and the licences of all modules
// in the binary. The same sources and the same Go give the same bytes.
package main

import (
	"archive/zip"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

const summary = "Reproducible benchmark harness and baselines " +
	"for LLM-based automated algorithm design"

// machines maps Go's names of processors that pacebench supports to pip's names.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("build-wheel: ")
	all := flag.Bool("all", false, "build for every machine, as a release does")
	flag.Parse()
	targets := []string{runtime.GOARCH}
	if *all {
		targets = slices.Sorted(maps.Keys(machines))
	}
	dir := cmp.Or(flag.Arg(0), "dist")
	must("", os.MkdirAll(dir, 0o755))
	for _, machine := range targets {
		if machines[machine] == "" {
			log.Fatalf("there is no wheel for %s, only for amd64 and arm64", machine)
		}
		build(dir, machine)
	}
}

// must returns v, or ends the command with err.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// tool runs the go command for a machine and returns what it prints.
func tool(machine string, args ...string) string {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+machine)
	cmd.Stderr = os.Stderr
	return strings.TrimSpace(string(must(cmd.Output())))
}

// A file is a file in a wheel.
type file struct {
	name string
	data []byte
	mode os.FileMode
}

func build(dir, machine string) {
	binary := filepath.Join(dir, "pacebench-linux-"+machine)
	tool(machine, "build", "-trimpath", "-ldflags=-s -w", "-o", binary, ".")
	release := regexp.MustCompile(`(?m)^const Version = "(.+)"$`).
		FindSubmatch(must(os.ReadFile("cli/cli.go")))
	if release == nil {
		log.Fatal("cli/cli.go has no constant Version")
	}
	name, tag := "pacebench-"+string(release[1]), "py3-none-manylinux_2_17_"+machines[machine]

	files := []file{{name + ".data/scripts/pacebench", must(os.ReadFile(binary)), 0o755}}
	for _, pattern := range []string{"*.py", "py.typed"} {
		for _, path := range must(filepath.Glob(filepath.Join("python/pacebench", pattern))) {
			to := "pacebench/" + filepath.Base(path)
			files = append(files, file{to, must(os.ReadFile(path)), 0o644})
		}
	}
	metadata := "Metadata-Version: 2.4\nName: pacebench\nVersion: " + string(release[1]) +
		"\nSummary: " + summary + "\nLicense-Expression: MIT\n"
	for _, l := range licences(machine) {
		metadata += "License-File: " + l.name + "\n"
		l.name = name + ".dist-info/licenses/" + l.name
		files = append(files, l)
	}
	metadata += "Requires-Python: >=3.11\nClassifier: Operating System :: POSIX :: Linux\n" +
		"Description-Content-Type: text/markdown\n\n" + string(must(os.ReadFile("README.md")))
	about := "Wheel-Version: 1.0\nGenerator: build-wheel\nRoot-Is-Purelib: false\n" +
		"Tag: " + tag + "\n"
	files = append(files, file{name + ".dist-info/METADATA", []byte(metadata), 0o644},
		file{name + ".dist-info/WHEEL", []byte(about), 0o644})
	record := ""
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.name,
			base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	record += name + ".dist-info/RECORD,,\n"
	files = append(files, file{name + ".dist-info/RECORD", []byte(record), 0o644})

	wheel := filepath.Join(dir, name+"-"+tag+".whl")
	pack(wheel, files)
	fmt.Println(binary)
	fmt.Println(wheel)
}

// pack writes files into a zip archive, all with the format's earliest date.
func pack(path string, files []file) {
	out := must(os.Create(path))
	z := zip.NewWriter(out)
	for _, f := range files {
		h := zip.FileHeader{Name: f.name, Method: zip.Deflate,
			Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(f.mode)
		must(must(z.CreateHeader(&h)).Write(f.data))
	}
	must("", z.Close())
	must("", out.Close())
}

var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)`)

// licences returns the licences of pacebench, of Go and of all modules in the binary.
func licences(machine string) (texts []file) {
	modules := strings.Split(tool(machine, "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "."), "\n")
	modules = append(modules, "\t.", "go\t"+tool(machine, "env", "GOROOT"))
	slices.Sort(modules)
	for _, line := range slices.Compact(modules) {
		module, folder, listed := strings.Cut(line, "\t")
		if !listed {
			continue // a package of Go or of pacebench
		}
		for _, e := range must(os.ReadDir(folder)) {
			if licence.MatchString(e.Name()) && e.Type().IsRegular() {
				name := strings.TrimPrefix(strings.ReplaceAll(module, "/", "_")+"."+e.Name(), ".")
				data := must(os.ReadFile(filepath.Join(folder, e.Name())))
				texts = append(texts, file{name, data, 0o644})
			}
		}
	}
	return texts
}
