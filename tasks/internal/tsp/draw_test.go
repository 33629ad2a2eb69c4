package tsp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
)

// golden is testdata/mt19937.json: the values of NumPy's RandomState.
type golden struct {
	Streams map[string]struct {
		Words     []uint32 `json:"u32_0_9"`
		Words620  []uint32 `json:"u32_620_627"` // across the first refill of the state
		Words1246 []uint32 `json:"u32_1246_1249"`
		Doubles   []string `json:"f64_hex_0_7"`
		At311     []string `json:"f64_311_312"`
		At999999  string   `json:"f64_999999"`
	} `json:"streams"`
	Sets map[string]struct {
		Seed   uint32 `json:"seed"`
		Shape  []int  `json:"shape"`
		Digest string `json:"sha256_f64_little_endian"`
		Sum    string `json:"sum"`
		D01    string `json:"d_0_1_of_instance0"`
		Matrix string `json:"distance_matrix0_sha256"`
	} `json:"sets"`
}

func load(t *testing.T) (g golden) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Read(t, "testdata/mt19937.json"), &g))
	return g
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	must.Do(t, err)
	return v
}

func TestLegacyGivesNumPysWordsAndDoubles(t *testing.T) {
	for name, want := range load(t).Streams {
		seed, err := strconv.ParseUint(name, 10, 32)
		must.Do(t, err)
		from := numpy.NewLegacy(uint32(seed))
		for i := range 1250 {
			got := from.Uint32()
			for _, part := range []struct {
				from int
				want []uint32
			}{{0, want.Words}, {620, want.Words620}, {1246, want.Words1246}} {
				if at := i - part.from; at >= 0 && at < len(part.want) && got != part.want[at] {
					t.Errorf("seed %s: word %d is %d, want %d", name, i, got, part.want[at])
				}
			}
		}
		at := map[int]float64{
			311: number(t, want.At311[0]), 312: number(t, want.At311[1]),
			999999: number(t, want.At999999),
		}
		for i, text := range want.Doubles {
			bits, err := strconv.ParseUint(text, 16, 64)
			must.Do(t, err)
			at[i] = math.Float64frombits(bits)
		}
		doubles := numpy.NewLegacy(uint32(seed))
		for i := range 1000000 {
			got := doubles.Float64()
			if w, ok := at[i]; ok && got != w {
				t.Errorf("seed %s: double %d is %v, want %v", name, i, got, w)
			}
		}
	}
}

func TestSetsAreNumPys(t *testing.T) {
	for name, want := range load(t).Sets {
		set := Draw(want.Seed, want.Shape[0], want.Shape[1])
		all := sha256.New()
		for _, in := range set {
			all.Write(numpy.Bytes(in.Coordinates()))
		}
		if got := hex.EncodeToString(all.Sum(nil)); got != want.Digest {
			t.Errorf("%s: digest %s, want %s", name, got, want.Digest)
		}
		if got := fmt.Sprint(set[0].Distance(0, 1)); number(t, got) != number(t, want.D01) {
			t.Errorf("%s: distance of cities 0 and 1 is %s, want %s", name, got, want.D01)
		}
		sum := sha256.Sum256(numpy.Bytes(set[0].Matrix(0)))
		if got := hex.EncodeToString(sum[:]); got != want.Matrix {
			t.Errorf("%s: distance matrix of instance 0 has digest %s, want %s",
				name, got, want.Matrix)
		}
	}
}

func TestDataKnowsItsSplits(t *testing.T) {
	d := Data("tsp", Split{Name: "train", Count: 1}, 5678, 4321)
	set, err := d.Set("test50")
	if err != nil || len(set) != 64 || len(set[0]) != 50 {
		t.Fatalf("test50: %d instances, %v", len(set), err)
	}
	if again, _ := d.Set("test50"); &again[0] != &set[0] {
		t.Error("test50 was drawn twice")
	}
	if _, err := d.Set("test51"); err == nil || d.Digest("test51") != "" {
		t.Error("there is a split test51")
	}
	want := load(t).Sets["test_seed5678_64x50"].Digest
	if got := d.Digest("test50"); got != want {
		t.Errorf("digest of test50 is %s, want %s", got, want)
	}
}
