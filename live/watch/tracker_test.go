package watch

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
)

var nan = math.NaN()

// past is a job's history: what a machine would show of it at any moment.
type past struct {
	id                int64
	submit, wait, run float64
	withdrawn         float64 // of a job that never started; NaN is never
}

func (h past) sighting(wait, run float64) Sighting {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Wait, j.Run = h.id, h.submit, wait, run
	return Sighting{Job: j, Expected: nan, Withdrawn: nan}
}

func (h past) started(at float64) bool { return h.submit+h.wait <= at }

func (h past) end() float64 {
	if math.IsNaN(h.wait) {
		return h.withdrawn
	}
	return h.submit + h.wait + h.run
}

// pollOf is what a machine shows at a moment, with the jobs that ended after since.
func pollOf(all []past, at, since float64) *Poll {
	p := &Poll{At: at}
	for _, h := range all {
		switch {
		case h.submit > at:
		case h.end() <= at:
			if h.end() >= since {
				s := h.sighting(h.wait, h.run)
				s.Withdrawn = h.withdrawn
				p.Ended = append(p.Ended, s)
			}
		case h.started(at):
			p.Jobs = append(p.Jobs, h.sighting(h.wait, nan))
		default:
			p.Jobs = append(p.Jobs, h.sighting(nan, nan))
		}
	}
	return p
}

// seen is an event without what is the tracker's own business.
type seen struct {
	Kind workload.EventKind
	Time float64
	ID   int64
}

func seenIn(events []Event) (list []seen) {
	for _, e := range events {
		list = append(list, seen{e.Kind, e.Time, e.Job.ID})
	}
	return list
}

// drawHistory draws jobs with many ties, in order of submission and number; the numbers
// are in no order.
func drawHistory(t *rapid.T) []past {
	all := make([]past, rapid.IntRange(0, 40).Draw(t, "jobs"))
	ids := make([]int64, len(all))
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	ids = rapid.Permutation(ids).Draw(t, "ids")
	at := 0.0
	for i := range all {
		at += float64(rapid.IntRange(0, 3).Draw(t, "step"))
		h := past{id: ids[i], submit: at, withdrawn: nan}
		switch rapid.IntRange(0, 5).Draw(t, "fate") {
		case 0: // waits for ever
			h.wait, h.run = nan, nan
		case 1:
			h.wait, h.run = nan, nan
			h.withdrawn = at + float64(rapid.IntRange(0, 9).Draw(t, "until"))
		default:
			h.wait = float64(rapid.IntRange(0, 8).Draw(t, "wait"))
			h.run = float64(rapid.IntRange(0, 8).Draw(t, "run"))
		}
		all[i] = h
	}
	slices.SortFunc(all, func(a, b past) int { return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.id, b.id)) })
	return all
}

// truth is the events up to a moment by the timeline, with the withdrawals, which it does
// not have, as jobs of no length behind their wait: their Start is dropped.
func truth(t interface{ Fatal(...any) }, all []past, until float64) (list []seen) {
	withdrawn := map[int64]bool{}
	var jobs iter.Seq2[workload.Job, error] = func(yield func(workload.Job, error) bool) {
		for i, h := range all {
			j := h.sighting(h.wait, h.run).Job
			j.Row = int64(i)
			if !math.IsNaN(h.withdrawn) {
				withdrawn[h.id] = true
				// Finishes without a start: an unknown wait counts as none.
				j.Run = h.withdrawn - h.submit
			}
			if !yield(j, nil) {
				return
			}
		}
	}
	for e, err := range workload.Timeline(jobs) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Time <= until {
			list = append(list, seen{e.Kind, e.Time, e.Job.ID})
		}
	}
	return list
}

