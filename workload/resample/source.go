package resample

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	jobs  store     // in the log's order
	start float64   // s, the first submission
	first float64   // s, the same in local time
	span  float64   // s, until the twin's next lap begins: a little more than to the last submission
	zone  zone      // of the site
	row   []int32   // by user, then by submission: the place in jobs
	at    []float64 // the same: s from first, local
	work  []float64 // the same: processor seconds
	after []int32   // the same: places back to the job that this one waited for; 0 for none
	think []float32 // the same: s
	users []sourceUser

	total    float64 // work of all jobs
	counted  bool    // no job has work: each counts 1 instead
	last     float64 // s from first, the last submission
	elapsed  float64 // s from the first to the last submission; not last where the clock changes between them
	lastUser int64
	waits    bool // the log has waits, from which the dependencies come
}

// sourceUser is a user, or a week of jobs whose user is unknown.
type sourceUser struct {
	id     int64
	lo, hi int32 // in row, at, work
	work   float64
	cells  []cell
}

// cell is the work that a user submits in a part of a period.
type cell struct {
	at   float64 // s from first: its middle
	work float64
}

// readSource reads a log to its end.
func readSource(jobs workload.JobSeq, clock workload.Clock, odd *workload.Warnings) (*source, error) {
	s := &source{zone: zone{clock: clock}}
	if err := s.hold(jobs, odd); err != nil {
		s.jobs.Close()
		return nil, err
	}
	return s, nil
}

// held is what orders and moves the jobs.
type held struct {
	user  int64
	local float64
	work  float64
	row   int32
	pred  int32 // row of the preceding job
	think float32
}

func (s *source) hold(jobs workload.JobSeq, odd *workload.Warnings) error {
	var list []held
	sorted, latest := true, math.Inf(-1)
	var first, last workload.Request // by submission
	for j, err := range jobs {
		switch {
		case err != nil:
			return err
		case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
			odd.Add("no-submit-time", "jobs left out: their submission time is unknown", 0, j.Label())
			continue
		case len(list) == maxJobs:
			return fmt.Errorf("a log of more than %d jobs, want a part of it", maxJobs)
		}
		if len(list) == 0 || j.Submit < first.Submit {
			first = j.Request
		}
		if len(list) == 0 || j.Submit > last.Submit {
			last = j.Request
		}
		if days := (last.Submit - first.Submit) / day; days > MaxDays {
			return fmt.Errorf("%s and %s are submitted %.3g days apart, want at most %d", first.Label(), last.Label(), days, MaxDays)
		}
		sorted = sorted && j.Submit >= latest
		latest = j.Submit
		h := held{user: j.User, local: s.zone.local(j.Submit), row: int32(len(list)), pred: none}
		if j.Size > 0 && j.Run > 0 && !math.IsInf(j.Run, 1) {
			h.work = float64(j.Size) * j.Run
		}
		s.lastUser = max(s.lastUser, j.User)
		list = append(list, h)
		if err := s.jobs.append(&j); err != nil {
			return err
		}
	}
	s.start, s.elapsed = first.Submit, last.Submit-first.Submit
	if len(list) == 0 {
		return fmt.Errorf("nothing to resample: %w with a submission time", workload.ErrNoJobs)
	}
	if s.lastUser > math.MaxInt64/2 {
		return fmt.Errorf("user %d leaves no numbers for copies: 'anonymise' renumbers users", s.lastUser)
	}
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	if !sorted {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(list[a].local, list[b].local) })
	}
	s.measure(list)
	if err := s.depend(list, order); err != nil {
		return err
	}
	s.group(list, odd)
	return nil
}

// measure finds the log's span and work.
func (s *source) measure(list []held) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range list {
		lo, hi = min(lo, list[i].local), max(hi, list[i].local)
		s.total += list[i].work
	}
	s.first, s.last = lo, hi-lo
	// A lap goes on for a mean gap after the last submission, where the next begins.
	s.span = math.Ceil(s.last + max(1, s.last/float64(len(list))))
	if s.last == 0 {
		s.span = day
	}
	if s.counted = !(s.total > 0) || math.IsInf(s.total, 1); s.counted {
		s.total = float64(len(list))
		for i := range list {
			list[i].work = 1
		}
	}
}

