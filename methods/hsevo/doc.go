// Package hsevo is HSEvo (Dat et al., AAAI 2025): generations of crossovers and mutations in the
// light of reflections over the whole population, each followed by a harmony search that tunes the
// constants of a program by evaluation alone. It follows the official code (HSEvo at f3afffa),
// whose search the port in LLM4AD shares, with the settings of the PACE paper's table of baseline
// settings; docs/methods/hsevo.md lists what differs and why. Start at HSEvo and New.
package hsevo
