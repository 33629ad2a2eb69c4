package pyenv

import (
	"context"
	"os"
	"slices"
	"strings"
)

// network lists pip's settings that say how to reach packages. The user's values of them are kept.
// All other settings, such as user, target or constraint, serve other uses of pip and would break
// an environment.
var network = []string{
	"index-url", "extra-index-url", "find-links", "no-index", "proxy", "cert", "client-cert",
	"trusted-host", "timeout", "resume-retries", "cache-dir", "no-cache-dir", "keyring-provider",
	"use-feature", "use-deprecated",
}

// A pip is a command that runs pip: an interpreter with its arguments.
type pip []string

// settings returns the environment variables for pip: the same as for other commands, and the
// user's network settings. pip itself lists these settings, from files and variables; if it cannot,
// only variables count.
func (p pip) settings(ctx context.Context) []string {
	env := append(environment(), "PIP_CONFIG_FILE="+os.DevNull)
	set := func(name, value string) {
		name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
		if slices.Contains(network, name) && value != "" {
			env = append(env, "PIP_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+value)
		}
	}
	// With the user's setting quiet, pip would print nothing.
	ask := append(environment(), "PIP_QUIET=0", "PIP_VERBOSE=0")
	if file, ok := os.LookupEnv("PIP_CONFIG_FILE"); ok {
		ask = append(ask, "PIP_CONFIG_FILE="+file)
	}
	said, err := p.run(ctx, ask, "config", "list")
	// The last value of a name wins in an environment. In the same way, pip prefers install to
	// global, and a variable to both.
	for _, section := range []string{"global.", "install."} {
		for line := range strings.Lines(said) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			if name, ok := strings.CutPrefix(name, section); ok && err == nil {
				set(name, unquoted(value))
			}
		}
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if name, ok := strings.CutPrefix(name, "PIP_"); ok {
			set(name, value)
		}
	}
	return env
}

func (p pip) run(ctx context.Context, env []string, args ...string) (string, error) {
	return run(ctx, env, p[0], append(slices.Clone(p[1:]), args...)...)
}

// unquoted returns the text of a Python string literal, as pip prints it.
func unquoted(literal string) string {
	if len(literal) < 2 {
		return literal
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\'`, `'`).
		Replace(literal[1 : len(literal)-1])
}
