// Package gym makes tasks from Gymnasium environments. Start at Environment, which describes a task
// as data; its method Task makes the task. The environment runs in a trusted Python process
// (gym.py, bench.Scorer), and the policy runs in a confined process. This package runs between
// them: it counts steps, gives each side only what it may see, and checks every action before the
// environment gets it.
package gym
