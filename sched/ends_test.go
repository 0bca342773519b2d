package sched

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
			e := ending{float64(draw(50)), int64(i), amounts{int64(1 + draw(9)), int64(draw(3))}, int32(i)}
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
		sum := amounts{2}
		for _, e := range want {
			first = min(first, e.at)
			sum.add(&e.take)
		}
		if x.first() != first {
			t.Fatalf("first end %g, want %g", x.first(), first)
		}
		for k := int64(1); k <= 50; k++ {
			needed := amounts{2 + sum[0]*k/45, sum[1] * (k % 7) / 5} // or too much
			if needed == (amounts{2}) {
				continue
			}
			at := x.when(&needed, amounts{2})
			free, wantAt := amounts{2}, math.Inf(1)
			for _, e := range want {
				if free.covers(&needed) && e.at > wantAt {
					break
				}
				if free.add(&e.take); free.covers(&needed) && math.IsInf(wantAt, 1) {
					wantAt = e.at
				}
			}
			then := x.by(at)
			then.add(&amounts{2})
			if at != wantAt || then != free {
				t.Fatalf("%d at %g, %d then; want at %g, %d", needed, at, then, wantAt, free)
			}
		}
	})
}
