package program_test

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/program"
)

func ExampleAssemble() {
	eap := "def gap(x):\n    return x[1] - x[0]\n"
	target := "def choose(x):\n    return gap(x)\n"
	p := program.Assemble([]string{"import numpy as np"}, []string{eap}, target)
	for line := range strings.SplitSeq(p.Source, "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Println(line)
		}
	}
	// Output:
	// import numpy as np
	// def gap(x):
	//     return x[1] - x[0]
	// def choose(x):
	//     return gap(x)
}

func ExampleCalls_Check() {
	contract := program.Calls{Must: []string{"gap"}, May: []string{"spread"}, AtMost: 2}
	fmt.Println(contract.Check([]string{"gap", "spread"}))
	err := contract.Check([]string{"other"})
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n"))
	// Output:
	// <nil>
	// it must call `gap`, but no statement that can be reached does;
	// it calls `other`, which it must not call
}
