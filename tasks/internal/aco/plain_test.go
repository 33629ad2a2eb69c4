package aco

// A sampler is a way of drawing a step. All of them draw from the same distribution, each with its
// own use of the random numbers, so that lengths differ from sampler to sampler as they do from
// stream to stream.
type sampler func(eta []float64, n int) weights

// samplers has, to compare blocks with, one that sums the weights of all unvisited cities at every
// step: less to go wrong.
var samplers = map[string]sampler{
	"blocks": func(eta []float64, n int) weights { return newBlocks(eta, n) },
	"plain":  func(eta []float64, n int) weights { return newPlain(eta, n) },
}

// plain keeps the weights by city. row i, column j: from i to j.
type plain struct {
	n   int
	eta []float64
	w   []float64
}

func newPlain(eta []float64, n int) *plain {
	return &plain{n, eta, append([]float64(nil), eta...)}
}

func (p *plain) deposit(tour []int32, amount float64, from, to int) {
	last := int(tour[len(tour)-1])
	for _, c := range tour {
		city := int(c)
		if from <= last && last < to {
			at := last*p.n + city
			p.w[at] += float64(amount * p.eta[at])
		}
		if from <= city && city < to {
			at := city*p.n + last
			p.w[at] += float64(amount * p.eta[at])
		}
		last = city
	}
}

func (p *plain) scale(factor float64, from, to int) {
	for i := range p.w[from*p.n : to*p.n] {
		p.w[from*p.n+i] *= factor
	}
}

func (p *plain) walk(a *ant) {
	k := &a.walker
	k.begin()
	k.visit(a.start)
	a.tour[0] = a.start
	city := a.start
	for step := 1; step < p.n; step++ {
		city = p.step(a, int(city))
		k.visit(city)
		a.tour[step] = city
	}
}

// step draws the city after i.
func (p *plain) step(a *ant, i int) int32 {
	k, row := &a.walker, p.w[i*p.n:(i+1)*p.n]
	for at, city := range k.left {
		k.weight[at] = row[city]
	}
	return k.left[k.draw(uniform(&a.rnd))]
}
