package watch

import (
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The tasks of an array share a number while they wait, and have one of their own when they
// run. A log may know them by that alone. The record of a cancelled array ends those that
// waited.
func TestArrays(t *testing.T) {
	task := func(s Sighting, label string) Sighting {
		asked := workload.NoAsked
		asked.Array = 3
		s.Asked, s.Label = &asked, label
		return s
	}
	number := func(s Sighting) Sighting { s.Asked = nil; return s }
	rest := task(over(3, 90, math.NaN(), math.NaN()), "")
	rest.Tasks, rest.Withdrawn, rest.Status = true, 150, workload.StatusCancelled
	polls := []Poll{
		{At: 100, Jobs: []Sighting{task(pending(3, 90), "3_1"), task(pending(3, 90), "3_2"), task(pending(3, 90), "3_3"), task(pending(3, 90), "3_4")}},
		{At: 130, Jobs: []Sighting{task(running(7, 90, 110), "3_1"), task(pending(3, 90), "3_2"), task(pending(3, 90), "3_3"), task(pending(3, 90), "3_4")}},
		{At: 160, Jobs: []Sighting{task(running(8, 90, 135), "3_2")}, Ended: []Sighting{number(over(7, 90, 110, 139)), rest}},
		{At: 190, Ended: []Sighting{number(over(7, 90, 110, 139)), rest, task(over(8, 90, 135, 170), "3_2"), task(over(7, 90, 110, 139), "3_1")}},
	}
	type event struct {
		Kind  workload.EventKind
		At    float64
		ID    int64
		Label string
	}
	want := []event{
		{submit, 90, 3, "3_1"}, {submit, 90, 3, "3_2"}, {submit, 90, 3, "3_3"}, {submit, 90, 3, "3_4"},
		{start, 110, 7, "3_1"}, {start, 135, 8, "3_2"}, {finish, 139, 7, "3_1"}, {finish, 150, 3, "3_3"}, {finish, 150, 3, "3_4"}, {finish, 170, 8, "3_2"},
	}
	for restart := range polls {
		tracker := NewTracker()
		var got []event
		var all []Event
		for i, p := range polls {
			if i == restart {
				tracker = NewTracker()
				for _, e := range all {
					tracker.Replay(e)
				}
			}
			events := tracker.Events(&p)
			for _, e := range events {
				got = append(got, event{e.Kind, e.Time, e.Job.ID, e.Label})
			}
			all = append(all, events...)
		}
		if d := gocmp.Diff(want, got); d != "" || tracker.Under() != 0 {
			t.Errorf("restarted before poll %d: %d open: %s", restart, tracker.Under(), d)
		}
	}
}
