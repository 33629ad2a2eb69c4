package programs

import (
	"embed"
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/bench"
)

// References are the programs in the embedded folder "references", named after their files.
func References(files embed.FS) []bench.Reference {
	entries, err := files.ReadDir("references")
	if err != nil {
		panic(fmt.Sprintf("programs: embedded references: %v", err))
	}
	var out []bench.Reference
	for _, e := range entries {
		text, err := files.ReadFile("references/" + e.Name())
		if err != nil {
			panic(fmt.Sprintf("programs: embedded references: %v", err))
		}
		name := strings.TrimSuffix(e.Name(), ".py")
		out = append(out, bench.Reference{Name: name, Source: string(text)})
	}
	return out
}
