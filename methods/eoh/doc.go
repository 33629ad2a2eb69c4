// Package eoh is Evolution of Heuristics (Liu et al., ICML 2024): a population of programs,
// each with the one-sentence idea behind it, varied by five prompts. It follows the port in
// LLM4AD (llm4ad/method/eoh at e8d848f) that the PACE paper ran, with the settings of its table of
// baseline settings; docs/methods/eoh.md lists what differs and why. Start at EoH and New.
package eoh
