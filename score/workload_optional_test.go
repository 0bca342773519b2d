package score

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Workloads are compared by nodes, GPUs and memory where one of them has them, and
// other comparisons have no row of them.
func TestCompareOptional(t *testing.T) {
	profile := func(gpus ...int64) *Profile {
		p := NewProfile(ProfileOptions{})
		for i, n := range gpus {
			j := workload.UnknownJob()
			j.Submit, j.Run, j.Size = float64(i), 10, 1
			if n != workload.Unknown {
				asked := workload.NoAsked
				asked.TakesGPUs = n
				j.Asked = &asked
			}
			p.Add(&j)
		}
		return p
	}
	none := workload.Unknown
	for _, c := range []struct {
		a, b []int64
		rows int
		d    float64
		why  string
	}{
		{[]int64{none, none}, []int64{none}, 4, 0, ""},
		// Of A half have no GPU and half have 4; of B a quarter has none.
		{[]int64{0, 0, 4, 4}, []int64{0, 4, 4, 4}, 5, 0.25, ""},
		{[]int64{0, 1}, []int64{none, none}, 5, 0, "known of no job in the second"},
	} {
		got := Compare(profile(c.a...), profile(c.b...))
		if len(got.Attributes) != c.rows {
			t.Errorf("%v and %v: %d attributes, want %d", c.a, c.b, len(got.Attributes), c.rows)
			continue
		}
		if c.rows == 4 {
			continue
		}
		x := got.Attributes[4]
		if x.Name != GPUsOf || x.Column != "gpus" || x.Why != c.why || c.why == "" && float64(x.D) != c.d {
			t.Errorf("%v and %v: %+v", c.a, c.b, x)
		}
	}
}

// The waits are compared if both logs have some, and never with jobs that have none.
func TestCompareWaits(t *testing.T) {
	profile := func(waits ...float64) *Profile {
		p := NewProfile(ProfileOptions{})
		for i, w := range waits {
			j := workload.UnknownJob()
			j.Submit, j.Run, j.Size, j.Wait = float64(i), 10, 1, w
			p.Add(&j)
		}
		return p
	}
	none := workload.UnknownJob().Wait
	if got := Compare(profile(0, 5), profile(none, none)); len(got.Attributes) != 4 {
		t.Errorf("one log has waits: %+v", got.Attributes)
	}
	got := Compare(profile(0, 2, 10), profile(1, 3, 20, none))
	if len(got.Attributes) != 5 {
		t.Fatalf("%d attributes, want 5", len(got.Attributes))
	}
	x := got.Attributes[4]
	if x.Name != WaitOf || x.Column != "wait_time_s" || x.A.Median != 2 || x.A.Mean != 4 || x.B.Median != 3 || x.B.Mean != 8 || x.B.Jobs != 3 {
		t.Errorf("%+v", x)
	}
}
