// Package racingcar is the task Racing Car: design the policy that drives the car of Gymnasium's
// CarRacing-v3 from pictures. Start at Task.
package racingcar
