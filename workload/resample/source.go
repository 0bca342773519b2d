package resample

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

const (
	day  = 86400.0 // s
	week = 7 * day // s
	none = int32(-1)
)

// maxJobs is how many jobs a log may have: places are counted in 32 bits.
const maxJobs = 1 << 28

// source is the log that twins are made of.
type source struct {
	jobs  heldJobs    // in the log's order
	zone  zone        // of the site
	list  []sourceJob // by user, then by submission
	users []sourceUser
	odd   workload.Warnings

	weeks    []Week // by the log's waits
	hasWaits bool

	start    float64 // s, the first submission
	first    float64 // s, the same in local time
	span     float64 // s, until the twin's next lap begins: a little more than to the last submission
	total    float64 // work of all jobs
	counted  bool    // no job has work: each counts 1 instead
	last     float64 // s from first, the last submission
	elapsed  float64 // s from the first to the last submission; not last where the clock changes between them
	lastUser int64
}

// sourceJob is what moves a job.
type sourceJob struct {
	user  int64
	at    float64 // s from first, local
	work  float64 // processor seconds
	row   int32   // in jobs
	after int32   // row of the job that it waited for, then places back to it; none
	think float32 // s
	haste float32 // 1 / max(run time, 10 s), 0 if it is unknown
}

// sourceUser is a user, or a week of jobs whose user is unknown.
type sourceUser struct {
	id     int64
	lo, hi int32 // in list
	work   float64
	cells  []cell
}

// cell is what a user submits in a part of a period.
type cell struct {
	at float64 // s from first: its middle
	load
}

// read reads a log to its end.
func (s *source) read(jobs workload.JobSeq) error {
	sorted, latest := true, math.Inf(-1)
	var first, last workload.Request // by submission
	for j, err := range jobs {
		switch {
		case err != nil:
			return err
		case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
			s.odd.Add("no-submit-time", "jobs left out: their submission time is unknown", 0, j.Label())
			continue
		case len(s.list) == maxJobs:
			return fmt.Errorf("a log of more than %d jobs, want a part of it", maxJobs)
		}
		if len(s.list) == 0 || j.Submit < first.Submit {
			first = j.Request
		}
		if len(s.list) == 0 || j.Submit > last.Submit {
			last = j.Request
		}
		if days := (last.Submit - first.Submit) / day; days > extent.MaxDays {
			return fmt.Errorf("%s and %s are submitted %.3g days apart, want at most %d", first.Label(), last.Label(), days, extent.MaxDays)
		}
		sorted = sorted && j.Submit >= latest
		latest = j.Submit
		k := sourceJob{user: j.User, at: s.zone.local(j.Submit), row: int32(len(s.list)), after: none}
		if j.Size > 0 && j.Run > 0 && !math.IsInf(j.Run, 1) {
			k.work = float64(j.Size) * j.Run
		}
		if j.Run >= 0 {
			k.haste = float32(1 / max(10, j.Run))
		}
		s.lastUser = max(s.lastUser, j.User)
		s.list = append(s.list, k)
		s.jobs.add(&j)
	}
	s.start, s.elapsed = first.Submit, last.Submit-first.Submit
	if len(s.list) == 0 {
		return fmt.Errorf("nothing to resample: %w with a submission time", workload.ErrNoJobs)
	}
	if s.lastUser > math.MaxInt64/2 {
		return fmt.Errorf("user %d leaves no numbers for copies: 'anonymise' renumbers users", s.lastUser)
	}
	s.measure()
	if !sorted {
		slices.SortStableFunc(s.list, func(a, b sourceJob) int { return cmp.Compare(a.at, b.at) })
	}
	s.depend()
	s.group()
	return nil
}

// measure finds the log's span and work.
func (s *source) measure() {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range s.list {
		k := &s.list[i]
		lo, hi = min(lo, k.at), max(hi, k.at)
		s.total += k.work
	}
	s.first, s.last = lo, hi-lo
	// A lap goes on for a mean gap after the last submission, where the next begins.
	s.span = math.Ceil(s.last + max(1, s.last/float64(len(s.list))))
	if s.last == 0 {
		s.span = day
	}
	s.counted = !(s.total > 0) || math.IsInf(s.total, 1)
	if s.counted {
		s.total = float64(len(s.list))
	}
	for i := range s.list {
		s.list[i].at -= lo
		if s.counted {
			s.list[i].work = 1
		}
	}
}

// depend finds the preceding job of each, in order of submission: by the log's waits or, where
// it has none, as the log says itself.
func (s *source) depend() {
	tracker := sessions.NewTracker()
	byID := map[int64]*sourceJob{}
	s.weeks = make([]Week, int(s.span/week)+1)
	for i := range s.list {
		k := &s.list[i]
		j := s.jobs.at(k.row)
		s.hasWaits = s.hasWaits || !math.IsNaN(sessions.End(&j))
		if w := &s.weeks[int(k.at/week)]; j.Wait >= 0 {
			w.Wait += j.Wait
			w.Jobs++
		}
		if p := tracker.Add(&j); p.Preceding != workload.Unknown {
			k.after, k.think = int32(p.Preceding), float32(p.Think)
		}
		if j.ID != workload.Unknown {
			byID[j.ID] = k
		}
	}
	for i := range s.list {
		if s.hasWaits {
			break
		}
		k := &s.list[i]
		j := s.jobs.at(k.row)
		if p := byID[j.Preceding]; p != nil && j.Think >= 0 && j.User != workload.Unknown && p.user == k.user && p.at <= k.at {
			k.after, k.think = p.row, float32(j.Think)
		}
	}
}

