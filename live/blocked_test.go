package live

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Where no processors can be had, no job is told that it starts at once, also if it would
// have a moment before.
func TestBlockedMachines(t *testing.T) {
	f := &script{}
	one, two := f.Number(workload.ColPartition, "one"), f.Number(workload.ColPartition, "two")
	at := func(at float64, now, ofOne int64, up bool) *Batch {
		return &Batch{At: at, Jobs: map[int64]*watch.Sighting{}, Capacity: watch.Capacity{Processors: now, Total: 8, Partitions: []watch.Partition{
			{Name: "one", Number: one, Processors: ofOne, Total: 8, MaxTime: math.Inf(1), Up: up, Default: true},
			{Name: "two", Number: two, Processors: now, Total: 8, MaxTime: math.Inf(1), Up: true},
		}}}
	}
	idle := at(10, 8, 8, true)
	for _, c := range []struct {
		name      string
		last      *Batch
		partition string
		want      string // what the answer says; "" for a start at once
	}{
		{"idle", at(20, 8, 8, true), "", ""},
		{"all down", at(20, 0, 0, true), "", "0 of the machine's 8 processors are available now"},
		{"mostly down", at(20, 3, 3, true), "two", "3 of the machine's 8 processors are available now"},
		{"a partition that is down", at(20, 8, 8, false), "one", "the partition one starts no jobs now"},
		{"the default one", at(20, 8, 8, false), "", "the partition one starts no jobs now"},
		{"the other one", at(20, 8, 8, false), "two", ""},
		{"a partition that is drained", at(20, 8, 2, true), "one", "2 of the 8 processors of the partition one are available now"},
	} {
		t.Run(c.name, func(t *testing.T) {
			feed := &script{batches: []*Batch{idle, c.last}, now: 20}
			for _, name := range []string{"one", "two"} {
				feed.Number(workload.ColPartition, name)
			}
			s, err := New(feed, time.Unix(0, 0), DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			a, err := s.Wait(context.Background(), Question{Size: 4, Partition: c.partition})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if a.By != PlanName || a.Expected != 0 || len(a.Warnings) != 0 {
					t.Errorf("%+v, want a start at once", a)
				}
				return
			}
			left := a.LeftOut[len(a.LeftOut)-1]
			if a.Start != nil || left.Predictor != PlanName || left.Why != c.want || len(a.Warnings) != 1 || !strings.HasPrefix(a.Warnings[0].Text, c.want) {
				t.Errorf("%+v, want no start: %s", a, c.want)
			}
		})
	}
}
