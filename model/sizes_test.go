package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// probability returns the probability of a size.
func probability(s Sizes, n, processors int64) float64 {
	for size, share := range s.Shares(processors) {
		if size == n {
			return share
		}
	}
	return 0
}

// Values that the law would round below the smallest or above the largest size get that size, or
// the nearest power of two.
func TestSizesInRange(t *testing.T) {
	s := &TwoStageSizes{SerialShare: 0.2, PowerOfTwoShare: 0.25, Log2: dist.TwoStageUniform{Low: 1, Mid: 3, High: 6, P: 0.6}, Smallest: 3, Largest: 20}
	// By hand: powers of two from 3 to 20 are 4 (log2 below 2.5), 8 (below 3.5) and 16 (above).
	// Others are 3 below log2 3.5 and 20 above log2 19.5.
	for n, want := range map[int64]float64{
		0: 0, 2: 0, 21: 0, 32: 0, 64: 0,
		1:  0.2,
		3:  0.8 * 0.75 * 0.6 * (math.Log2(3.5) - 1) / 2,
		4:  0.8 * (0.25*0.6*1.5/2 + 0.75*0.6*(math.Log2(4.5)-math.Log2(3.5))/2),
		16: 0.8 * (0.25*0.4*(6-3.5)/3 + 0.75*0.4*(math.Log2(16.5)-math.Log2(15.5))/3),
		20: 0.8 * 0.75 * 0.4 * (6 - math.Log2(19.5)) / 3,
	} {
		if got := probability(s, n, 64); math.Abs(got-want) > 1e-15 {
			t.Errorf("Pr{size %d} = %g, want %g", n, got, want)
		}
	}
	// A law may reach below one processor and above the machine: values there get one processor,
	// or all. For 23 processors, these have log2 of the size above log2 22.5.
	wide := &TwoStageSizes{PowerOfTwoShare: 0.25, Log2: dist.TwoStageUniform{Low: -1, Mid: 1, High: 5, P: 0.5}}
	if got, want := probability(wide, 23, 23), 0.75*0.5*(5-math.Log2(22.5))/4; math.Abs(got-want) > 1e-15 {
		t.Errorf("Pr{all 23} = %g, want %g", got, want)
	}
	for _, c := range []struct {
		sizes      *TwoStageSizes
		processors int64
	}{
		{s, 64}, {s, 20}, {&TwoStageSizes{PowerOfTwoShare: 0.5, Log2: s.Log2}, 40}, {&TwoStageSizes{PowerOfTwoShare: 1, Log2: s.Log2, Smallest: 32, Largest: 32}, 40},
		{&TwoStageSizes{Log2: s.Log2, Smallest: 5, Largest: 6}, 40},
		{wide, 1}, {wide, 2}, {wide, 3}, {wide, 11}, {wide, 12}, {wide, 22}, {wide, 23}, {wide, 32}, {wide, 100},
		{&TwoStageSizes{PowerOfTwoShare: 0.3, Log2: dist.TwoStageUniform{Low: 15, Mid: 17, High: 19, P: 0.5}, Smallest: 100_001, Largest: 300_007}, 400_000},
	} {
		checkSizes(t, c.sizes, c.processors)
	}
}

// A machine that is too small is refused.
func TestSmallestMachine(t *testing.T) {
	site := preset(t, Lublin1999)
	first, second := &site.Classes[0], &site.Classes[1]
	first.Sizes = &SizeTable{[]SizeShare{{1, 0.5}, {32, 0.5}}}
	second.Sizes = &SizeTable{[]SizeShare{{1, 0.5}, {64, 0.5}}}
	second.Name = "wide"
	check := func(processors int64, want string) {
		t.Helper()
		err := site.ForProcessors(processors).Validate()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d processors: %v, want %q", processors, err, want)
		}
	}
	check(16, "classes[0].sizes.shares[1].size: 32, want a whole number above the row before it, at most the 16 processors of the machine")
	check(32, "classes[1].sizes.shares[1].size: 64, want")
	check(64, "")
	// There is no power of two from 33 to 40.
	powers := &TwoStageSizes{PowerOfTwoShare: 0.5, Log2: dist.TwoStageUniform{Low: 0, Mid: 5, High: 7, P: 0.5}, Smallest: 33}
	first.Sizes, second.Sizes = powers, &SizeTable{[]SizeShare{{1, 1}}}
	check(40, "classes[0].sizes.power_of_two_share: 0.5, want 0: no power of two is from 33 to 40")
	check(64, "")
	powers.PowerOfTwoShare = 0
	check(40, "")
}