// depend finds the preceding job of each: by the log's waits or, where it has
// none, as the log says itself.
func (s *source) depend(list []held, order []int32) error {
	tracker := sessions.NewTracker()
	byID := map[int64]int32{}
	for _, i := range order {
		job, err := s.jobs.at(i)
		if err != nil {
			return err
		}
		j := *job
		j.Row = int64(i)
		s.waits = s.waits || !math.IsNaN(sessions.End(&j))
		if p := tracker.Add(&j); p.Preceding != workload.Unknown {
			list[i].pred, list[i].think = int32(p.Preceding), float32(p.Think)
		}
		if j.ID != workload.Unknown {
			byID[j.ID] = i
		}
	}
	if s.waits {
		return nil
	}
	for i := range list {
		j, err := s.jobs.at(int32(i))
		if err != nil {
			return err
		}
		if p, ok := byID[j.Preceding]; ok && j.Think >= 0 && j.User != workload.Unknown && list[p].user == j.User && list[p].local <= list[i].local {
			list[i].pred, list[i].think = p, float32(j.Think)
		}
	}
	return nil
}

// group sorts the jobs by user and submission.
func (s *source) group(list []held, odd *workload.Warnings) {
	width, _ := s.period()
	unknown := int64(0)
	block := func(h *held) int64 { // of jobs without a user: their week
		if h.user != workload.Unknown {
			return 0
		}
		return int64((h.local - s.first) / width)
	}
	for i := range list {
		if list[i].user == workload.Unknown {
			unknown++
		}
	}
	sorted := make([]int32, len(list))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(a, b int32) int {
		x, y := &list[a], &list[b]
		return cmp.Or(cmp.Compare(x.user, y.user), cmp.Compare(block(x), block(y)), cmp.Compare(x.local, y.local), cmp.Compare(a, b))
	})
	place := make([]int32, len(list)) // by row
	for k, i := range sorted {
		place[i] = int32(k)
	}
	n := len(list)
	s.row, s.at, s.work = sorted, make([]float64, n), make([]float64, n)
	s.after, s.think = make([]int32, n), make([]float32, n)
	for k, i := range sorted {
		h := &list[i]
		s.at[k], s.work[k] = h.local-s.first, h.work
		if h.pred != none && place[h.pred] < int32(k) {
			s.after[k], s.think[k] = int32(k)-place[h.pred], h.think
		}
		if k == 0 || h.user != list[sorted[k-1]].user || block(h) != block(&list[sorted[k-1]]) {
			s.users = append(s.users, sourceUser{id: h.user, lo: int32(k)})
		}
		u := &s.users[len(s.users)-1]
		u.hi = int32(k) + 1
		u.add(s.at[k], h.work, width/7)
	}
	s.warn(unknown, odd)
}

// add counts a job's work, in order of submission.
func (u *sourceUser) add(at, work, width float64) {
	u.work += work
	middle := (math.Floor(at/width) + .5) * width
	if n := len(u.cells); n > 0 && u.cells[n-1].at == middle {
		u.cells[n-1].work += work
		return
	}
	u.cells = append(u.cells, cell{middle, work})
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

// load is the log's offered load, NaN where it is unknown.
func (s *source) load(processors int64) float64 {
	if s.counted || s.elapsed <= 0 || processors < 1 {
		return math.NaN()
	}
	return s.total / s.elapsed / float64(processors)
}

func (s *source) warn(unknown int64, odd *workload.Warnings) {
	if unknown > 0 {
		odd.Count(workload.Warning{Rule: "no-user", Count: unknown,
			Text: "jobs without a user: those of one week move together, so think times and habits of users are those of whole weeks"})
	}
	if known := s.known(); known == 1 && unknown == 0 {
		odd.Add("one-user", "the log has one user: a twin has the same jobs in the same order and starts at another week", 0, "")
	}
	switch p, _ := s.period(); {
	case p == week:
	case p == day:
		odd.Add("short-log", "the log has less than three weeks: users are moved by days, and weekdays are not kept", 0, "")
	default:
		odd.Add("short-log", "the log has less than two days: users are moved by up to 5 minutes, and a twin is much like the log", 0, "")
	}
	if !slices.ContainsFunc(s.after, func(back int32) bool { return back > 0 }) {
		odd.Add("no-waits", "no job waits for another one: the log lacks waits, run times or users, and it has no preceding jobs", 0, "")
	}
	if s.counted {
		odd.Add("no-work", "no job has both processors and a run time: the profile by week is of numbers of jobs, not of their work", 0, "")
	}
}

// known counts the users.
func (s *source) known() (n int) {
	for i := range s.users {
		if s.users[i].id != workload.Unknown {
			n++
		}
	}
	return n
}
