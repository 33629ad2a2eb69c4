// Package gym makes tasks of Gymnasium environments. Start at Environment: it is data, and its Task
// is a whole task. The environment runs in a trusted Python process (gym.py, bench.Scorer), the
// policy in a confined one. This package runs between them: it counts steps, gives each side only
// what it may see, and checks every action before the environment gets it.
package gym
