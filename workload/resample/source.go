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

// maxJobs is the largest number of jobs of a log, since indices have 32 bits.
const maxJobs = 1 << 28

// source is the log that twins are made from.
type source struct {
	jobs  heldJobs    // in the log's order
	zone  zone        // time zone of the site
	list  []sourceJob // by user, then by submission
	users []sourceUser
	odd   workload.Warnings

	weeks    []Week // waits in the log by week
	hasWaits bool

	start    float64 // s, the first submission
	first    float64 // s, the same in local time
	span     float64 // s, length of a lap: a little more than to the last submission
	total    float64 // work of all jobs
	counted  bool    // no job has work, so that each counts as 1
	last     float64 // s from first to the last submission
	elapsed  float64 // s from the first to the last submission; differs from last if the clock changes between them
	lastUser int64   // largest number of a user
}

// sourceJob has the data that are needed to move a job.
type sourceJob struct {
	user  int64
	at    float64 // s from first, local
	work  float64 // processor seconds
	row   int32   // row in source.jobs
	after int32   // row of the job that it waited for, or none; after group, the distance back to it in list, or 0
	think float32 // s
	haste float32 // 1 / max(run time, 10 s), 0 if it is unknown
}

// sourceUser is a user, or a week of jobs whose user is unknown.
type sourceUser struct {
	id     int64
	lo, hi int32 // range in source.list
	work   float64
	cells  []cell
}

// cell is the load that a user submits in a part of a period.
type cell struct {
	at float64 // middle of the part, s from first
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

// measure computes the log's span and work, and makes the times of jobs relative to first.
func (s *source) measure() {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range s.list {
		k := &s.list[i]
		lo, hi = min(lo, k.at), max(hi, k.at)
		s.total += k.work
	}
	s.first, s.last = lo, hi-lo
	// A lap ends a mean gap after the last submission, where the next lap begins.
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

// depend finds the preceding job of each job, in order of submission: from the log's waits or, if
// it has none, from the log's own dependencies. It also sums the waits by week.
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

// heldJobs holds jobs in batches. A column without values in a batch takes no memory.
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

// group sorts the jobs by user and submission, lists the users, and warns of what a twin cannot
// keep.
func (s *source) group() {
	width, _ := s.period()
	block := func(k *sourceJob) int64 { // the period of a job without a user, else 0
		if k.user != workload.Unknown {
			return 0
		}
		return int64(k.at / width)
	}
	slices.SortFunc(s.list, func(a, b sourceJob) int {
		return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(block(&a), block(&b)), cmp.Compare(a.at, b.at), cmp.Compare(a.row, b.row))
	})
	place := make([]int32, len(s.list)) // index in list by row
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

// add adds the next job of the user, in order of submission.
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

// period returns the unit in which users are moved, in seconds, and the number of complete ones in
// the log: weeks; days for a log of less than three weeks; or the whole log if it has less than two
// days.
func (s *source) period() (seconds float64, n int) {
	switch {
	case s.span >= 3*week:
		return week, int(s.span / week)
	case s.span >= 2*day:
		return day, int(s.span / day)
	}
	return s.span, 1
}

// zone converts seconds of the log to local time at its site and back. Local time is in seconds, so
// that equal times of day are a multiple of a day apart.
type zone struct{ clock workload.Clock }

// local returns the local time at a second of the log.
func (z zone) local(t float64) float64 { return t + z.offset(t) }

// offset returns the offset of local time at a second of the log; 0 for a log without a date.
func (z zone) offset(t float64) float64 {
	if !z.clock.Dates(t) {
		return 0
	}
	_, seconds := z.clock.At(t).Zone()
	return float64(seconds)
}

// moment is the inverse of local. A local time that occurs twice, when summer time ends, becomes
// one of the two; one that is skipped, when summer time begins, is taken as an hour later.
func (z zone) moment(local float64) float64 {
	guess := z.offset(local)
	if offset := z.offset(local - guess); offset != guess {
		return local - offset
	}
	return local - guess
}
