package hint

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"step": {"number": []}}`:    "step.number: this is a list, want a whole number",
		`{"step": {"number": 1.5}}`:   "step.number: this is 1.5, want a whole number",
		`{"step": {"parents": "1"}}`:  "step.parents: this is a text, want a list",
		`{"step": 7}`:                 "step: this is a number, want an object",
		`{"step": {"name": {}}}`:      "step.name: this is an object, want a text",
		`{"step": {"best": "x"}}`:     "step.best: this is a text, want a number",
		`{"step": {"paired": "yes"}}`: "step.paired: this is a text, want true or false",
		`[]`:                          "this is a list, want an object",
		`{"step"`:                     "not JSON: the text ends too early",
		``:                            "not JSON: the text ends too early",
		`{"step": x}`: "not JSON at byte 10: " +
			"invalid character 'x' looking for beginning of value",
		`{"window": 3}`: `unknown field "window"`,
	} {
		var into struct {
			Step *struct {
				Number  int
				Parents []int
				Name    string
				Best    *float64
				Paired  bool
			}
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		err := d.Decode(&into)
		if text == "" || text == `{"step"` {
			err = json.Unmarshal([]byte(text), &into)
		}
		if got := JSON(err); got == nil || got.Error() != want {
			t.Errorf("%s: got %v, want %s", text, got, want)
		}
	}
	if JSON(nil) != nil {
		t.Error("JSON(nil) is not nil")
	}
}
