package deepaco

import (
	"fmt"
	"math"
	"slices"
)

const (
	width = 32 // features of a city and of an edge
	depth = 12 // layers between embedding and head
)

// A vector has the features of one city or edge.
type vector = [width]float64

// A linear layer is y = W x + b. W has a row for each output.
type linear struct {
	w    [][]float64
	bias []float64
}

// A norm is batch normalisation in evaluation mode, as one factor and one term for each feature.
type norm struct{ factor, term vector }

// A layer is one round of message passing.
type layer struct {
	self, neighbour, from, to, edge linear // v_lins1, v_lins2, v_lins3, v_lins4, e_lins0
	cities, edges                   norm   // v_bns, e_bns
}

// A Net is the heuristic network: an embedding of cities and edges, twelve layers of messages
// between them, and a head that rates each edge. It is read-only and safe for concurrent use.
type Net struct {
	cityIn, edgeIn linear
	layers         [depth]layer
	head           [3]linear
}

// NewNet makes a network from the weights of a checkpoint. It ignores the pheromone head.
func NewNet(s State) (*Net, error) {
	r := reader{state: s}
	n := &Net{
		cityIn: r.linear("emb_net.v_lin0", width, 2), edgeIn: r.linear("emb_net.e_lin0", width, 1),
	}
	for l := range n.layers {
		at := func(part string) string { return fmt.Sprintf("emb_net.%s.%d", part, l) }
		n.layers[l] = layer{
			self:      r.linear(at("v_lins1"), width, width),
			neighbour: r.linear(at("v_lins2"), width, width),
			from:      r.linear(at("v_lins3"), width, width),
			to:        r.linear(at("v_lins4"), width, width),
			edge:      r.linear(at("e_lins0"), width, width),
			cities:    r.norm(at("v_bns") + ".module"), edges: r.norm(at("e_bns") + ".module"),
		}
	}
	for l, out := range []int{width, width, 1} {
		n.head[l] = r.linear(fmt.Sprintf("par_net_heu.lins.%d", l), out, width)
	}
	return n, r.err
}

// A reader takes tensors from a checkpoint and remembers the first error.
type reader struct {
	state State
	err   error
}

// floats returns the tensor with the given name and shape, or zeros after an error.
func (r *reader) floats(name string, shape ...int) []float32 {
	if t, ok := r.state[name]; ok && slices.Equal(t.Shape, shape) {
		return t.Floats
	} else if r.err == nil {
		r.err = fmt.Errorf("entry %q has shape %v, want %v as in DeepACO's network",
			name, t.Shape, shape)
	}
	size := 1
	for _, n := range shape {
		size *= n
	}
	return make([]float32, size)
}

func (r *reader) linear(name string, out, in int) linear {
	w, b := r.floats(name+".weight", out, in), r.floats(name+".bias", out)
	l := linear{w: make([][]float64, out), bias: make([]float64, out)}
	for i := range out {
		l.bias[i] = float64(b[i])
		for _, v := range w[i*in : (i+1)*in] {
			l.w[i] = append(l.w[i], float64(v))
		}
	}
	return l
}

// norm reads the normalisation γ (x - μ) / sqrt(v + 1e-5) + β.
func (r *reader) norm(name string) norm {
	gamma, beta := r.floats(name+".weight", width), r.floats(name+".bias", width)
	mean, variance := r.floats(name+".running_mean", width), r.floats(name+".running_var", width)
	var n norm
	for i := range width {
		n.factor[i] = float64(gamma[i]) / math.Sqrt(float64(variance[i])+1e-5)
		n.term[i] = float64(beta[i]) - float64(mean[i])*n.factor[i]
	}
	return n
}

// apply writes W x + b to y. It keeps four sums because the additions of one sum wait for each
// other.
func (l *linear) apply(x, y []float64) {
	for i, row := range l.w {
		row = row[:len(x)]
		var a, b, c, d float64
		k := 0
		for ; k+4 <= len(x); k += 4 {
			a += float64(row[k] * x[k])
			b += float64(row[k+1] * x[k+1])
			c += float64(row[k+2] * x[k+2])
			d += float64(row[k+3] * x[k+3])
		}
		for ; k < len(x); k++ {
			a += float64(row[k] * x[k])
		}
		y[i] = l.bias[i] + ((a + b) + (c + d))
	}
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
func silu(x float64) float64    { return x * sigmoid(x) }

// Heuristic rates the edges of a graph with numbers in (0, 1), in the order of g.Neighbours. It
// computes in float64.
func (n *Net) Heuristic(g *Graph) []float64 { return n.heuristic(g, nil) }

// heuristic calls see, if not nil, with the features after each layer; layer 0 is the embedding.
func (n *Net) heuristic(g *Graph, see func(layer int, cities, edges []vector)) []float64 {
	h, e := make([]vector, g.N), make([]vector, g.N*g.K)
	for i := range h {
		n.cityIn.apply([]float64{float64(g.Coords[2*i]), float64(g.Coords[2*i+1])}, h[i][:])
		activate(&h[i])
	}
	for k := range e {
		n.edgeIn.apply([]float64{float64(g.Lengths[k])}, e[k][:])
		activate(&e[k])
	}
	if see != nil {
		see(0, h, e)
	}
	message, from, to := make([]vector, g.N), make([]vector, g.N), make([]vector, g.N)
	for l := range n.layers {
		n.layers[l].advance(g, h, e, message, from, to)
		if see != nil {
			see(l+1, h, e)
		}
	}
	rating := make([]float64, len(e))
	var a, b vector
	for k := range e {
		n.head[0].apply(e[k][:], a[:])
		activate(&a)
		n.head[1].apply(a[:], b[:])
		activate(&b)
		n.head[2].apply(b[:], rating[k:k+1])
		rating[k] = sigmoid(rating[k])
	}
	return rating
}

func activate(v *vector) {
	for i, x := range v {
		v[i] = silu(x)
	}
}

// advance applies one layer to the features of cities and edges. It computes the parts that depend
// only on a city once for each city, in message, from and to, before it changes h and e.
func (l *layer) advance(g *Graph, h, e, message, from, to []vector) {
	for i := range h {
		l.neighbour.apply(h[i][:], message[i][:])
		l.from.apply(h[i][:], from[i][:])
		l.to.apply(h[i][:], to[i][:])
	}
	var y vector
	for i := range h {
		var mean vector
		for k := i * g.K; k < (i+1)*g.K; k++ {
			j := g.Neighbours[k]
			for f, v := range e[k] {
				mean[f] += float64(sigmoid(v) * message[j][f])
			}
			l.edge.apply(e[k][:], y[:])
			for f := range y {
				sum := y[f] + from[i][f] + to[j][f]
				e[k][f] += silu(float64(l.edges.factor[f]*sum) + l.edges.term[f])
			}
		}
		l.self.apply(h[i][:], y[:])
		for f := range y {
			sum := y[f] + mean[f]/float64(g.K)
			h[i][f] += silu(float64(l.cities.factor[f]*sum) + l.cities.term[f])
		}
	}
}
