package inspect

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// User 7 has one job of 8 processors for 100 s, user 3 three of 1 for 100 s, user 5 two of
// unknown length and user 9 one.
func TestByLargestWorkFirst(t *testing.T) {
	var jobs []workload.Job
	for i, x := range []struct {
		user, size int64
		run        float64
	}{{3, 1, 100}, {9, 4, math.NaN()}, {3, 1, 100}, {5, 4, math.NaN()}, {5, 4, math.NaN()}, {7, 8, 100}, {3, 1, 100}} {
		j := workload.Job{Run: x.run}
		j.User, j.Allocated, j.Submit = x.user, x.size, float64(i)
		jobs = append(jobs, j)
	}
	d := describeWith(t, DescribeOptions{By: "user_id"}, anyClock, func(*Describer) {}, jobs...)
	var got []Value
	for _, v := range d.By.Values {
		got = append(got, v.Value)
	}
	if !slices.Equal(got, []Value{"7", "3", "5", "9"}) {
		t.Errorf("in the order %v, want the most work first, then the most jobs", got)
	}
}

// TestWaitsByClass: queue 1 has the waits 0, 1, ..., 20 s, whose 0.95 quantile is 19;
// queue 2 waits 5 s, and one of its jobs an unknown time; queue 3 has no waits.
func TestWaitsByClass(t *testing.T) {
	var jobs []workload.Job
	add := func(queue int64, wait float64) {
		j := workload.Job{Wait: wait}
		j.Queue, j.Submit = queue, float64(len(jobs))
		jobs = append(jobs, j)
	}
	for i := range 21 {
		add(1, float64(i*8%21)) // each of 0 to 20, in disorder
	}
	add(2, 5)
	add(2, math.NaN())
	add(3, math.NaN())
	for _, most := range []int{mostByValue, 4} {
		d := describeWith(t, DescribeOptions{By: "queue_id"}, anyClock, func(d *Describer) { d.by.most = most }, jobs...)
		for i, want := range []struct {
			known             int64
			mean, median, p95 float64
		}{{21, 10, 10, 19}, {1, 5, 5, 5}, {0, math.NaN(), math.NaN(), math.NaN()}} {
			w := d.By.Values[i].Wait
			near := func(got, want float64) bool {
				return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= 0.001*want
			}
			if w.Unit != "s" || w.Known != want.known || float64(w.Mean) != want.mean && want.known > 0 ||
				!near(float64(w.Median), want.median) || !near(float64(w.Q95), want.p95) {
				t.Errorf("queue %s, %d kept: %+v, want %+v", d.By.Values[i].Value, most, w, want)
			}
		}
	}
}
