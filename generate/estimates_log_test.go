package generate

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// By hand: cells of a twentieth and its halves, upper ends included.
func TestEstimateCounter(t *testing.T) {
	runs := []float64{0, 5, 6, 100, 101, 30, math.NaN(), 7, 7, 7, math.Inf(1), 95}
	asked := []float64{100, 100, 100, 100, 100, 60, 60, math.NaN(), 0, -1, 60, 100}
	want := LogEstimates{
		Schema: LogEstimatesSchema, LeftOut: 5, Overrun: 1,
		Bins: []LogEstimate{
			{Time: 60, Jobs: 1, Accuracy: [AccuracyCells]int64{19: 1}},
			{Time: 100, Jobs: 6, Accuracy: [AccuracyCells]int64{0: 1, 10: 1, 11: 1, 28: 1, 29: 2}},
		},
	}
	count := func(roundTo float64, from, to int) *EstimateCounter {
		c, err := NewEstimateCounter(roundTo)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(runs[from:to], asked[from:to]); err != nil {
			t.Fatal(err)
		}
		return c
	}
	got, err := count(0, 0, len(runs)).Result()
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %v", cmp.Diff(want, got), err)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	if d := got.Distribution(); !slices.Equal(d, Bins{{60, 1}, {100, 6}}) {
		t.Errorf("distribution %v", d)
	}
	for cut := range runs {
		c := count(0, 0, cut)
		if err := c.Merge(count(0, cut, len(runs))); err != nil {
			t.Fatal(err)
		}
		if parts, err := c.Result(); err != nil || !cmp.Equal(parts, want) {
			t.Errorf("cut at %d: %v, %v", cut, cmp.Diff(want, parts), err)
		}
	}
	rounded, err := count(60, 0, len(runs)).Result()
	if err != nil || !slices.Equal(rounded.Distribution(), Bins{{60, 1}, {120, 6}}) || rounded.Overrun != 0 {
		t.Errorf("rounded to minutes: %+v, %v", rounded, err)
	}
	if err := count(0, 0, 1).Merge(count(60, 0, 1)); err == nil {
		t.Error("counts of different rounding merged")
	}
}

func TestEstimateCounterLimits(t *testing.T) {
	for _, r := range []float64{-1, math.NaN(), math.Inf(1), 86401} {
		if _, err := NewEstimateCounter(r); err == nil {
			t.Errorf("rounding to %g: no error", r)
		}
	}
	c, _ := NewEstimateCounter(0)
	if _, err := c.Result(); err == nil {
		t.Error("nothing counted: no error")
	}
	if err := c.Add([]float64{1}, nil); err == nil {
		t.Error("columns of different lengths: no error")
	}
	asked := make([]float64, MaxEstimateBins)
	for i := range asked {
		asked[i] = float64(i + 1)
	}
	var o *OptionError
	if err := c.Add(asked, asked); err != nil {
		t.Error(err)
	}
	if err := c.Add([]float64{1}, []float64{1e6}); !errors.As(err, &o) {
		t.Errorf("more bins than there may be: %v", err)
	}
}

// Every cell ends where it says, and the next begins there.
func TestAccuracyCells(t *testing.T) {
	for cell := range AccuracyCells {
		end := accuracyEnd(cell)
		if got := accuracyCell(end); got != cell {
			t.Errorf("%g is in cell %d, want %d", end, got, cell)
		}
		if got := accuracyCell(math.Nextafter(end, 100)); got != min(cell+1, AccuracyCells-1) {
			t.Errorf("just above %g is in cell %d", end, got)
		}
	}
	if AccuracyEnd(0) != 1./20480 || AccuracyEnd(10) != 0.05 || AccuracyEnd(11) != 0.1 || AccuracyEnd(AccuracyCells-1) != 1 {
		t.Error("other ends than documented")
	}
	if accuracyCell(0) != 0 || accuracyCell(5e-324) != 0 {
		t.Error("0 is not in the first cell")
	}
}