// However a history is cut into polls, the events are those of the history, in the
// order of the timeline; and a tracker that replays the events of another goes on as it
// does, even if the last of them were lost.
func TestEventsAreTheHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawHistory(t)
		tracker := NewTracker()
		var events []Event
		fresh := 0 // events of the last poll
		last, at, previous := 0.0, -1.0, math.Inf(-1)
		restart := rapid.IntRange(0, 12).Draw(t, "restart")
		for n := range rapid.IntRange(1, 12).Draw(t, "polls") {
			at += float64(rapid.IntRange(0, 20).Draw(t, "until next"))
			if n == restart {
				events = events[:len(events)-rapid.IntRange(0, fresh).Draw(t, "lost")]
				last = previous
			}
			since := last - float64(rapid.IntRange(0, 30).Draw(t, "overlap"))
			if n == 0 {
				since = math.Inf(-1)
			}
			if n == restart {
				tracker = NewTracker()
				for _, e := range events {
					tracker.Replay(e)
				}
			}
			p := pollOf(all, at, since)
			these := tracker.Events(p)
			events, fresh = append(events, these...), len(these)
			previous, last = last, at
			if len(p.Jobs) != len(tracker.open) {
				t.Fatalf("%d jobs under way, want %d", len(tracker.open), len(p.Jobs))
			}
		}
		if d := gocmp.Diff(truth(t, all, at), seenIn(events)); d != "" {
			t.Fatal(d)
		}
		byRow := map[int64]int64{}
		for _, e := range events {
			if e.Guessed {
				t.Fatalf("%+v", e)
			}
			if id, ok := byRow[e.Job.Row]; ok && id != e.Job.ID {
				t.Fatalf("row %d is of jobs %d and %d", e.Job.Row, id, e.Job.ID)
			}
			byRow[e.Job.Row] = e.Job.ID
		}
	})
}

// The order of the sightings in a poll does not matter.
func TestEventsDoNotDependOnTheOrderOfSightings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawHistory(t)
		a, b := NewTracker(), NewTracker()
		for at := 0.0; at < 60; at += float64(rapid.IntRange(1, 20).Draw(t, "step")) {
			p, q := pollOf(all, at, at-30), pollOf(all, at, at-30)
			q.Jobs, q.Ended = rapid.Permutation(q.Jobs).Draw(t, "jobs"), rapid.Permutation(q.Ended).Draw(t, "ended")
			if d := gocmp.Diff(seenIn(a.Events(p)), seenIn(b.Events(q))); d != "" {
				t.Fatal(d)
			}
		}
	})
}

func pending(id int64, submit float64) Sighting {
	return past{id: id, submit: submit}.sighting(nan, nan)
}

func running(id int64, submit, start float64) Sighting {
	return past{id: id, submit: submit}.sighting(start-submit, nan)
}

func over(id int64, submit, start, end float64) Sighting {
	return past{id: id, submit: submit}.sighting(start-submit, end-start)
}

func cancelled(id int64, submit, end float64) Sighting {
	s := past{id: id, submit: submit}.sighting(nan, nan)
	s.Status, s.Withdrawn = workload.StatusCancelled, end
	return s
}

const (
	submit = workload.Submit
	start  = workload.Start
	finish = workload.Finish
)

