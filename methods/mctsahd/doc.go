// Package mctsahd is MCTS-AHD (Zheng et al., ICML 2025): every program that runs becomes a node of
// a tree and stays there; a walk by UCT chooses the node to expand, a fixed list of prompts expands
// it, and after each program a second request aligns its one-sentence idea with its code. It
// follows the port in LLM4AD (llm4ad/method/mcts_ahd at e8d848f) that the PACE paper ran, with the
// settings of its table of baseline settings; docs/methods/mcts-ahd.md lists what differs and why.
// Start at MCTSAHD and New; the tree and its formulas are in tree.go.
package mctsahd
