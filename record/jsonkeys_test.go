package record

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestKeysOfAResult checks that each key of a result.json is known, is spelled exactly, and appears
// once.
func TestKeysOfAResult(t *testing.T) {
	const good = `{"format":1,"task":"t","config":{"K":1,"k":2},"models":{"":"m"},` +
		`"stopped":"budget","evaluations":1,"asked":0,"faults":{"timeout":1},` +
		`"usage":{"algorithm/P1":{"requests":1,"usage":{"prompt":1}}},` +
		`"tests":{"test50":{"mean":2,"values":[2],"failed":[{"instance":0,"kind":"raised"}]}}}`
	tests := map[string][2]string{ // an old text and its replacement
		"a second Tests":        {`"tests":`, `"Tests":{},"tests":`},
		"Tests alone":           {`"tests":`, `"Tests":`},
		"tests twice":           {`"tests":`, `"tests":{},"tests":`},
		"a split twice":         {`"test50":`, `"test50":null,"test50":`},
		"a field twice":         {`"mean":2`, `"mean":1,"mean":2`},
		"a field in capitals":   {`"mean":2`, `"Mean":2`},
		"an unknown field":      {`"mean":2`, `"mean":2,"median":1`},
		"twice in a list":       {`"kind":"raised"`, `"kind":"raised","kind":"raised"`},
		"in a map":              {`"prompt":1`, `"prompt":1,"PROMPT":2`},
		"twice in the settings": {`"K":1`, `"K":1,"K":1`},
		"something behind it":   {`"raised"}]}}}`, `"raised"}]}}}{}`},
	}
	read := func(text string) error {
		dir := t.TempDir()
		must.Write(t, filepath.Join(dir, "result.json"), text)
		_, err := ReadResult(dir)
		return err
	}
	must.Do(t, read(good))
	for name, r := range tests {
		bad := strings.Replace(good, r[0], r[1], 1)
		if err := read(bad); bad == good || !errors.Is(err, ErrTorn) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
