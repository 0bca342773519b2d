package model

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// What the law would round below the smallest or above the largest size has
// that size, or the power of two nearest to it.
func TestSizesInRange(t *testing.T) {
	s := RoundedSizes{SerialShare: 0.2, PowerOfTwoShare: 0.25, Log2: dist.TwoStageUniform{Low: 1, Mid: 3, High: 6, P: 0.6}, Smallest: 3, Largest: 20}
	// By hand. Powers of two from 3 to 20 are 4, 8 and 16: below log2 2.5, to
	// 3.5 and above. Others are 3 below log2 3.5 and 20 above log2 19.5.
	for n, want := range map[int64]float64{
		0: 0, 2: 0, 21: 0, 32: 0, 64: 0,
		1:  0.2,
		3:  0.8 * 0.75 * 0.6 * (math.Log2(3.5) - 1) / 2,
		4:  0.8 * (0.25*0.6*1.5/2 + 0.75*0.6*(math.Log2(4.5)-math.Log2(3.5))/2),
		16: 0.8 * (0.25*0.4*(6-3.5)/3 + 0.75*0.4*(math.Log2(16.5)-math.Log2(15.5))/3),
		20: 0.8 * 0.75 * 0.4 * (6 - math.Log2(19.5)) / 3,
	} {
		if got := s.Probability(n, 64); math.Abs(got-want) > 1e-15 {
			t.Errorf("Pr{size %d} = %g, want %g", n, got, want)
		}
	}
	for _, c := range []struct {
		sizes      Sizes
		processors int64
	}{
		{s, 64}, {s, 20}, {RoundedSizes{PowerOfTwoShare: 0.5, Log2: s.Log2}, 40}, {RoundedSizes{PowerOfTwoShare: 1, Log2: s.Log2, Smallest: 32, Largest: 32}, 40},
		{RoundedSizes{Log2: s.Log2, Smallest: 5, Largest: 6}, 40}, {RoundedSizes{Log2: dist.Gamma{Shape: 4, Scale: 1}, Smallest: 8}, 100},
		{SizeTable{{2, 0.5}, {8, 0.5}}, 10},
		// Sizes taken together, on both sides of the smallest.
		{RoundedSizes{PowerOfTwoShare: 0.3, Log2: dist.TwoStageUniform{Low: 15, Mid: 17, High: 19, P: 0.5}, Smallest: 100_001, Largest: 300_007}, 400_000},
	} {
		sum, mean := 0.0, 0.0
		for n := int64(0); n <= c.processors; n++ {
			p := c.sizes.Probability(n, c.processors)
			sum, mean = sum+p, mean+p*float64(n)
			if got := c.sizes.AtMost(n, c.processors); math.Abs(got-sum) > 1e-11 {
				t.Fatalf("%+v: Pr{size <= %d} = %g, want %g", c.sizes, n, got, sum)
			}
		}
		if got := c.sizes.Mean(c.processors, func(n int64) float64 { return float64(n) }); math.Abs(sum-1) > 1e-11 || math.Abs(got/mean-1) > 1e-8 {
			t.Errorf("%+v: probabilities sum to %g; mean %g, want %g", c.sizes, sum, got, mean)
		}
	}
}

// A larger or a smaller machine has its own largest size.
func TestSizesInRangeScaled(t *testing.T) {
	s, err := Preset(Lublin1999Untyped)
	if err != nil {
		t.Fatal(err)
	}
	sizes := s.Classes[0].Lublin().Sizes
	sizes.Smallest, sizes.Largest = 2, 64
	s.Classes[0].Sizes = sizes
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for processors, largest := range map[int64]int64{s.Processors: 64, 2 * s.Processors: 0, s.Processors / 2: 0} {
		scaled, err := s.ForProcessors(processors)
		if err != nil {
			t.Fatal(err)
		}
		if got := scaled.Classes[0].Lublin().Sizes; got.Smallest != 2 || got.Largest != largest {
			t.Errorf("on %d processors: sizes from %d to %d, want 2 to %d", processors, got.Smallest, got.Largest, largest)
		}
	}
}

func TestSizesInRangeRefused(t *testing.T) {
	base := RoundedSizes{PowerOfTwoShare: 0.5, Log2: dist.TwoStageUniform{Low: 1, Mid: 3, High: 6, P: 0.6}}
	for want, change := range map[string]func(*RoundedSizes){
		"":                     func(s *RoundedSizes) { s.Smallest, s.Largest = 4, 64 },
		"x.smallest":           func(s *RoundedSizes) { s.Smallest = 65 },
		"x.largest":            func(s *RoundedSizes) { s.Smallest, s.Largest = 8, 7 },
		"x.power_of_two_share": func(s *RoundedSizes) { s.Smallest, s.Largest = 5, 7 },
	} {
		s := base
		change(&s)
		err := new(form).run(check, nil, func(f *form) { f.inner("x", nil, func(f *form) { s.visit(f, 64) }) })
		fault, _ := err.(*FieldError)
		if (err == nil) != (want == "") || fault != nil && fault.Path != want {
			t.Errorf("%+v: error %v, want one about %q", s, err, want)
		}
	}
}
