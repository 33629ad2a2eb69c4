// Package bipedal is the task Bipedal Walker: design the policy that makes the robot of Gymnasium's
// BipedalWalker-v3 walk. Start at Task.
package bipedal
