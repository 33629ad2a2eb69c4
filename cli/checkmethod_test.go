package cli

import "testing"

// TestPlainTask: check-method installs no packages of a task.
func TestPlainTask(t *testing.T) {
	if task := plainTask(); task.Packages != "" || task.Scorer != nil {
		t.Errorf("%s needs packages", task.Problem.Name)
	}
}
