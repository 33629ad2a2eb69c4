package suite

import (
	"context"

	"github.com/pacebench/pacebench/bench"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/baselines/ppo"
)

// Policies is a run of trained policies with the processes that it needs.
type Policies struct {
	*ppo.Run
	hosts []*host.Workers
}

func (p *Policies) Close() {
	for _, h := range p.hosts {
		h.Close() // the error does not matter, because Close kills the processes
	}
}

// OpenPolicies finds the Python environment that trains and plays policies, and records it in the
// header. It never installs one. Some workers play the policies, and others run the task's scorer.
// If both used the same workers, each could wait for the other.
func OpenPolicies(ctx context.Context, o Options, task *bench.Task, s *ppo.Settings,
	h *record.Header) (*Policies, error) {
	env, err := pyenv.Installed(ctx, pyenv.Options{
		Python: o.Python, Lock: o.Lock, Extra: ppo.Packages, Log: o.Notes,
	})
	if err != nil {
		return nil, Usage(err)
	}
	scoredWith(h, env)
	p := &Policies{}
	for range 2 {
		p.hosts = append(p.hosts, host.Open(ctx, host.Config{
			Python:  func(context.Context, string) (string, error) { return env.Python, nil },
			Workers: o.Jobs, Cache: hostCache(), Log: o.Log,
		}))
	}
	p.Run = &ppo.Run{
		Settings: s, Task: task, Python: env.Python, Versions: env.Extras,
		Hosts: p.hosts[0], Players: p.hosts[1],
		Environment: Machine(o).With(env),
	}
	return p, nil
}
