package model

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

func TestEdit(t *testing.T) {
	text := PresetFile(Lublin1999)
	for _, c := range longtest.Rows(`
classes[1].run_times.p_slope | -0.25 |
name | a name |
name | 1] |
users.count | 4 |
classes[2].name | x | classes[2]: not found, want one of the 2 elements of a list
classes[0].run_times.none[0].x | 1 | classes[0].run_times.none[0]: not found
name.first | x | name.first: cannot be set
classes[x].name | x | no path of a field
classes[0]name | x | no path of a field
 | x | no path of a field
a..b | x | no path of a field
`) {
		path, value, want := c[0], c[1], c[2]
		file, err := Edit(text, path, value)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := Decode("x", file)
		if err != nil {
			t.Fatal(err)
		}
		if path == "name" && s.Name != value || strings.HasSuffix(path, "slope") && s.Classes[1].RunTimes.(*GammaRunTimes).PSlope != -0.25 ||
			path == "users.count" && *s.Users != (Users{4}) {
			t.Errorf("%s is not set", path)
		}
	}
	if _, err := Edit(text, "\x87", "x"); err == nil || !strings.Contains(err.Error(), "no path of a field") {
		t.Errorf("no UTF-8: %v", err)
	}
}

// No path or value makes Edit panic, its result is JSON, and setting the same field again changes
// nothing.
func FuzzEdit(f *testing.F) {
	f.Add(PresetFile(Lublin1999), "classes[1].run_times.p_slope", "-0.25")
	f.Add(PresetFile(Lublin1999), "check", `{"about": "x", "jobs": 5}`)
	f.Add([]byte(`{"a":[[1,2],{"b":null}]}`), "a[0][1]", "1e999")
	f.Add([]byte(`[1]`), "a..b[", "\xff")
	f.Fuzz(func(t *testing.T, file []byte, path, value string) {
		once, err := Edit(file, path, value)
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("no JSON: %q", once)
		}
		again, err := Edit(once, path, value)
		if err != nil || !bytes.Equal(once, again) {
			t.Errorf("set again: %q, %v, want %q", again, err, once)
		}
	})
}

// The tables of the paper, cell by cell, with its rounding; a cell that does not follow from its
// rows is replaced by their geometric mean.
func TestLublin2003IsThePaper(t *testing.T) {
	c := preset(t, Lublin2003).Classes[0]
	sizes, times := c.Sizes.(*TwoStageSizes), c.RunTimes.(*GammaRunTimes)
	geometric := func(x ...float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += math.Log(v)
		}
		return math.Exp(sum / float64(len(x)))
	}
	for _, tt := range []struct {
		what            string
		got, want, half float64
	}{
		{"table 1: serial", sizes.SerialShare, 0.24, 0},
		{"table 1: powers of two", sizes.PowerOfTwoShare, 0.75, 0},
		{"table 1: low", sizes.Log2.Low, 0.8, 0},
		{"table 1: mid, below log2 of 128", 7 - sizes.Log2.Mid, 2.5, 0},
		{"table 1: p", sizes.Log2.P, 0.86, 0},
		{"table 2: shape 1", times.Law.First.Shape, 4.20, 0},
		{"table 2: scale 1", times.Law.First.Scale, geometric(1.50, 0.96, 0.82, 0.66), 0.005},
		{"table 2: shape 2", times.Law.Second.Shape, 312, 0},
		{"table 2: scale 2", times.Law.Second.Scale, geometric(0.007, 0.018, 0.05, 0.13), 0.005},
		{"table 2: p", times.Law.P, geometric(0.94, 0.70, 0.61, 0.55), 0.0005},
		{"table 5: a", times.PSlope, -0.0054, 0},
		{"table 5: b", times.PIntercept, 0.780, 0},
		{"table 6: shape", c.Arrivals.Peak.Shape, 10.23, 0},
		{"table 6: scale", c.Arrivals.Peak.Scale, 0.49, 0},
		{"table 7: shape", c.Arrivals.Cycle.Shape, 8.17, 0},
		{"table 7: scale", c.Arrivals.Cycle.Scale, 3.96, 0},
	} {
		if math.Abs(tt.got-tt.want) > tt.half+1e-15 {
			t.Errorf("%s: %g, want %g", tt.what, tt.got, tt.want)
		}
	}
}