// oneNumber is a random source that returns one number.
type oneNumber uint64

func (n oneNumber) Uint64() uint64 { return uint64(n) }

// Shares can sum to a little less than 1: a number above their sum draws the last size.
func TestLargestNumberDrawsTheLastSize(t *testing.T) {
	table := &SizeTable{[]SizeShare{{1, 0.5}, {2, 0.5 - 5e-10}}}
	jobtest.NoError(t, table.check(2))
	if got := table.Drawer(2)(rand.New(oneNumber(math.MaxUint64))); got != 2 {
		t.Errorf("size %d", got)
	}
}

// The upper end and the border of sizes change with the machine.
func TestForProcessors(t *testing.T) {
	site, before := preset(t, Lublin1999), preset(t, Lublin1999)
	small := site.Classes[0].Sizes.(*TwoStageSizes)
	small.Smallest, small.Largest = 2, 64
	big := site.ForProcessors(1024) // three more in log2
	if err := big.Validate(); err != nil || big.Processors != 1024 {
		t.Fatal(err)
	}
	if s := big.Classes[0].Sizes.(*TwoStageSizes); s.Smallest != 2 || s.Largest != 0 || small.Largest != 64 {
		t.Errorf("sizes from %d to %d", s.Smallest, s.Largest)
	}
	for i, want := range [][3]float64{{1, 6, 8.5}, {1.2, 8, 10}} { // low, mid, high
		law := big.Classes[i].Sizes.(*TwoStageSizes).Log2
		if law.Low != want[0] || math.Abs(law.Mid-want[1]) > 1e-12 || math.Abs(law.High-want[2]) > 1e-12 {
			t.Errorf("class %d: %v, want %v", i, law, want)
		}
	}
	if !cmp.Equal(before, before.ForProcessors(128)) {
		t.Error("the same machine")
	}
	table := examples(t)["shares"]
	for _, c := range []struct {
		site       Site
		processors int64
		want       string
	}{
		// The interactive border, 3, is above the lower end, 1, on machines
		// of more than 128 times 2^-2 = 32 processors.
		{before, 1, "classes[0].sizes.log2.parameters.mid: -4, want"},
		{before, 32, "classes[0].sizes.log2.parameters.mid: 1, want"},
		{table, 100, "classes[0].sizes.shares[2].size: 128, want"},
		{before, 33, ""}, {table, 200, ""},
	} {
		err := c.site.ForProcessors(c.processors).Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d processors: %v, want %q", c.processors, err, c.want)
		}
	}
	if s := examples(t)["optional parts"].ForProcessors(512); s.Classes[0].Arrivals.Week == nil {
		t.Errorf("%+v", s.Classes)
	}
	if s := examples(t)["malleable"].ForProcessors(16); s.Validate() != nil || s.Classes[0].Malleable.Size(99.5, 16) != 16 {
		t.Errorf("malleable jobs on 16 processors: %v", s.Validate())
	}
}

// No job is larger than the machine, even if rounding log2 of a size up would give one: jobs are
// drawn with their stated probabilities.
func TestNoSizeAboveTheMachine(t *testing.T) {
	for _, name := range Presets() {
		for _, p := range []int64{40, 63, 64, 65, 91, 100, 127, 181, 182, 1000} {
			s := preset(t, name).ForProcessors(p)
			jobtest.NoError(t, s.Validate())
			for _, c := range s.Classes {
				if c.Malleable != nil {
					continue // has no sizes
				}
				checkSizes(t, c.Sizes, p)
			}
		}
	}
}
