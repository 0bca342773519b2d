package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BurstGap is the longest time, in seconds, between two submissions of one user
// within a burst: five minutes.
const BurstGap = 300

// Bursts identifies jobs that are submitted in a burst: within BurstGap of the
// same user's previous job. The first job of a burst is not counted, because
// nothing distinguishes it from any other job when it is submitted. Bounds rest
// on waits that have ended, and fail within bursts: Sonmez and others (2009),
// section 4.2 and figure 5. The zero value is ready.
type Bursts struct {
	last map[int64]float64
}

// In enters the next job in order of submission and reports whether it is in a
// burst. A job without a user or a submission time is in none.
func (b *Bursts) In(r *workload.Request) bool {
	if r.User == workload.Unknown || math.IsNaN(r.Submit) {
		return false
	}
	if b.last == nil {
		b.last = map[int64]float64{}
	}
	last, ok := b.last[r.User]
	b.last[r.User] = r.Submit
	return ok && r.Submit-last <= BurstGap
}

// LongestBursts finds the bursts with the most jobs. Jobs are added in order of
// submission. It holds the rows of each user's present burst and of the bursts
// kept.
type LongestBursts struct {
	Keep     int // bursts
	KeepRows int // rows kept of each burst, from its first job on

	bursts  Bursts
	open    map[int64]*Burst // by user
	longest []Burst
}

// Burst is a run of jobs of one user, each submitted within BurstGap of the one
// before. It includes the first job, which Bursts does not count as part of the
// burst.
type Burst struct {
	User int64
	Jobs int
	Rows []int64 // numbers of the first of them in the log, in order of submission
}

// Add enters the next job by submission.
func (l *LongestBursts) Add(r *workload.Request) {
	in := l.bursts.In(r)
	if r.User == workload.Unknown || r.Submit != r.Submit {
		return
	}
	if l.open == nil {
		l.open = map[int64]*Burst{}
	}
	b := l.open[r.User]
	switch {
	case b == nil:
		b = &Burst{User: r.User}
		l.open[r.User] = b
	case !in:
		l.close(b)
		b.Jobs, b.Rows = 0, b.Rows[:0]
	}
	b.Jobs++
	if len(b.Rows) < l.KeepRows {
		b.Rows = append(b.Rows, r.Row)
	}
}

// close enters a burst among the longest, if it is.
func (l *LongestBursts) close(b *Burst) {
	if b.Jobs < 2 || len(l.longest) == l.Keep && !longer(b, &l.longest[l.Keep-1]) {
		return
	}
	at, _ := slices.BinarySearchFunc(l.longest, b, func(x Burst, b *Burst) int {
		if longer(&x, b) {
			return -1
		}
		return 1
	})
	l.longest = slices.Insert(l.longest, at, Burst{b.User, b.Jobs, slices.Clone(b.Rows)})
	l.longest = l.longest[:min(len(l.longest), l.Keep)]
}

// longer says which of two bursts comes first: the one with more jobs, of two
// with as many the one that begins first.
func longer(a, b *Burst) bool {
	return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.Rows[0], b.Rows[0])) < 0
}

// Result ends all bursts and returns the longest, longest first.
func (l *LongestBursts) Result() []Burst {
	for _, b := range l.open {
		l.close(b)
	}
	l.open = nil
	return l.longest
}
