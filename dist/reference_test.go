package dist

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// number is a float64 in JSON, or "Inf" or "-Inf".
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"Inf"`:
		*n = number(math.Inf(1))
		return nil
	case `"-Inf"`:
		*n = number(math.Inf(-1))
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// reference is testdata/reference.json: values of mpmath and SciPy, by
// reference.py.
type reference struct {
	Laws []struct {
		Law    JSON
		Mean   number
		Points []struct {
			X             float64
			LogPDF        number `json:"log_pdf"`
			CDF, Survival float64
		}
	}
	Quantiles []struct {
		Law             JSON
		P, Quantile     float64
		InverseSurvival float64 `json:"inverse_survival"`
	}
}

func readReference(t *testing.T) reference {
	return longtest.ReadJSON[reference](t, "testdata/reference.json")
}

// near reports whether got equals want up to a relative error of tol; nothing but the same
// infinity is near an infinity.
func near(got, want, tol float64) bool {
	return got == want || !math.IsInf(want, 0) && math.Abs(got-want) <= tol*math.Abs(want)
}

func TestAgainstMpmath(t *testing.T) {
	for _, r := range readReference(t).Laws {
		l := r.Law.Law
		ln, isLn := l.(Ln)
		density := LogDensity(l)
		for _, p := range r.Points {
			if want, got := float64(p.LogPDF), l.LogPDF(p.X); !near(got, want, 1e-12) && math.Abs(got-want) > 1e-12 {
				t.Errorf("%+v: LogPDF(%g) = %.17g, want %.17g", l, p.X, got, want)
			}
			if want, got := float64(p.LogPDF), density(p.X); !near(got, want, 1e-11) && math.Abs(got-want) > 2e-11 {
				t.Errorf("%+v: LogDensity(%g) = %.17g, want %.17g", l, p.X, got, want)
			}
			// bits is the change in probability, for an Ln, from the last bits of t and ln t.
			bits, absolute := 0.0, 1e-299
			if isLn && p.X > 0 {
				bits = 4 * 0x1p-52 * max(1, math.Abs(math.Log(p.X))) * p.X * math.Exp(float64(p.LogPDF))
				if ln.MaxLn != 0 {
					absolute = 1e-15 // a difference, as documented
				}
			}
			if got := l.CDF(p.X); !near(got, p.CDF, 1e-12) && math.Abs(got-p.CDF) > max(bits, 1e-299) {
				t.Errorf("%+v: CDF(%g) = %.17g, want %.17g", l, p.X, got, p.CDF)
			}
			if got := l.Survival(p.X); !near(got, p.Survival, 1e-12) && math.Abs(got-p.Survival) > max(bits, absolute) {
				t.Errorf("%+v: Survival(%g) = %.17g, want %.17g", l, p.X, got, p.Survival)
			}
		}
		if got, want := Mean(l), float64(r.Mean); !near(got, want, 1e-12) {
			t.Errorf("%+v: Mean = %.17g, want %.17g", l, got, want)
		}
	}
}

func TestQuantilesAgainstSciPy(t *testing.T) {
	for _, q := range readReference(t).Quantiles {
		l := q.Law.Law
		if got := l.Quantile(q.P); !near(got, q.Quantile, 1e-10) {
			t.Errorf("%+v: Quantile(%g) = %.17g, want %.17g", l, q.P, got, q.Quantile)
		}
		if got := InverseSurvival(l, q.P); !near(got, q.InverseSurvival, 1e-10) {
			t.Errorf("%+v: InverseSurvival(%g) = %.17g, want %.17g", l, q.P, got, q.InverseSurvival)
		}
	}
}
