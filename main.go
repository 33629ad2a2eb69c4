// Pacebench runs methods of LLM-based automated algorithm design on fixed tasks with an exact
// budget, and makes tables and figures of the results. See README.md and bench/doc.go.
package main

import (
	"os"

	"github.com/pacebench/pacebench/cli"
)

func main() { os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
