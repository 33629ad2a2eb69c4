package pop

import (
	"cmp"
	"math"
	"slices"

	"github.com/pacebench/pacebench/bench/note"
)

// None is the score of an individual that has none: it crashed, ran out of time or returned
// something that is not a number.
var None = math.Inf(-1)

// An Individual is one evaluated program in a population.
type Individual[T any] struct {
	Value T
	Text  string  // compared for equality: the code without what all individuals share
	Score float64 // as evaluated, larger is better; None without a score
	// Fitness is what selection and survival look at: Score, or None for an individual that
	// failed or that equalled an earlier one in text or score when it was registered.
	Fitness float64
	Birth   int // place in the order of registration, from 0
}

// A Population keeps the best individuals seen. Newcomers wait in a buffer; when it holds
// batch of them, survivors and buffer compete for the places.
type Population[T any] struct {
	size, batch int
	survivors   []*Individual[T]
	buffer      []*Individual[T]
	generation  int
	births      int
}

// New returns an empty population of at most size survivors. With batch = size it is the
// (P+P) scheme of EoH and ReEvo, with batch = 1 a steady state.
func New[T any](size, batch int) *Population[T] {
	if size < 1 || batch < 1 {
		panic("pop: a population needs a size and a batch of at least 1")
	}
	return &Population[T]{size: size, batch: batch}
}

// Register adds an individual to the buffer and lets the population survive when the buffer
// is full. It returns nil for an individual without a score while no generation has been
// formed yet: the first population takes what runs. A duplicate takes a place like any
// other, at the bottom of the order.
func (p *Population[T]) Register(value T, text string, score float64) *Individual[T] {
	if p.generation == 0 && score == None {
		return nil
	}
	x := &Individual[T]{Value: value, Text: text, Score: score, Fitness: score, Birth: p.births}
	p.births++
	for _, y := range p.all() {
		if y.Text == text || y.Fitness == score {
			x.Fitness = None
		}
	}
	p.buffer = append(p.buffer, x)
	if len(p.buffer) >= p.batch {
		p.Survive()
	}
	return x
}

// Survive empties the buffer into the survivors, keeps the fittest and begins the next
// generation. Of equals, which only failures and duplicates can be, the older stays.
func (p *Population[T]) Survive() {
	all := p.all()
	slices.SortStableFunc(all, func(a, b *Individual[T]) int {
		return cmp.Compare(b.Fitness, a.Fitness)
	})
	p.survivors, p.buffer = all[:min(p.size, len(all))], nil
	p.generation++
}

func (p *Population[T]) all() []*Individual[T] { return slices.Concat(p.survivors, p.buffer) }

// Survivors returns the population proper, fittest first. The slice is the caller's, the
// individuals are shared and must not be changed.
func (p *Population[T]) Survivors() []*Individual[T] { return slices.Clone(p.survivors) }

// Waiting returns the individuals in the buffer, oldest first.
func (p *Population[T]) Waiting() []*Individual[T] { return slices.Clone(p.buffer) }

// Ranked returns the survivors that selection may draw, fittest first: those with a finite fitness.
func (p *Population[T]) Ranked() []*Individual[T] {
	return slices.DeleteFunc(p.Survivors(), func(x *Individual[T]) bool {
		return x.Fitness == None
	})
}

// Generation counts the survivals so far; 0 means that the first population is still being formed.
func (p *Population[T]) Generation() int { return p.generation }

// Note lists the survivors by their program, fittest first.
func (p *Population[T]) Note(program func(T) int) note.Survivors {
	n := note.Survivors{Generation: p.generation, Members: []note.Survivor{}}
	for _, x := range p.Survivors() {
		n.Members = append(n.Members,
			note.Survivor{Program: program(x.Value), Filler: x.Fitness == None})
	}
	return n
}
