package deepaco

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/deepacotest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

func TestGraphHasTheNearestFirst(t *testing.T) {
	g := NewGraph([]float32{0, 0, 3, 4, 0, 1, 0, 2, 1, 0}, 3)
	want := []int32{2, 4, 3, 3, 2, 4, 0, 3, 4, 2, 0, 4, 0, 2, 3}
	golden.Same(t, "neighbours", want, g.Neighbours)
	if g.Lengths[0] != 1 || g.Lengths[2] != 2 {
		t.Errorf("lengths %v", g.Lengths)
	}
	m := g.Matrix(make([]float64, 15))
	if len(m) != 25 || m[0] != fill || m[7] != fill {
		t.Errorf("matrix of zero ratings: %v", m)
	}
	m = g.Matrix(slices.Repeat([]float64{0.5}, 15))
	if m[0*5+2] != 0.5+fill || m[0*5+1] != fill || m[1*5+0] != fill {
		t.Errorf("matrix of one rating: %v", m)
	}
}

// made returns weights from the formula in testdata/network.py: 20 bits of SplitMix64 for each
// number, in the order of the names.
func made() State {
	mix := func(x uint64) uint64 {
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	count := uint64(0)
	s := State{}
	for _, name := range slices.Sorted(maps.Keys(shapes())) {
		t := Tensor{Shape: shapes()[name]}
		low, high := -0.25, 0.25
		switch {
		case strings.HasSuffix(name, "running_var"):
			low, high = 0.5, 2.5
		case strings.HasSuffix(name, "running_mean"):
			low, high = -1, 1
		case strings.Contains(name, "_bns.") && strings.HasSuffix(name, ".weight"):
			low, high = 0.5, 1.5
		case strings.HasSuffix(name, "lins.0.weight"):
			low, high = -0.0625, 0.0625
		}
		size := 1
		for _, n := range t.Shape {
			size *= n
		}
		for range size {
			t.Floats = append(t.Floats, float32(low+(high-low)*float64(mix(count)>>44)/(1<<20)))
			count++
		}
		s[name] = t
	}
	return s
}

// shapes are the shapes of all float tensors of a published checkpoint.
func shapes() map[string][]int {
	s := map[string][]int{"par_net_phe._dummy": {0}, "par_net_heu._dummy": {0}}
	linear := func(name string, out, in int) {
		s[name+".weight"], s[name+".bias"] = []int{out, in}, []int{out}
	}
	linear("emb_net.v_lin0", width, 2)
	linear("emb_net.e_lin0", width, 1)
	for l := range depth {
		for _, part := range []string{"v_lins1", "v_lins2", "v_lins3", "v_lins4", "e_lins0"} {
			linear(fmt.Sprintf("emb_net.%s.%d", part, l), width, width)
		}
		for _, norm := range []string{"v_bns", "e_bns"} {
			for _, part := range []string{"weight", "bias", "running_mean", "running_var"} {
				s[fmt.Sprintf("emb_net.%s.%d.module.%s", norm, l, part)] = []int{width}
			}
		}
	}
	for _, head := range []string{"par_net_phe", "par_net_heu"} {
		for l, out := range []int{width, width, 1} {
			linear(fmt.Sprintf("%s.lins.%d", head, l), out, width)
		}
	}
	return s
}

// A trace is the state after one layer, according to PyTorch.
type trace struct {
	Cities   []float64 `json:"x_node0_first4"`
	CitySum  float64   `json:"x_sum"`
	Edges    []float64 `json:"e_edge0_first4"`
	EdgesSum float64   `json:"e_sum"`
}

// A reference is PyTorch's result for one graph, in float64.
type reference struct {
	Name       string           `json:"name"`
	Checkpoint string           `json:"checkpoint"`
	K          int              `json:"k_sparse"`
	Coords     []float32        `json:"coords_f32"`
	Neighbours [][]int32        `json:"neighbour_index"`
	Lengths    []float32        `json:"edge_length_f32"`
	Rating     []float64        `json:"heuristic_f64"`
	Layers     map[string]trace `json:"layers_f64"`
}

func references(t *testing.T, file string) []reference {
	t.Helper()
	var golden struct {
		Cases []reference `json:"cases"`
	}
	must.Do(t, json.Unmarshal(must.Read(t, filepath.Join("testdata", file)), &golden))
	return golden.Cases
}

// TestNetworkIsPyTorchs compares the network's results with PyTorch's results. It needs no
// checkpoint, because the weights come from a formula.
func TestNetworkIsPyTorchs(t *testing.T) {
	n, err := NewNet(made())
	must.Do(t, err)
	for _, c := range references(t, "torch.json") {
		t.Run(c.Name, func(t *testing.T) { c.check(t, n) })
	}
}

// TestPublishedNetworks compares the results of the published networks with PyTorch's results, if
// the checkpoints are installed.
func TestPublishedNetworks(t *testing.T) {
	dir := deepacotest.Dir(t)
	for _, c := range references(t, "net.json") {
		t.Run(c.Name, func(t *testing.T) {
			file := strings.TrimSuffix(c.Checkpoint, ".pt") + ".safetensors"
			n, err := Load(filepath.Join(dir, file), Published[file])
			must.Do(t, err)
			c.check(t, n)
		})
	}
}

func (c reference) check(t *testing.T, n *Net) {
	g := NewGraph(c.Coords, c.K)
	if diff := cmp.Diff(slices.Concat(c.Neighbours...), g.Neighbours); diff != "" {
		t.Fatalf("neighbours mismatch (-want +got):\n%s", diff)
	}
	for k, want := range c.Lengths {
		// Nine digits identify a float32, but the reference may round its sum of squares at other
		// steps.
		ulp := math.Nextafter32(want, 2) - want
		if max(g.Lengths[k]-want, want-g.Lengths[k]) > ulp {
			t.Errorf("length of edge %d is %v, want %v", k, g.Lengths[k], want)
		}
	}
	g.Lengths = c.Lengths
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 2e-8*max(1, math.Abs(want)) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	got := n.heuristic(g, func(l int, cities, edges []vector) {
		want, ok := c.Layers[fmt.Sprint(l)]
		if !ok {
			return
		}
		for i := range want.Cities {
			near(fmt.Sprintf("layer %d, city 0, feature %d", l, i), cities[0][i], want.Cities[i])
			near(fmt.Sprintf("layer %d, edge 0, feature %d", l, i), edges[0][i], want.Edges[i])
		}
		near(fmt.Sprintf("layer %d, sum of cities", l), total(cities), want.CitySum)
		near(fmt.Sprintf("layer %d, sum of edges", l), total(edges), want.EdgesSum)
	})
	for k, want := range c.Rating {
		if math.Abs(got[k]-want)/want > 1e-8 {
			t.Errorf("edge %d: %v, want %v", k, got[k], want)
		}
	}
}

func total(v []vector) float64 {
	sum := 0.0
	for i := range v {
		for _, x := range v[i] {
			sum += x
		}
	}
	return sum
}
