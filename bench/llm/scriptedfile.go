package llm

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pacebench/pacebench/internal/plain"
)

// ScriptedFile answers from a txtar file, for tests of the command line. The name of a
// section, up to its first space, says which requests it answers: a purpose
// ("algorithm/P1"), a role ("algorithm"), or "any"; the most specific wins. Of several
// sections with one name the request's Draw chooses, so that the answers do not depend on
// which request comes first.
func ScriptedFile(path string) (*Scripted, error) {
	data, err := plain.Read(path, plain.Small)
	if err != nil {
		return nil, err
	}
	answers := map[string][]string{}
	for _, f := range txtar.Parse(data).Files {
		name, _, _ := strings.Cut(f.Name, " ")
		answers[name] = append(answers[name], string(f.Data))
	}
	if len(answers) == 0 {
		return nil, fmt.Errorf("%s: holds no section of the form \"-- algorithm/P1 --\"", path)
	}
	base := filepath.Base(path)
	return &Scripted{Answer: func(_ context.Context, r Request) (Reply, error) {
		for _, name := range []string{string(r.Purpose), r.Purpose.Role(), "any"} {
			if texts := answers[name]; len(texts) > 0 {
				return scriptedReply(r, texts[r.Draw%uint64(len(texts))]), nil
			}
		}
		return Reply{}, fmt.Errorf("scripted: %w: %s has no section %q, %q or \"any\"",
			ErrFatal, base, r.Purpose, r.Purpose.Role())
	}}, nil
}
