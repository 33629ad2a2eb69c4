package programs

import (
	"embed"
	"fmt"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
)

// Vocabulary is what the offline model knows of a task: the embedded file vocabulary.toml.
func Vocabulary(files embed.FS) *bench.Vocabulary {
	var v bench.Vocabulary
	md, err := toml.DecodeFS(files, "vocabulary.toml", &v)
	if err == nil && len(md.Undecoded()) > 0 {
		err = fmt.Errorf("unknown keys %v", md.Undecoded())
	}
	if err != nil {
		panic(fmt.Sprintf("programs: embedded vocabulary.toml: %v", err))
	}
	return &v
}