// heldJobs are jobs in batches: a column that no job of a batch has takes no memory.
type heldJobs []*workload.Batch

func (h *heldJobs) add(j *workload.Job) {
	last := len(*h) - 1
	if last < 0 || (*h)[last].Rows == workload.DefaultBatchRows {
		*h = append(*h, &workload.Batch{})
		last++
	}
	(*h)[last].Append(j)
}

// at returns the job in a row, from 0.
func (h heldJobs) at(row int32) workload.Job {
	return h[row/workload.DefaultBatchRows].Job(int(row%workload.DefaultBatchRows), int64(row))
}

// group sorts the jobs by user and submission.
func (s *source) group() {
	width, _ := s.period()
	block := func(k *sourceJob) int64 { // of jobs without a user: their week
		if k.user != workload.Unknown {
			return 0
		}
		return int64(k.at / width)
	}
	slices.SortFunc(s.list, func(a, b sourceJob) int {
		return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(block(&a), block(&b)), cmp.Compare(a.at, b.at), cmp.Compare(a.row, b.row))
	})
	place := make([]int32, len(s.list)) // by row
	unknown, known, linked := int64(0), 0, false
	for i := range s.list {
		k := &s.list[i]
		place[k.row] = int32(i)
		if i == 0 || k.user != s.list[i-1].user || block(k) != block(&s.list[i-1]) {
			s.users = append(s.users, sourceUser{id: k.user, lo: int32(i)})
			if k.user != workload.Unknown {
				known++
			}
		}
		if k.user == workload.Unknown {
			unknown++
		}
		u := &s.users[len(s.users)-1]
		u.hi = int32(i) + 1
		u.add(k, width/parts)
	}
	for i := range s.list {
		k := &s.list[i]
		if back := int32(i) - place[max(0, k.after)]; k.after != none && back > 0 {
			k.after, linked = back, true
		} else {
			k.after, k.think = 0, 0
		}
	}
	if unknown > 0 {
		s.odd.Count(workload.Warning{Rule: "no-user", Count: unknown,
			Text: "jobs without a user: those of one week move together, so think times and habits of users are those of whole weeks"})
	}
	if known == 1 && unknown == 0 {
		s.odd.Add("one-user", "the log has one user: a twin has the same jobs in the same order and starts at another week", 0, "")
	}
	switch width {
	case week:
	case day:
		s.odd.Add("short-log", "the log has less than three weeks: users are moved by days, and weekdays are not kept", 0, "")
	default:
		s.odd.Add("short-log", "the log has less than two days: users are moved by up to 5 minutes, and a twin is much like the log", 0, "")
	}
	if !linked {
		s.odd.Add("no-waits", "no job waits for another one: the log lacks waits, run times or users, and it has no preceding jobs", 0, "")
	}
	if s.counted {
		s.odd.Add("no-work", "no job has both processors and a run time: the profile by week is of numbers of jobs, not of their work", 0, "")
	}
}

// add counts a job, in order of submission.
func (u *sourceUser) add(k *sourceJob, width float64) {
	u.work += k.work
	middle := (math.Floor(k.at/width) + .5) * width
	if n := len(u.cells); n == 0 || u.cells[n-1].at != middle {
		u.cells = append(u.cells, cell{at: middle})
	}
	c := &u.cells[len(u.cells)-1]
	c.work += k.work
	c.jobs++
	c.haste += float64(k.haste)
}

// period is what users are moved by multiples of, in seconds, and how many of
// it the log has in full: weeks, days of a log of less than three weeks, or one
// that is the whole log where it has less than two days.
func (s *source) period() (seconds float64, n int) {
	switch {
	case s.span >= 3*week:
		return week, int(s.span / week)
	case s.span >= 2*day:
		return day, int(s.span / day)
	}
	return s.span, 1
}

// zone turns seconds of the log into the wall clock of its site and back, in
// seconds that are a multiple of a day apart at one time of day.
type zone struct{ clock workload.Clock }

// local is the wall clock at a second of the log.
func (z zone) local(t float64) float64 { return t + z.offset(t) }

// offset is that of the clock at a second of the log; of a log without a date 0.
func (z zone) offset(t float64) float64 {
	if !z.clock.Dates(t) {
		return 0
	}
	_, seconds := z.clock.At(t).Zone()
	return float64(seconds)
}

// moment is the inverse of local. At the hour that a summer's end repeats it is
// one of the two, and the hour that its begin skips is taken an hour on.
func (z zone) moment(local float64) float64 {
	guess := z.offset(local)
	if offset := z.offset(local - guess); offset != guess {
		return local - offset
	}
	return local - guess
}
