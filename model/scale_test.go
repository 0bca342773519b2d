package model

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
)

func TestForProcessors(t *testing.T) {
	site := preset(t, Lublin1999)
	before := preset(t, Lublin1999)
	big, err := site.ForProcessors(1024) // three more in log2
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, site); diff != "" {
		t.Errorf("the original changed: %s", diff)
	}
	for i, want := range [][3]float64{{1, 6, 8.5}, {1.2, 8, 10}} { // low, mid, high
		law := big.Classes[i].Lublin().Log2
		if law.Low != want[0] || math.Abs(law.Mid-want[1]) > 1e-12 || math.Abs(law.High-want[2]) > 1e-12 {
			t.Errorf("class %d: %v, want %v", i, law, want)
		}
	}
	if big.Processors != 1024 {
		t.Errorf("%d processors", big.Processors)
	}
	if err := big.Validate(); err != nil {
		t.Error(err)
	}
	same, err := site.ForProcessors(128)
	if diff := cmp.Diff(before, same); err != nil || diff != "" {
		t.Errorf("the same machine: %v %s", err, diff)
	}
}

func TestForProcessorsRefused(t *testing.T) {
	site := preset(t, Lublin1999)
	for _, tt := range []struct{ processors, least int64 }{
		// The interactive border, 3, stays 0.01 above the lower end, 1, on
		// machines from 128 times 2^-1.99 = 32.2 processors.
		{1, 33}, {32, 33}, {MaxProcessors + 1, MaxProcessors + 1},
	} {
		_, err := site.ForProcessors(tt.processors)
		var s *ScaleError
		if !errors.As(err, &s) || s.Least != tt.least {
			t.Errorf("%d processors: %v", tt.processors, err)
		}
	}
	if s, err := site.ForProcessors(33); err != nil || s.Validate() != nil {
		t.Errorf("33 processors: %v, %v", err, s.Validate())
	}
}

// On no machine is there a job larger than it, also where rounding log2 of a
// size up would make one, and the probabilities of all sizes sum to 1.
func TestNoSizeAboveTheMachine(t *testing.T) {
	for _, name := range Presets() {
		for _, p := range []int64{40, 63, 64, 65, 91, 100, 127, 181, 182, 1000} {
			s, err := preset(t, name).ForProcessors(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range s.Classes {
				if c.Malleable != nil {
					continue // has no sizes
				}
				if sum := c.Sizes.Mean(p, func(int64) float64 { return 1 }); math.Abs(sum-1) > 1e-12 {
					t.Errorf("%s, %d processors, %s: probabilities sum to %g", name, p, c.Name, sum)
				}
				for _, n := range []int64{-1, 0, p + 1, 2 * p} {
					if got := c.Sizes.Probability(n, p); got != 0 {
						t.Errorf("%s, %d processors: Pr{size %d} = %g", name, p, n, got)
					}
				}
			}
		}
	}
}

// A law of log2 sizes may reach below one processor and above the machine:
// what lies there has one processor, or all.
func TestSizesAtTheEnds(t *testing.T) {
	s := RoundedSizes{PowerOfTwoShare: 0.25, Log2: dist.TwoStageUniform{Low: -1, Mid: 1, High: 5, P: 0.5}}
	for _, p := range []int64{1, 2, 3, 11, 12, 22, 23, 32, 100} {
		if sum := s.Mean(p, func(int64) float64 { return 1 }); math.Abs(sum-1) > 1e-12 {
			t.Errorf("%d processors: probabilities sum to %g", p, sum)
		}
	}
	// 23 processors, and log2 of the size above log2 22.5: by hand.
	if got, want := s.Probability(23, 23), 0.75*0.5*(5-math.Log2(22.5))/4; math.Abs(got-want) > 1e-15 {
		t.Errorf("Pr{all 23} = %g, want %g", got, want)
	}
}
