package deepaco

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A pickler writes the instructions of a pickle.
type pickler struct{ bytes.Buffer }

func (p *pickler) op(b ...byte) { p.Write(b) }
func (p *pickler) text(s string) {
	p.op('X')
	p.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s))))
	p.WriteString(s)
}
func (p *pickler) global(n name) {
	at := bytes.LastIndexByte([]byte(n), '.')
	fmt.Fprintf(p, "c%s\n%s\n", n[:at], n[at+1:])
}
func (p *pickler) number(n int) {
	p.op('M', byte(n), byte(n>>8))
}
func (p *pickler) numbers(n []int) {
	p.op('(')
	for _, v := range n {
		p.number(v)
	}
	p.op('t')
}
func (p *pickler) emptyOrderedDict() {
	p.global(orderedDict)
	p.op(')', 'R')
}

func (p *pickler) tensor(t Tensor, key string) {
	stride, size := make([]int, len(t.Shape)), 1
	for i := len(t.Shape) - 1; i >= 0; i-- {
		stride[i] = size
		size *= t.Shape[i]
	}
	kind := floatStorage
	if t.Longs != nil {
		kind = longStorage
	}
	p.global(rebuildTensor)
	p.op('(', '(')
	p.text("storage")
	p.global(kind)
	p.text(key)
	p.text("cpu")
	p.number(size)
	p.op('t', 'Q', 'K', 0)
	p.numbers(t.Shape)
	p.numbers(stride)
	p.op(0x89)
	p.emptyOrderedDict()
	p.op('t', 'R')
}

// write makes a checkpoint as torch.save does.
func write(tb testing.TB, s State) []byte {
	tb.Helper()
	var p pickler
	p.op(0x80, 2)
	p.emptyOrderedDict()
	p.op('q', 0, '(')
	keys := slices.Sorted(maps.Keys(s))
	for i, key := range keys {
		p.text(key)
		p.tensor(s[key], fmt.Sprint(i))
	}
	p.op('u', '}')
	p.text("_metadata")
	p.emptyOrderedDict()
	p.op('s', 'b', '.')
	members := map[string][]byte{"archive/data.pkl": p.Bytes(), "archive/version": []byte("3\n")}
	for i, key := range keys {
		var raw []byte
		for _, v := range s[key].Floats {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
		for _, v := range s[key].Longs {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
		}
		members[fmt.Sprintf("archive/data/%d", i)] = raw
	}
	return pack(tb, members)
}

// pack makes a zip archive whose members are stored as they are.
func pack(tb testing.TB, members map[string][]byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write(members[name]); err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// made is a checkpoint of the right shapes with random weights.
func made(seed uint64) State {
	rnd := rand.New(rand.NewPCG(seed, 1))
	s := State{}
	add := func(name string, low, high float64, shape ...int) {
		size := 1
		for _, n := range shape {
			size *= n
		}
		t := Tensor{Shape: shape}
		if shape == nil {
			t.Shape = []int{}
		}
		for range size {
			t.Floats = append(t.Floats, float32(low+(high-low)*rnd.Float64()))
		}
		s[name] = t
	}
	scaled := func(name string, scale float64, out, in int) {
		add(name+".weight", -scale, scale, out, in)
		add(name+".bias", -scale/2, scale/2, out)
	}
	linear := func(name string, out, in int) { scaled(name, 0.2, out, in) }
	linear("emb_net.v_lin0", width, 2)
	linear("emb_net.e_lin0", width, 1)
	for l := range depth {
		for _, part := range []string{"v_lins1", "v_lins2", "v_lins3", "v_lins4", "e_lins0"} {
			linear(fmt.Sprintf("emb_net.%s.%d", part, l), width, width)
		}
		for _, part := range []string{"v_bns", "e_bns"} {
			at := fmt.Sprintf("emb_net.%s.%d.module", part, l)
			add(at+".weight", 0.5, 1.5, width)
			add(at+".bias", -0.2, 0.2, width)
			add(at+".running_mean", -1, 1, width)
			add(at+".running_var", 0.1, 2, width)
			s[at+".num_batches_tracked"] = Tensor{Shape: []int{}, Longs: []int64{640}}
		}
	}
	for _, head := range []string{"par_net_phe", "par_net_heu"} {
		add(head+"._dummy", 0, 0, 0)
		scaled(head+".lins.0", 0.05, width, width) // what the trunk adds up must not saturate the head
		linear(head+".lins.1", width, width)
		linear(head+".lins.2", 1, width)
	}
	return s
}