func TestTracker(t *testing.T) {
	type jobs = []Sighting
	for _, c := range []struct {
		name  string
		polls []Poll
		want  []seen
	}{
		{"a job that is first seen when it runs",
			[]Poll{{At: 100, Jobs: jobs{running(1, 10, 20)}}},
			[]seen{{submit, 10, 1}, {start, 20, 1}}},
		{"a job that ended between two polls, and is listed again",
			[]Poll{{At: 100}, {At: 130, Ended: jobs{over(1, 110, 115, 120)}}, {At: 160, Ended: jobs{over(1, 110, 115, 120)}}},
			[]seen{{submit, 110, 1}, {start, 115, 1}, {finish, 120, 1}}},
		{"a job in both lists has ended",
			[]Poll{{At: 100, Jobs: jobs{running(1, 10, 20)}}, {At: 130, Jobs: jobs{running(1, 10, 20)}, Ended: jobs{over(1, 10, 20, 110)}}},
			[]seen{{submit, 10, 1}, {start, 20, 1}, {finish, 110, 1}}},
		{"a job whose record comes after others is late, and time does not go back",
			[]Poll{{At: 100, Jobs: jobs{pending(2, 90)}}, {At: 130, Jobs: jobs{pending(2, 90)}, Ended: jobs{over(1, 40, 50, 60)}}},
			[]seen{{submit, 90, 2}, {submit, 90, 1}, {start, 90, 1}, {finish, 90, 1}}},
		{"a start after the poll, by a clock that is ahead, is at the poll",
			[]Poll{{At: 100, Jobs: jobs{running(1, 90, 105)}}, {At: 130, Jobs: jobs{running(1, 90, 105), pending(2, 120)}}},
			[]seen{{submit, 90, 1}, {start, 100, 1}, {submit, 120, 2}}},
		{"a waiting job that disappears is withdrawn after two polls, at the first without it",
			[]Poll{{At: 100, Jobs: jobs{pending(1, 90)}}, {At: 130}, {At: 160}, {At: 190}},
			[]seen{{submit, 90, 1}, {finish, 130, 1}}},
		{"a job that is missing once is not",
			[]Poll{{At: 100, Jobs: jobs{pending(1, 90)}}, {At: 130}, {At: 160, Jobs: jobs{pending(1, 90)}}, {At: 190}, {At: 220, Jobs: jobs{pending(1, 90)}}},
			[]seen{{submit, 90, 1}}},
		{"polls without a list of what ended do not count",
			[]Poll{{At: 100, Jobs: jobs{pending(1, 90)}}, {At: 130, Partial: true}, {At: 160, Partial: true}, {At: 190}, {At: 220, Ended: jobs{over(1, 90, 150, 170)}}},
			[]seen{{submit, 90, 1}, {start, 150, 1}, {finish, 170, 1}}},
		{"a cancelled job is withdrawn at once",
			[]Poll{{At: 100, Jobs: jobs{pending(1, 90)}}, {At: 130, Ended: jobs{cancelled(1, 90, 110)}}, {At: 160, Ended: jobs{cancelled(1, 90, 110)}}},
			[]seen{{submit, 90, 1}, {finish, 110, 1}}},
		{"a cancelled job of which nobody says when",
			[]Poll{{At: 100, Jobs: jobs{pending(1, 90)}}, {At: 130, Ended: jobs{cancelled(1, 90, nan)}}},
			[]seen{{submit, 90, 1}, {finish, 130, 1}}},
		{"a requeued job has a new submission, and its run ended then",
			[]Poll{{At: 100, Jobs: jobs{running(1, 80, 90)}}, {At: 130, Jobs: jobs{pending(1, 110)}}, {At: 160, Jobs: jobs{running(1, 110, 140)}, Ended: jobs{over(1, 80, 90, 110)}}},
			[]seen{{submit, 80, 1}, {start, 90, 1}, {finish, 110, 1}, {submit, 110, 1}, {start, 140, 1}}},
		{"a job that waits again under its old submission is submitted again at the poll",
			[]Poll{{At: 100, Jobs: jobs{running(1, 80, 90)}}, {At: 130, Jobs: jobs{pending(1, 80)}}, {At: 160, Jobs: jobs{running(1, 80, 150)}, Ended: jobs{over(1, 80, 90, 110)}}, {At: 190, Ended: jobs{over(1, 80, 150, 170)}}},
			[]seen{{submit, 80, 1}, {start, 90, 1}, {finish, 130, 1}, {submit, 130, 1}, {start, 150, 1}, {finish, 170, 1}}},
		{"a list that is behind does not bring a job back",
			[]Poll{{At: 100, Jobs: jobs{running(1, 80, 90)}}, {At: 130, Ended: jobs{over(1, 80, 90, 110)}}, {At: 160, Jobs: jobs{running(1, 80, 90)}}, {At: 190}},
			[]seen{{submit, 80, 1}, {start, 90, 1}, {finish, 110, 1}}},
		{"old records that come back after more than a day are known",
			[]Poll{{At: 0, Ended: jobs{over(1, -20, -15, -10)}}, {At: 2 * remembered}, {At: 2*remembered + 1, Ended: jobs{over(1, -20, -15, -10)}}},
			[]seen{{submit, -20, 1}, {start, -15, 1}, {finish, -10, 1}}},
		{"a number that is used again",
			[]Poll{{At: 100, Ended: jobs{over(1, 10, 20, 30)}, Jobs: jobs{pending(1, 50)}}},
			[]seen{{submit, 10, 1}, {start, 20, 1}, {finish, 30, 1}, {submit, 50, 1}}},
		{"jobs without a number or time are passed over",
			[]Poll{{At: 100, Jobs: jobs{pending(workload.Unknown, 50), pending(3, nan), pending(4, math.Inf(1)), pending(2, 60), pending(2, 70)}}},
			[]seen{{submit, 60, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := NewTracker()
			var events []Event
			for _, p := range c.polls {
				events = append(events, tracker.Events(&p)...)
			}
			if d := gocmp.Diff(c.want, seenIn(events)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A late job keeps its own wait, and one that disappeared has a run time that is marked.
func TestTrackerJobs(t *testing.T) {
	tracker := NewTracker()
	tracker.Events(&Poll{At: 100, Jobs: []Sighting{pending(9, 95)}})
	events := tracker.Events(&Poll{At: 130, Jobs: []Sighting{pending(9, 95), running(1, 40, 70)}})
	if j := events[1].Job; len(events) != 2 || j.Submit != 40 || j.Wait != 30 || events[1].Time != 95 {
		t.Errorf("%+v", events)
	}
	tracker.Events(&Poll{At: 160, Jobs: []Sighting{pending(9, 95)}})
	events = tracker.Events(&Poll{At: 190, Jobs: []Sighting{pending(9, 95)}})
	if len(events) != 1 || !events[0].Guessed || events[0].Job.Run != 90 || events[0].Withdrawal() {
		t.Errorf("%+v", events)
	}
}

// The record of a job's end says what it used, also of one that was seen before.
func TestTrackerUsage(t *testing.T) {
	tracker := NewTracker()
	tracker.Events(&Poll{At: 100, Jobs: []Sighting{running(1, 40, 70)}})
	ended := over(1, 40, 70, 120)
	ended.CPUTime, ended.UsedMemory, ended.Energy = 45, 1024, 9
	events := tracker.Events(&Poll{At: 130, Ended: []Sighting{ended}})
	if j := events[0].Job; len(events) != 1 || j.CPUTime != 45 || j.UsedMemory != 1024 || j.Energy != 9 || j.Run != 50 {
		t.Errorf("%+v", events)
	}
}

// A list may lack jobs for a while, as that of a controller that has just started. Those
// that counted as gone are followed again when they are back, also after a restart; those
// that a record says have ended are not.
func TestTrackerLostJobs(t *testing.T) {
	all := []Sighting{pending(1, 50), running(2, 40, 70), pending(3, 60)}
	ended := over(3, 60, 80, 145)
	ended.Status = workload.StatusCompleted
	polls := []Poll{{At: 100, Jobs: all}, {At: 130}, {At: 160, Ended: []Sighting{ended}}, {At: 190, Jobs: all}, {At: 220, Jobs: all}}
	want := []seen{{submit, 145, 2}, {submit, 145, 1}, {start, 145, 2}} // not before the last event
	for _, restart := range []bool{false, true} {
		tracker := NewTracker()
		var before []Event
		for i := range 3 {
			before = append(before, tracker.Events(&polls[i])...)
		}
		if restart {
			tracker = NewTracker()
			for _, e := range before {
				tracker.Replay(e)
			}
		}
		again := tracker.Events(&polls[3])
		if d := gocmp.Diff(want, seenIn(again)); d != "" {
			t.Fatalf("restarted %v: %s", restart, d)
		}
		for _, e := range again {
			if e.Again != (e.Kind == submit) {
				t.Errorf("restarted %v: %+v", restart, e)
			}
		}
		if more := tracker.Events(&polls[4]); len(more) > 0 || len(tracker.open) != 2 {
			t.Errorf("restarted %v: %d jobs, %+v", restart, len(tracker.open), more)
		}
	}
}

func TestNames(t *testing.T) {
	var n Names
	long := strings.Repeat("ä", 200)
	for i, text := range []string{"ann", "bob", "x" + long, "\xff"} {
		if got := n.Number(workload.ColUser, text); got != int64(i)+1 || n.Number(workload.ColUser, text) != got {
			t.Error(text, got)
		}
	}
	if n.Number(workload.ColUser, "") != workload.Unknown || n.Number(workload.ColQueue, "short") != 1 {
		t.Error("no text, or another column")
	}
	fresh, want := n.Fresh(), []string{"ann", "bob", "x" + long[:LongestName-2], "\ufffd"} // whole characters
	var again Names
	for _, x := range fresh {
		if err := again.Restore(x); err != nil {
			t.Error(err)
		}
	}
	check(t, "texts", again.Texts("User"), want)
	if number, ok := again.Find("Queue", "short"); number != 1 || !ok || len(n.Fresh())+len(again.Fresh()) != 0 {
		t.Error(number, ok)
	}
	if text, ok := again.Text("User", 2); text != "bob" || !ok {
		t.Error(text, ok)
	}
	for _, x := range []journal.Name{{Key: "User", Number: 9, Text: "eve"}, {Key: "User", Number: 5, Text: "ann"}, {Key: "Job", Number: 1, Text: "x"}, {Key: "Queue", Number: 2}} {
		if again.Restore(x) == nil {
			t.Errorf("%+v restored", x)
		}
	}
}

// The tasks of an array share a number while they wait, and have one of their own when they
// run. A log may know them by that alone. The record of a cancelled array ends those that
// waited.
func TestArrays(t *testing.T) {
	task := func(s Sighting, label string) Sighting {
		s.Array, s.Label = 3, label
		return s
	}
	number := func(s Sighting) Sighting { s.Array = workload.Unknown; return s }
	rest := task(over(3, 90, math.NaN(), math.NaN()), "")
	rest.Tasks, rest.Withdrawn, rest.Status = true, 150, workload.StatusCancelled
	polls := []Poll{
		{At: 100, Jobs: []Sighting{task(pending(3, 90), "3_1"), task(pending(3, 90), "3_2"), task(pending(3, 90), "3_3"), task(pending(3, 90), "3_4")}},
		{At: 130, Jobs: []Sighting{task(running(7, 90, 110), "3_1"), task(pending(3, 90), "3_2"), task(pending(3, 90), "3_3"), task(pending(3, 90), "3_4")}},
		{At: 160, Jobs: []Sighting{task(running(8, 90, 135), "3_2")}, Ended: []Sighting{number(over(7, 90, 110, 139)), rest}},
		{At: 190, Ended: []Sighting{number(over(7, 90, 110, 139)), rest, task(over(8, 90, 135, 170), "3_2"), task(over(7, 90, 110, 139), "3_1")}},
	}
	want := []seen{
		{submit, 90, 3}, {submit, 90, 3}, {submit, 90, 3}, {submit, 90, 3},
		{start, 110, 7}, {start, 135, 8}, {finish, 139, 7}, {finish, 150, 3}, {finish, 150, 3}, {finish, 170, 8},
	}
	wantLabels := []string{"3_1", "3_2", "3_3", "3_4", "3_1", "3_2", "3_1", "3_3", "3_4", "3_2"}
	for restart := range polls {
		tracker := NewTracker()
		var labels []string
		var all []Event
		for i, p := range polls {
			if i == restart {
				tracker = NewTracker()
				for _, e := range all {
					tracker.Replay(e)
				}
			}
			all = append(all, tracker.Events(&p)...)
		}
		for _, e := range all {
			labels = append(labels, e.Label)
		}
		check(t, fmt.Sprint("restarted before poll ", restart), seenIn(all), want)
		check(t, "labels", labels, wantLabels)
		check(t, "open", len(tracker.open), 0)
	}
}
