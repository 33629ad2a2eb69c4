// Package reevo is Reflective Evolution (Ye et al., NeurIPS 2024): before each crossover the model
// compares two parents and writes a short hint for the child; now and then it condenses the newest
// hints into a longer one, which guides mutations of the best program. It follows the port in
// LLM4AD (llm4ad/method/reevo at e8d848f) that the PACE paper ran, with the settings of its table
// of baseline settings; docs/methods/reevo.md lists what differs and why. Start at ReEvo and New.
package reevo
