package suite

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

// An echoes is a server with its own protocol. It answers a request with its key.
type echoes struct {
	*llm.Scripted
	model string
}

func (e echoes) Name() string  { return "echo:" + e.model }
func (echoes) Host() string    { return "echo.example" }
func (echoes) Notes() []string { return nil }

// TestProtocolOfItsOwn: a profile with another protocol can have a key, a price and a quota.
func TestProtocolOfItsOwn(t *testing.T) {
	llm.Protocols["echo"] = llm.Protocol{KeyEnv: "ECHO_KEY",
		Open: func(c llm.Config) (llm.Client, error) {
			return echoes{llm.NewScripted(func(llm.Request) string { return c.Key }), c.Model}, nil
		}}
	t.Cleanup(func() { delete(llm.Protocols, "echo") })
	t.Setenv("ECHO_KEY", "one")
	t.Setenv("OTHER_KEY", "another")
	t.Chdir(t.TempDir())
	file := "[models.e]\nprotocol = \"echo\"\nmodel = \"x\"\n" +
		"key_env = \"OTHER_KEY\"\nprice_in = 1e6\nprice_out = 1e6\nrpm = 600\n" +
		"[models.wrong]\nprotocol = \"ohce\"\nmodel = \"x\"\n"
	must.Write(t, ModelsFile, file)
	o, err := OpenModels(Options{
		Models: ModelsFile, Purse: &llm.Purse{Max: 1}, RequestTimeout: time.Minute,
		Log: io.Discard, Notes: io.Discard,
	}, nil)
	must.Do(t, err)
	for spec, key := range map[string]string{"echo:x": "one", "e": "another"} {
		ch, err := o.Choose(spec, "")
		must.Do(t, err)
		reply, err := ch.model.Complete(t.Context(), llm.Request{User: llm.Text("q")})
		if err != nil || reply.Text != key || ch.names[""] != "echo:x" ||
			ch.hosts[""] != "echo.example" {
			t.Errorf("%s: %q, %v, %v, %v", spec, reply.Text, err, ch.names, ch.hosts)
		}
		o.Purse = &llm.Purse{Max: 1} // the next model has its own purse
		if spec != "e" {
			continue
		}
		m := ch.byRole[""]
		if m.limits.RequestsPerMinute != 600 || ch.prices[""].In != 1e6 {
			t.Errorf("limits %v, prices %v", m.limits, ch.prices)
		}
		_, err = ch.model.Complete(t.Context(), llm.Request{User: llm.Text("q")})
		if err == nil || !strings.Contains(err.Error(), "the limit of 1 USD is reached") {
			t.Errorf("beyond the limit: %v", err)
		}
	}
	if _, err := o.Choose("wrong", ""); err == nil ||
		!strings.Contains(err.Error(), `protocol = "ohce": want one of [echo openai]`) {
		t.Errorf("an unknown protocol: %v", err)
	}
}

// TestCostsOfOtherRuns: the journals of all runs in a directory count, even if the command does not
// continue them and no account contains them.
func TestCostsOfOtherRuns(t *testing.T) {
	out := t.TempDir()
	for method, usd := range map[string]int{"eoh": 5, "pace": 8} {
		dir := filepath.Join(out, "t", method, "x", "1")
		must.Do(t, os.MkdirAll(dir, 0o755))
		must.Write(t, filepath.Join(dir, "journal.jsonl"), fmt.Sprintf(
			`{"header":{"format":1,"task":"t","method":%q,"models":{"":"x"},"seed":1}}`+"\n"+
				`{"step":{"number":0,"requests":[{"request":{"purpose":"algorithm/I1"},`+
				`"reply":{"usage":{"cost":%d}}}]}}`+"\n", method, usd))
	}
	must.Do(t, ledgerOf(out).Close(llm.Account{USD: 8})) // only PACE's run had a limit
	o := &opener{Options: Options{Out: out, Purse: &llm.Purse{Max: 100}}}
	must.Do(t, o.sharePurse(nil))
	if usd := o.Purse.Spent(); usd != 13 {
		t.Errorf("%g USD are spent, want 13", usd)
	}
}
