package deepaco

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// coordinates are cities that no generator is needed for.
func coordinates(n int) []float32 {
	out := make([]float32, 2*n)
	for i := range out {
		_, f := math.Modf(float64(i+1) * 0.6180339887498949)
		out[i] = float32(f)
	}
	return out
}

func TestGraphHasTheNearestFirst(t *testing.T) {
	g := NewGraph([]float32{0, 0, 3, 4, 0, 1, 0, 2, 1, 0}, 3)
	if diff := cmp.Diff([]int32{2, 4, 3, 3, 2, 4, 0, 3, 4, 2, 0, 4, 0, 2, 3}, g.Neighbours); diff != "" {
		t.Errorf("neighbours mismatch (-want +got):\n%s", diff)
	}
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

// TestHeuristicIsItsDefinition evaluates the network a second time as it is written down:
// edge by edge, normalisation unfolded.
func TestHeuristicIsItsDefinition(t *testing.T) {
	s := made(7)
	n, err := NewNet(s)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGraph(coordinates(12), 5)
	want, got := defined(s, g), n.Heuristic(g)
	for k := range want {
		if math.Abs(got[k]-want[k]) > 1e-10*want[k] {
			t.Fatalf("edge %d: %v, want %v", k, got[k], want[k])
		}
	}
	if slices.Max(got)-slices.Min(got) < 1e-3 {
		t.Errorf("ratings from %v to %v: the comparison says little", slices.Min(got), slices.Max(got))
	}
}

func defined(s State, g *Graph) []float64 {
	lin := func(name string, x []float64) []float64 {
		w, b := s[name+".weight"], s[name+".bias"]
		y := make([]float64, w.Shape[0])
		for i := range y {
			y[i] = float64(b.Floats[i])
			for j, v := range x {
				y[i] += float64(w.Floats[i*len(x)+j]) * v
			}
		}
		return y
	}
	bn := func(name string, x []float64) []float64 {
		y := make([]float64, len(x))
		for i, v := range x {
			at := func(part string) float64 { return float64(s[name+".module."+part].Floats[i]) }
			y[i] = at("weight")*(v-at("running_mean"))/math.Sqrt(at("running_var")+1e-5) + at("bias")
		}
		return y
	}
	act := func(x []float64) []float64 {
		for i, v := range x {
			x[i] = v / (1 + math.Exp(-v))
		}
		return x
	}
	plus := func(a []float64, more ...[]float64) []float64 {
		a = slices.Clone(a)
		for _, b := range more {
			for i := range a {
				a[i] += b[i]
			}
		}
		return a
	}
	h, e := make([][]float64, g.N), make([][]float64, g.N*g.K)
	for i := range h {
		h[i] = act(lin("emb_net.v_lin0", []float64{float64(g.Coords[2*i]), float64(g.Coords[2*i+1])}))
	}
	for k := range e {
		e[k] = act(lin("emb_net.e_lin0", []float64{float64(g.Lengths[k])}))
	}
	for l := range depth {
		name := func(part string) string { return fmt.Sprintf("emb_net.%s.%d", part, l) }
		h2, e2 := make([][]float64, len(h)), make([][]float64, len(e))
		for i := range h {
			mean := make([]float64, width)
			for k := i * g.K; k < (i+1)*g.K; k++ {
				j := g.Neighbours[k]
				for f, v := range lin(name("v_lins2"), h[j]) {
					mean[f] += v / (1 + math.Exp(-e[k][f])) / float64(g.K)
				}
				e2[k] = plus(e[k], act(bn(name("e_bns"), plus(lin(name("e_lins0"), e[k]), lin(name("v_lins3"), h[i]), lin(name("v_lins4"), h[j])))))
			}
			h2[i] = plus(h[i], act(bn(name("v_bns"), plus(lin(name("v_lins1"), h[i]), mean))))
		}
		h, e = h2, e2
	}
	out := make([]float64, len(e))
	for k := range e {
		x := act(lin("par_net_heu.lins.0", e[k]))
		x = lin("par_net_heu.lins.2", act(lin("par_net_heu.lins.1", x)))
		out[k] = 1 / (1 + math.Exp(-x[0]))
	}
	return out
}

// official returns the path of a published checkpoint, or skips.
func official(t *testing.T, name string) (path, digest string) {
	t.Helper()
	var dirs []string
	if dir, err := DefaultDir(); err == nil {
		dirs = append(dirs, dir)
	}
	for _, dir := range append(dirs, "../../../shared/reference/deepaco") {
		if path := filepath.Join(dir, name); fileExists(path) {
			for _, p := range Official() {
				if p.Name == name {
					return path, p.SHA256
				}
			}
		}
	}
	t.Skipf("no checkpoint %s here: scripts/fetch-deepaco fetches it", name)
	return "", ""
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func TestOfficialCheckpointsHaveTheirTensors(t *testing.T) {
	var golden struct {
		Checkpoints map[string]map[string]struct {
			Shape  []int     `json:"shape"`
			DType  string    `json:"dtype"`
			First  []float64 `json:"first"`
			Sum    float64   `json:"sum"`
			Digest string    `json:"sha256_16"`
			Value  int64     `json:"value"` // of a counter
		} `json:"checkpoints"`
	}
	read(t, "tensors.json", &golden)
	for file, tensors := range golden.Checkpoints {
		t.Run(file, func(t *testing.T) {
			s, err := Open(official(t, file))
			if err != nil {
				t.Fatal(err)
			}
			if len(s) != 258 || len(s) != len(tensors) {
				t.Errorf("%d entries, want %d", len(s), len(tensors))
			}
			for name, want := range tensors {
				got := s[name]
				if want.DType == "int64" {
					if diff := cmp.Diff(Tensor{Shape: []int{}, Longs: []int64{want.Value}}, got); diff != "" {
						t.Errorf("%s mismatch (-want +got):\n%s", name, diff)
					}
					continue
				}
				var raw []byte
				sum, first := 0.0, []float64{}
				for i, v := range got.Floats {
					raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
					sum += float64(v)
					if i < len(want.First) {
						first = append(first, float64(v))
					}
				}
				digest := sha256.Sum256(raw)
				if !slices.Equal(got.Shape, want.Shape) || hex.EncodeToString(digest[:8]) != want.Digest ||
					math.Abs(sum-want.Sum) > 1e-9*math.Abs(want.Sum)+1e-9 || got.Longs != nil {
					t.Errorf("%s: shape %v, sum %v, digest %x, want %+v", name, got.Shape, sum, digest[:8], want)
				}
				for i, v := range want.First {
					if i >= len(first) || math.Abs(first[i]-v) > 1e-8*math.Abs(v) {
						t.Errorf("%s: starts %v, want %v", name, first, want.First)
						break
					}
				}
			}
		})
	}
}

func TestOfficialNetworks(t *testing.T) {
	type trace struct {
		Cities   []float64 `json:"x_node0_first4"`
		CitySum  float64   `json:"x_sum"`
		Edges    []float64 `json:"e_edge0_first4"`
		EdgesSum float64   `json:"e_sum"`
	}
	var golden struct {
		Cases []struct {
			Name       string           `json:"name"`
			Checkpoint string           `json:"checkpoint"`
			N          int              `json:"n"`
			K          int              `json:"k_sparse"`
			Coords     []float32        `json:"coords_f32"`
			Neighbours [][]int32        `json:"neighbour_index"`
			Lengths    []float32        `json:"edge_length_f32"`
			Rating     []float64        `json:"heuristic_f64"`
			Layers     map[string]trace `json:"layers_f64"`
		} `json:"cases"`
	}
	read(t, "net.json", &golden)
	for _, c := range golden.Cases {
		t.Run(c.Name, func(t *testing.T) {
			n, err := Load(official(t, c.Checkpoint))
			if err != nil {
				t.Fatal(err)
			}
			g := NewGraph(c.Coords, c.K)
			if diff := cmp.Diff(slices.Concat(c.Neighbours...), g.Neighbours); diff != "" {
				t.Fatalf("neighbours mismatch (-want +got):\n%s", diff)
			}
			for k, want := range c.Lengths {
				// Written with nine digits, which name a float32; the reference may round its sum of squares elsewhere.
				if ulp := math.Nextafter32(want, 2) - want; max(g.Lengths[k]-want, want-g.Lengths[k]) > ulp {
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
			worst := 0.0
			for k, want := range c.Rating {
				off := math.Abs(got[k]-want) / want
				worst = max(worst, off)
				if off > 1e-8 {
					t.Errorf("edge %d: %v, want %v", k, got[k], want)
				}
			}
			t.Logf("largest relative difference %.1e", worst)
		})
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

func BenchmarkHeuristic(b *testing.B) {
	n, err := NewNet(made(1))
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []struct{ n, k int }{{50, 10}, {200, 20}, {1000, 10}, {1000, 50}} {
		b.Run(fmt.Sprintf("n=%d/k=%d", size.n, size.k), func(b *testing.B) {
			g := NewGraph(coordinates(size.n), size.k)
			for b.Loop() {
				n.Heuristic(g)
			}
		})
	}
}
