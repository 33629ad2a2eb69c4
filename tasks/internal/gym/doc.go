// Package gym makes tasks of environments of Gymnasium. Start at Environment: it is data, and its
// Task is a whole task. The environment runs in a trusted Python process (gym.py, bench.Scorer),
// the policy in a confined one, and this package stands between them: it counts steps, hands each
// side what it may see, and checks every action before the environment is given it.
package gym
