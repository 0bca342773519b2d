package model

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// reference is testdata/lublin1999.json, which testdata/lublin1999.py made
// with SciPy 1.10 by enumerating the discrete laws.
type reference struct {
	Classes map[string]struct {
		At []struct {
			Processors int64
			SizeMean   float64   `json:"size_mean"`
			RunMean    float64   `json:"run_mean_s"`
			AreaMean   float64   `json:"area_mean"`
			SizeLaw    []float64 `json:"size_law"`
		}
		Weights      []float64
		Interarrival float64 `json:"interarrival_mean_s"`
	}
}

func readReference(t *testing.T) reference {
	return longtest.ReadJSON[reference](t, "testdata/lublin1999.json")
}

func preset(t *testing.T, name string) Site {
	t.Helper()
	s, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Abs(want)
}

func TestPresetsAgainstEnumeration(t *testing.T) {
	ref := readReference(t)
	for name, class := range map[string]string{Lublin1999Batch: "batch", "lublin1999-interactive": "interactive", Lublin1999Untyped: "untyped"} {
		t.Run(class, func(t *testing.T) {
			r := ref.Classes[class]
			site := preset(t, name)
			for _, at := range r.At {
				scaled := site.ForProcessors(at.Processors)
				c := scaled.Classes[0]
				for n, want := range at.SizeLaw {
					if got := probability(c.Sizes, int64(n), at.Processors); math.Abs(got-want) > 1e-12 {
						t.Errorf("%d processors: Pr{size %d} = %g, want %g", at.Processors, n, got, want)
					}
				}
				m := c.Means(at.Processors)
				if !near(m.Size, at.SizeMean, 1e-9) {
					t.Errorf("%d processors: mean size %g, want %g", at.Processors, m.Size, at.SizeMean)
				}
				// The reference's run times are rounded down to whole seconds.
				if lost := m.RunTime - at.RunMean; lost < 0.45 || lost > 0.55 {
					t.Errorf("%d processors: mean run time %g, want half a second above %g", at.Processors, m.RunTime, at.RunMean)
				}
				if lost := m.Area - at.AreaMean; lost < 0.45*at.SizeMean || lost > 0.55*at.SizeMean {
					t.Errorf("%d processors: mean area %g, want half a second of %g processors above %g", at.Processors, m.Area, at.SizeMean, at.AreaMean)
				}
				if !near(c.Arrivals.Gap(), r.Interarrival, 1e-9) {
					t.Errorf("mean interarrival time %g, want %g", c.Arrivals.Gap(), r.Interarrival)
				}
			}
			weights, ok := site.Classes[0].Arrivals.Weights()
			if !ok {
				t.Fatal("no weights")
			}
			for i, want := range r.Weights {
				if !near(weights[i], want, 1e-9) {
					t.Errorf("half hour %d: weight %g, want %g", i, weights[i], want)
				}
			}
		})
	}
}

func TestOfferedLoad(t *testing.T) {
	ref := readReference(t)
	want := 0.0
	for _, class := range []string{"interactive", "batch"} {
		r := ref.Classes[class]
		want += (r.At[0].AreaMean + 0.5*r.At[0].SizeMean) / r.Interarrival / 128
	}
	if got := preset(t, Lublin1999).OfferedLoad(); !near(got, want, 1e-4) {
		t.Errorf("offered load %g, want %g", got, want)
	}
}

func TestP(t *testing.T) {
	r := Line{PIntercept: 0.9, PSlope: -0.01}
	for size, want := range map[int64]float64{1: 0.89, 40: 0.5, 90: 0, 1000: 0} {
		if got := r.P(size); math.Abs(got-want) > 1e-15 {
			t.Errorf("p(%d) = %g, want %g", size, got, want)
		}
	}
	if got := (Line{PIntercept: 0.9, PSlope: 0.2}).P(1); got != 1 {
		t.Errorf("p = %g, want 1", got)
	}
}

func TestCycleWeights(t *testing.T) {
	// 5:00 is number 11, midnight 49, 4:30 is 58; 23:30 is 48.
	for half, want := range map[int]int{10: 11, 47: 48, 0: 49, 9: 58} {
		if got := SlotNumber(half); got != want {
			t.Errorf("half hour %d has number %d, want %d", half, got, want)
		}
	}
	// The weights of an exponential law fall by a constant factor per slot from 5:00 to 4:30.
	weights, ok := CycleWeights(dist.Gamma{Shape: 1, Scale: 10})
	if !ok {
		t.Fatal("no weights")
	}
	sum := 0.0
	for i := range weights {
		sum += weights[i]
		if next := (i + 1) % Slots; next != 10 && !near(weights[next]/weights[i], math.Exp(-0.1), 1e-12) {
			t.Errorf("weights of half hours %d and %d: ratio %g", i, next, weights[next]/weights[i])
		}
	}
	if !near(sum, Slots, 1e-12) {
		t.Errorf("sum %g, want %d", sum, Slots)
	}
	for name, cycle := range map[string]dist.Gamma{"before": {Shape: 1e6, Scale: 1e-6}, "after": {Shape: 1e6, Scale: 1e-3}} {
		if _, ok := CycleWeights(cycle); ok {
			t.Errorf("%s all slots: weights of nothing", name)
		}
	}
	flat, ok := Arrivals{Method: Stationary}.Weights()
	if !ok || flat[0] != 1 || flat[47] != 1 {
		t.Errorf("stationary: %v", flat)
	}
}
