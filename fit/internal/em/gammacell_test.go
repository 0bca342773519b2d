package em

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// cellReference is a row of testdata/interval.json.
type cellReference struct {
	Shape  float64  `json:"shape"`
	Scale  float64  `json:"scale"`
	Lo     float64  `json:"lo"`
	Hi     *float64 `json:"hi"` // nil is +Inf
	LnMass float64  `json:"ln_mass"`
	X      float64  `json:"x"`
	LnX    float64  `json:"ln_x"`
}

func readCells(t testing.TB) []cellReference {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "interval.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Cells []cellReference `json:"cells"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r.Cells
}

// TestCellsAgreeWithMpmath: in both tails, narrow and endless. What the last
// bit of the cell's ends is worth comes on top of 1e-12: a relative change of
// the mass by that of an end times the end times the density over the mass.
func TestCellsAgreeWithMpmath(t *testing.T) {
	taylor := 0
	for _, c := range readCells(t) {
		g := dist.Gamma{Shape: c.Shape, Scale: c.Scale}
		hi := math.Inf(1)
		if c.Hi != nil {
			hi = *c.Hi
		}
		m := GammaCell(g, c.Lo, hi)
		ends := 0.0
		for _, v := range []float64{c.Lo, hi} {
			if v > 0 && !math.IsInf(v, 1) {
				ends += math.Exp(g.LogPDF(v)-c.LnMass) * v * 0x1p-52
			}
		}
		tolerance := 1e-12 + ends
		fittest.Near(t, "ln mass", m.LnMass, c.LnMass, tolerance+1e-15*math.Abs(c.LnMass))
		fittest.Relative(t, "x", m.A, c.X, 1e-12)
		fittest.Near(t, "ln x", m.B, c.LnX, 1e-12*max(1, math.Abs(c.LnX)))
		d := dist.NewGammaDensity(g)
		if !(c.Lo > 0) || math.IsInf(hi, 1) {
			continue
		}
		middle, half := (math.Log(c.Lo)+math.Log(hi))/2, math.Log1p((hi-c.Lo)/c.Lo)/2
		x := math.Exp(middle)
		m, ok := narrowGamma(g, &d, x, middle, half*half, middle+math.Log(2*half))
		if !ok {
			continue
		}
		taylor++
		// A GammaDensity's own error grows with the shape.
		fittest.Near(t, "ln mass of a narrow cell", m.LnMass, c.LnMass, tolerance+2e-15*c.Shape*max(1, math.Abs(math.Log(c.Scale))))
		fittest.Relative(t, "x of a narrow cell", m.A, c.X, 1e-12)
		fittest.Near(t, "ln x of a narrow cell", m.B, c.LnX, 1e-12*max(1, math.Abs(c.LnX)))
	}
	if taylor < 10 {
		t.Errorf("%d narrow cells are checked, want 10 at least", taylor)
	}
}

// TestCellsWithoutMass: whatever the ends, no NaN.
func TestCellsWithoutMass(t *testing.T) {
	inf := math.Inf(1)
	for _, shape := range []float64{5e-324, 1e-8, 0.01, 1, 30, 1e5, 1e300} {
		for _, scale := range []float64{5e-324, 1e-8, 1, 1e8, 1e300} {
			for _, c := range [][2]float64{{0, 5e-324}, {0, 1}, {0, inf}, {1, 2}, {1e300, inf}, {1e-300, 1e-299}, {math.MaxFloat64, inf}} {
				m := GammaCell(dist.Gamma{Shape: shape, Scale: scale}, c[0], c[1])
				if math.IsNaN(m.LnMass) || math.IsNaN(m.A) || math.IsNaN(m.B) || m.LnMass > 1e-6 {
					t.Errorf("shape %g, scale %g, cell %g: %+v", shape, scale, c, m)
				}
			}
		}
	}
}
