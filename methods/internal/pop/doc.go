// Package pop is the population that the evolutionary methods share: registration with the
// demotion of duplicates, survival of the fittest, and selection by rank. Start at
// Population and Weights. It knows nothing of prompts, operators or the engine, and what an
// individual carries is the method's own business.
package pop
