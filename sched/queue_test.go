package sched

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

func TestQueueAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var want []int64
		for i := range int64(rapid.IntRange(1, 200).Draw(t, "steps")) {
			if len(want) > 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				at := rapid.IntRange(0, len(want)-1).Draw(t, "at")
				q.remove(at)
				want = slices.Delete(want, at, at+1)
			} else {
				q.push(&workload.Job{Request: workload.Request{Row: i}})
				want = append(want, i)
			}
			var got []int64
			for k := range q.n {
				got = append(got, q.at(k).Row)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("queue %v, want %v", got, want)
			}
		}
	})
}
