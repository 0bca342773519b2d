package sched

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/slots"
)

// The queue against a slice, by submission and by estimate: what is pushed,
// taken out anywhere and found by fit.
func TestQueueAgainstSlice(t *testing.T) {
	for _, policy := range []Policy{FCFS{}, SJF{}} {
		t.Run(policy.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				q := queue{order: orderOf(policy)}
				var jobs slots.Table[held]
				var want []int32
				removes := rapid.IntRange(0, 3).Draw(t, "removes") // of five steps
				random := rapid.Uint64Min(1).Draw(t, "random")
				draw := func(n int) int { // rapid's own draws would be most of the time
					random = random*6364136223846793005 + 1442695040888963407
					return int(random>>33) % n
				}
				for range rapid.IntRange(1, 900).Draw(t, "steps") {
					if len(want) > 0 && draw(5) < removes {
						at := draw(len(want))
						if draw(2) == 0 {
							at = 0 // what simulations do most
						}
						q.remove(slices.Collect(q.all)[at])
						want = slices.Delete(want, at, at+1)
						after, ok := q.settle(q.after)
						if ok != (at < len(want)) || (ok && q.at(after).slot != want[at]) {
							t.Fatalf("after removing entry %d the queue goes on at %v, %v", at, after, ok)
						}
						continue
					}
					e := entry{size: int64(1 + draw(9)), estimate: float64(draw(20)), slot: int32(jobs.Len())}
					jobs.Put(&held{number: int64(jobs.Len()), estimate: e.estimate})
					q.push(e, &jobs)
					at := len(want)
					if q.order != nil {
						at, _ = slices.BinarySearchFunc(want, e.slot, func(a, b int32) int {
							if q.order(jobs.At(a), jobs.At(b)) {
								return -1
							}
							return 1
						})
					}
					want = slices.Insert(want, at, e.slot)
				}
				var got []int32
				var entries []entry
				var places []Place
				for c := range q.all {
					got = append(got, q.at(c).slot)
					entries = append(entries, *q.at(c))
					places = append(places, c)
				}
				if !slices.Equal(got, want) || q.n != len(want) {
					t.Fatalf("queue %v (%d), want %v", got, q.n, want)
				}
				for range 20 {
					if len(want) == 0 {
						break
					}
					from, free, extra, by := draw(len(want)), int64(draw(10)), int64(draw(10)), float64(draw(22))
					fits := func(e entry) bool { return e.size <= free && (e.size <= extra || 1+e.estimate <= by) }
					k := slices.IndexFunc(entries[from:], fits)
					c, ok := q.fit(places[from], free, 1, by, extra)
					if ok != (k >= 0) || (ok && c != places[from+k]) {
						t.Fatalf("fit from %d: %v %v, want entry %d of %v", from, c, ok, from+k, entries)
					}
				}
			})
		})
	}
}

// The expected ends against a sorted slice.
func TestEndsAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x ends
		var want []ending
		random := rapid.Uint64Min(1).Draw(t, "random")
		draw := func(n int) int {
			random = random*6364136223846793005 + 1442695040888963407
			return int(random>>33) % n
		}
		removes := rapid.IntRange(0, 3).Draw(t, "removes")
		for i := range rapid.IntRange(1, 900).Draw(t, "steps") {
			if len(want) > 0 && draw(5) < removes {
				at := draw(len(want))
				x.remove(want[at].at, want[at].seq)
				want = slices.Delete(want, at, at+1)
				continue
			}
			e := ending{float64(draw(50)), int64(i), int64(1 + draw(9)), int32(i)}
			x.insert(e)
			at := slices.IndexFunc(want, func(w ending) bool { return e.before(&w) })
			if at < 0 {
				at = len(want)
			}
			want = slices.Insert(want, at, e)
		}
		var got []ending
		for _, c := range x.chunks {
			got = append(got, c.list...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("ends %v, want %v", got, want)
		}
		first := math.Inf(1)
		sum := int64(2)
		for _, e := range want {
			first = min(first, e.at)
			sum += e.size
		}
		if x.first() != first {
			t.Fatalf("first end %g, want %g", x.first(), first)
		}
		for needed := int64(3); needed <= sum; needed += 1 + sum/50 {
			at, then := x.when(needed, 2)
			free, wantAt := int64(2), math.Inf(1)
			for _, e := range want {
				if free >= needed && e.at > wantAt {
					break
				}
				if free += e.size; free >= needed && math.IsInf(wantAt, 1) {
					wantAt = e.at
				}
			}
			if at != wantAt || then != free {
				t.Fatalf("%d processors at %g, %d then; want at %g, %d", needed, at, then, wantAt, free)
			}
		}
	})
}
