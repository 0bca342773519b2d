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

// past is a job's history, from which a machine's view of it at any time follows.
type past struct {
	id                int64
	submit, wait, run float64
	withdrawn         float64 // of a job that never started; NaN if not withdrawn
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

// pollOf returns the poll at a given time, with the jobs that ended after since.
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

// seen formats an event as a line, without the tracker's internal fields.
func seen(kind workload.EventKind, time float64, job int64) string {
	return fmt.Sprintf("%s %d at %g", kind, job, time)
}

func seenIn(events []Event) (list []string) {
	for _, e := range events {
		list = append(list, seen(e.Kind, e.Time, e.Job.ID))
	}
	return list
}

// drawHistory draws jobs with many ties, in order of submission and number; the numbers are
// unordered.
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
		case 0: // waits forever
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

// truth returns the events up to a given time according to the timeline. The timeline has no
// withdrawals, so they are represented as jobs of zero length after their wait, and their Start
// events are dropped.
func truth(t interface{ Fatal(...any) }, all []past, until float64) (list []string) {
	withdrawn := map[int64]bool{}
	var jobs iter.Seq2[workload.Job, error] = func(yield func(workload.Job, error) bool) {
		for i, h := range all {
			j := h.sighting(h.wait, h.run).Job
			j.Row = int64(i)
			if !math.IsNaN(h.withdrawn) {
				withdrawn[h.id] = true
				// Finishes without a start: an unknown wait counts as 0.
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
			list = append(list, seen(e.Kind, e.Time, e.Job.ID))
		}
	}
	return list
}

// However a history is divided into polls, the events are those of the history, in the order of the
// timeline. A tracker that replays another's events continues as the other does, even if the last
// of them were lost.
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
				tracker = replayed(events)
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

// sightings parses the jobs in a poll, each given by its state, number, submission, start and end,
// as in "pending 1 90, running 2 80 90, ended 3 10 20 30, cancelled 4 90 110".
func sightings(t *testing.T, text string) (list []Sighting) {
	t.Helper()
	for job := range strings.SplitSeq(text, ", ") {
		var h past
		start, end, withdrawn := nan, nan, nan
		times := map[string][]any{"pending": {}, "running": {&start}, "ended": {&start, &end}, "cancelled": {&withdrawn}}
		state, rest, _ := strings.Cut(job, " ")
		if _, err := fmt.Sscan(rest, append([]any{&h.id, &h.submit}, times[state]...)...); err != nil || times[state] == nil {
			t.Fatalf("%q: %v", job, err)
		}
		s := h.sighting(start-h.submit, end-start)
		if s.Withdrawn = withdrawn; state == "cancelled" {
			s.Status = workload.StatusCancelled
		}
		list = append(list, s)
	}
	return list
}

// poll parses a poll: its time, "partial" if the list of ended jobs is missing, the jobs in the
// queue and, after a bar, the ended jobs.
func poll(t *testing.T, text string) *Poll {
	t.Helper()
	moment, rest, _ := strings.Cut(text, ": ")
	p := new(Poll)
	if _, err := fmt.Sscan(moment, &p.At); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	p.Partial = strings.HasSuffix(moment, " partial")
	queue, ended, _ := strings.Cut(rest, "| ")
	if queue = strings.TrimSpace(queue); queue != "" {
		p.Jobs = sightings(t, queue)
	}
	if ended != "" {
		p.Ended = sightings(t, ended)
	}
	return p
}

// histories are polls and the resulting events.
const histories = `
a job that is first seen when it runs
100: running 1 10 20
-> submit 1 at 10, start 1 at 20

a job that ended between two polls, and is listed again
100: 
130: | ended 1 110 115 120
160: | ended 1 110 115 120
-> submit 1 at 110, start 1 at 115, finish 1 at 120

a job in both lists has ended
100: running 1 10 20
130: running 1 10 20 | ended 1 10 20 110
-> submit 1 at 10, start 1 at 20, finish 1 at 110

a job whose record comes after others is late, and time does not go back
100: pending 2 90
130: pending 2 90 | ended 1 40 50 60
-> submit 2 at 90, submit 1 at 90, start 1 at 90, finish 1 at 90

a start after the poll, by a clock that is ahead, is at the poll
100: running 1 90 105
130: running 1 90 105, pending 2 120
-> submit 1 at 90, start 1 at 100, submit 2 at 120

a waiting job that disappears is withdrawn after two polls, at the first without it
100: pending 1 90
130: 
160: 
190: 
-> submit 1 at 90, finish 1 at 130

a job that is missing once is not
100: pending 1 90
130: 
160: pending 1 90
190: 
220: pending 1 90
-> submit 1 at 90

polls without a list of what ended do not count
100: pending 1 90
130 partial: 
160 partial: 
190: 
220: | ended 1 90 150 170
-> submit 1 at 90, start 1 at 150, finish 1 at 170

a cancelled job is withdrawn at once
100: pending 1 90
130: | cancelled 1 90 110
160: | cancelled 1 90 110
-> submit 1 at 90, finish 1 at 110

a cancelled job of which nobody says when
100: pending 1 90
130: | cancelled 1 90 NaN
-> submit 1 at 90, finish 1 at 130

a requeued job has a new submission, and its run ended then
100: running 1 80 90
130: pending 1 110
160: running 1 110 140 | ended 1 80 90 110
-> submit 1 at 80, start 1 at 90, finish 1 at 110, submit 1 at 110, start 1 at 140

a job that waits again under its old submission is submitted again at the poll
100: running 1 80 90
130: pending 1 80
160: running 1 80 150 | ended 1 80 90 110
190: | ended 1 80 150 170
-> submit 1 at 80, start 1 at 90, finish 1 at 130, submit 1 at 130, start 1 at 150, finish 1 at 170

a list that is behind does not bring a job back
100: running 1 80 90
130: | ended 1 80 90 110
160: running 1 80 90
190: 
-> submit 1 at 80, start 1 at 90, finish 1 at 110

old records that come back after more than a day are known
0: | ended 1 -20 -15 -10
172800: 
172801: | ended 1 -20 -15 -10
-> submit 1 at -20, start 1 at -15, finish 1 at -10

a number that is used again
100: pending 1 50 | ended 1 10 20 30
-> submit 1 at 10, start 1 at 20, finish 1 at 30, submit 1 at 50

jobs without a number or time are passed over
100: pending -9223372036854775808 50, pending 3 NaN, pending 4 +Inf, pending 2 60, pending 2 70
-> submit 2 at 60
`

func TestTracker(t *testing.T) {
	for history := range strings.SplitSeq(strings.Trim(histories, "\n"), "\n\n") {
		name, rest, _ := strings.Cut(history, "\n")
		polls, want, _ := strings.Cut(rest, "\n-> ")
		tracker := NewTracker()
		var events []Event
		for text := range strings.SplitSeq(polls, "\n") {
			events = append(events, tracker.Events(poll(t, text))...)
		}
		if got := strings.Join(seenIn(events), ", "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A job that is seen late keeps its own wait; a job that disappeared has a run time that is marked.
func TestTrackerJobs(t *testing.T) {
	tracker := NewTracker()
	tracker.Events(poll(t, "100: pending 9 95"))
	events := tracker.Events(poll(t, "130: pending 9 95, running 1 40 70"))
	if j := events[1].Job; len(events) != 2 || j.Submit != 40 || j.Wait != 30 || events[1].Time != 95 {
		t.Errorf("%+v", events)
	}
	tracker.Events(poll(t, "160: pending 9 95"))
	events = tracker.Events(poll(t, "190: pending 9 95"))
	if len(events) != 1 || !events[0].Guessed || events[0].Job.Run != 90 || events[0].Withdrawal() {
		t.Errorf("%+v", events)
	}
}

// The record of a job's end has its usage, even if the end was already seen.
func TestTrackerUsage(t *testing.T) {
	tracker := NewTracker()
	tracker.Events(poll(t, "100: running 1 40 70"))
	p := poll(t, "130: | ended 1 40 70 120")
	p.Ended[0].CPUTime, p.Ended[0].UsedMemory, p.Ended[0].Energy = 45, 1024, 9
	events := tracker.Events(p)
	if j := events[0].Job; len(events) != 1 || j.CPUTime != 45 || j.UsedMemory != 1024 || j.Energy != 9 || j.Run != 50 {
		t.Errorf("%+v", events)
	}
}

// replayed returns a tracker that has replayed the events.
func replayed(events []Event) *Tracker {
	tracker := NewTracker()
	for _, e := range events {
		tracker.Replay(e)
	}
	return tracker
}

// A list may lack jobs for a while, for example from a controller that has just started. Jobs that
// counted as gone are followed again when they reappear, even after a restart, but not those with a
// record of their end.
func TestTrackerLostJobs(t *testing.T) {
	const all = "pending 1 50, running 2 40 70, pending 3 60"
	for _, restart := range []bool{false, true} {
		tracker := NewTracker()
		var before []Event
		for _, text := range []string{"100: " + all, "130: ", "160: | ended 3 60 80 145"} {
			p := poll(t, text)
			for i := range p.Ended {
				p.Ended[i].Status = workload.StatusCompleted
			}
			before = append(before, tracker.Events(p)...)
		}
		if restart {
			tracker = replayed(before)
		}
		again := tracker.Events(poll(t, "190: "+all))
		check(t, fmt.Sprint("restarted ", restart), seenIn(again), []string{"submit 2 at 145", "submit 1 at 145", "start 2 at 145"}) // not before the last event
		for _, e := range again {
			if e.Again != (e.Kind == workload.Submit) {
				t.Errorf("restarted %v: %+v", restart, e)
			}
		}
		if more := tracker.Events(poll(t, "220: "+all)); len(more) > 0 || len(tracker.open) != 2 {
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
	fresh, want := n.Fresh(), []string{"ann", "bob", "x" + long[:LongestName-2], "\ufffd"} // truncated at whole characters
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

// The tasks of an array share a number while they wait, and get their own when they run. A log may
// have only the latter. The record of a cancelled array ends the tasks that were waiting.
func TestArrays(t *testing.T) {
	polls := []struct{ text, labels string }{ // "-" is a record with a number only, "rest" the record of all waiting tasks
		{"100: pending 3 90, pending 3 90, pending 3 90, pending 3 90", "3_1 3_2 3_3 3_4"},
		{"130: running 7 90 110, pending 3 90, pending 3 90, pending 3 90", "3_1 3_2 3_3 3_4"},
		{"160: running 8 90 135 | ended 7 90 110 139, cancelled 3 90 150", "3_2 - rest"},
		{"190: | ended 7 90 110 139, cancelled 3 90 150, ended 8 90 135 170, ended 7 90 110 139", "- rest 3_2 3_1"},
	}
	want := []string{
		"3_1 submit 3 at 90", "3_2 submit 3 at 90", "3_3 submit 3 at 90", "3_4 submit 3 at 90",
		"3_1 start 7 at 110", "3_2 start 8 at 135", "3_1 finish 7 at 139", "3_3 finish 3 at 150", "3_4 finish 3 at 150", "3_2 finish 8 at 170",
	}
	for restart := range polls {
		tracker := NewTracker()
		var all []Event
		for i, x := range polls {
			if i == restart {
				tracker = replayed(all)
			}
			p := poll(t, x.text)
			for k, label := range strings.Fields(x.labels) {
				list, k := p.Jobs, k
				if k >= len(list) {
					list, k = p.Ended, k-len(list)
				}
				s := &list[k]
				switch label {
				case "-":
				case "rest":
					s.Array, s.Tasks = 3, true
				default:
					s.Array, s.Label = 3, label
				}
			}
			all = append(all, tracker.Events(p)...)
		}
		var got []string
		for _, e := range all {
			got = append(got, e.Label+" "+seen(e.Kind, e.Time, e.Job.ID))
		}
		check(t, fmt.Sprint("restarted before poll ", restart), got, want)
		check(t, "open", len(tracker.open), 0)
	}
}