// twoEstimates is a log of two estimates, 100 s and 1000 s.
func twoEstimates() LogEstimates {
	return LogEstimates{Schema: LogEstimatesSchema, LeftOut: 1, Overrun: 3, Bins: []LogEstimate{
		{Time: 100, Jobs: 20, Accuracy: [AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
		{Time: 1000, Jobs: 80, Accuracy: [AccuracyCells]int64{10: 40, 20: 40}},
	}}
}

// By hand: of the 100 s estimates, 10 jobs from 2.5 to 5 s, 5 from 25 to 30 s
// and 5 from 95 to 100 s; of the 1000 s ones, 40 from 25 to 50 s and 40 from 500
// to 550 s.
func TestLogLaw(t *testing.T) {
	law, err := twoEstimates().Law(1, "")
	if err != nil {
		t.Fatal(err)
	}
	row := func(r float64) (p []float64) {
		sums := law.laws[law.rows.find(r)].sums
		for i := range sums {
			p = append(p, sums[i]/sums[len(sums)-1])
			if i > 0 {
				p[i] -= sums[i-1] / sums[len(sums)-1]
			}
		}
		return p
	}
	for _, c := range []struct {
		run  float64
		want []float64 // of 100 s, where possible, and of 1000 s
	}{
		{2, []float64{0.2, 0.8}}, // 1.83 to 2 s: nobody, so the jobs
		{3, []float64{1, 0}},
		{27.5, []float64{1 / 2.6, 1.6 / 2.6}}, // 26.9 to 29.3 s: 1 job a second, and 1.6
		{40, []float64{0, 1}},
		{60, []float64{0.2, 0.8}}, // 58.7 to 64 s: nobody
		{100, []float64{1, 0}},    // 98.7 to 100 s
		{101, []float64{1}},
		{1000, []float64{1}},
	} {
		if got := row(c.run); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("a run of %g s: %v, want %v", c.run, got, c.want)
		}
	}
}

// Run times of the log's own law give the log's own estimates.
func TestLogLawMarginal(t *testing.T) {
	const n = 100_000
	l := twoEstimates()
	// More estimates, the last of which is never exceeded.
	for k := range 20 {
		b := LogEstimate{Time: 1200 + 300*float64(k), Jobs: 0}
		for c := range b.Accuracy {
			b.Accuracy[c] = int64((c*7+k*3)%11) * int64(20-k)
			b.Jobs += b.Accuracy[c]
		}
		l.Bins = append(l.Bins, b)
	}
	law, err := l.Law(5, "")
	if err != nil {
		t.Fatal(err)
	}
	jobs := float64(l.Distribution().Jobs())
	rng := rand.New(rand.NewPCG(8, 9))
	runs := make([]float64, n)
	for i := range runs {
		k := rng.Int64N(int64(jobs))
		for _, b := range l.Bins {
			for c, in := range b.Accuracy {
				if k >= 0 && k < in {
					begin := 0.0
					if c > 0 {
						begin = AccuracyEnd(c - 1)
					}
					end := AccuracyEnd(c)
					runs[i] = b.Time * (end - rng.Float64()*(end-begin))
				}
				k -= in
			}
		}
	}
	counts, long := map[int64]int{}, 0
	for i, e := range inBatches(t, law, runs, 1000) {
		if e < runs[i] {
			t.Fatalf("an estimate of %g s for a run of %g s", e, runs[i])
		}
		at, _ := slices.BinarySearch(law.times, e)
		counts[int64(at)]++
		if e == 1000 {
			if runs[i] > 500 {
				long++
			}
		}
	}
	p := make([]float64, len(l.Bins))
	for i, b := range l.Bins {
		p[i] = float64(b.Jobs) / jobs
	}
	checkCounts(t, "estimates", counts, p, n)
	checkShare(t, "runs above half of 1000 s", long, counts[1], 0.5)
}

func TestLogEstimatesJSON(t *testing.T) {
	want := twoEstimates()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got LogEstimates
	if err := json.Unmarshal(text, &got); err != nil || !cmp.Equal(got, want) {
		t.Fatalf("%v, %v", cmp.Diff(want, got), err)
	}
	for old, replaced := range map[string]string{
		`"schema":"loadstone.estimates/1"`: `"schema":"loadstone.estimates/2"`,
		`"left_out":1`:                     `"left_out":-1`,
		`"overrun":3`:                      `"overrun":6`,
		`"round_s":0,`:                     ``,
		`"round_s":0`:                      `"round_s":-1`,
		`"time_s":100,`:                    ``,
		`"time_s":100,"jobs":20`:           `"time_s":1001,"jobs":20`,
		`"jobs":20`:                        `"jobs":21`,
		`"jobs":80`:                        `"jobs":-80`,
		`"accuracy":[0,`:                   `"accuracy":[`,
		`10,0`:                             `11,-1`,
		`"bins":[{`:                        `"more":1,"bins":[{`,
		`"bins":[{"time_s"`:                `"bins":[{"more":1,"time_s"`,
		`"overrun"`:                        `"Overrun":null,"over"`,
	} {
		broken := strings.Replace(string(text), old, replaced, 1)
		if broken == string(text) {
			t.Fatalf("%s is not in the text", old)
		}
		got := want
		if err := json.Unmarshal([]byte(broken), &got); err == nil || !cmp.Equal(got, want) {
			t.Errorf("%s for %s: %v", replaced, old, err)
		}
	}
	var empty LogEstimates
	if err := json.Unmarshal([]byte(`{"schema":"loadstone.estimates/1","round_s":0,"left_out":0,"overrun":0,"bins":[]}`), &empty); err == nil {
		t.Error("no bins: no error")
	}
	if _, err := empty.Law(1, ""); err == nil {
		t.Error("the law of nothing: no error")
	}
}
