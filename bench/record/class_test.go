package record

import "testing"

// TestClass: processors with AVX-512 are one class with those without, but for packages that use
// it.
func TestClass(t *testing.T) {
	control := map[string]string{"box2d": "2.3.10", "gymnasium": "1.2.3"}
	for _, c := range []struct {
		machine  string
		packages map[string]string
		want     string
	}{
		{"amd64 v4, glibc 2.36", control, "amd64 v3, glibc 2.36"},
		{"amd64 v4, glibc 2.36", nil, "amd64 v3, glibc 2.36"},
		{"amd64 v3, glibc 2.36", control, "amd64 v3, glibc 2.36"},
		{"amd64 v2, glibc 2.36", control, "amd64 v2, glibc 2.36"},
		{"amd64 v4, another C library than glibc", nil, "amd64 v4, another C library than glibc"},
		{"amd64 v4, glibc 2.36, GenuineIntel", map[string]string{"torch": "2.9"},
			"amd64 v4, glibc 2.36, GenuineIntel"},
		{"", nil, ""},
	} {
		h := Header{Machine: c.machine, Packages: c.packages, Lock: "paper"}
		if got := h.Class(); got != c.want {
			t.Errorf("class of %q with %v: %q, want %q", c.machine, c.packages, got, c.want)
		}
		want := "paper"
		if c.want != "" {
			want += ", " + c.want
		}
		if got := h.World(); got != want {
			t.Errorf("world of %q with %v: %q, want %q", c.machine, c.packages, got, want)
		}
	}
}
