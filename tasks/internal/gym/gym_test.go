package gym_test

import (
	"os"
	"strings"
	"testing"
)

func TestTheGuideShowsCartPole(t *testing.T) {
	page, err := os.ReadFile("../../../docs/adding-a-task.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("cartpole_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```go\n"+string(code)+"```\n") {
		t.Error("docs/adding-a-task.md does not show cartpole_test.go as it is")
	}
}
