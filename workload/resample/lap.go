package resample

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// entry is a job of a lap.
type entry struct {
	submit float64 // s, as the log counts them
	job    int32   // in source.row
	member int32
	follow bool // it waits for the same job as in the log
}

// lap is a stretch of the twin, as long as the log.
type lap struct {
	number  int64
	members []member
	entries []entry // by submission
	slots   int     // jobs of all members, those cut off included
}

// lap makes a whole one.
func (t *Twin) lap(number int64) *lap {
	s := t.source
	l := t.plan(number, t.factor, s.span)
	if t.factor != 1 {
		// A load counts from the first submission to the last.
		t.fit(l, s.span, func(l *lap) float64 { return t.factor * s.total * min(1, l.length()/s.last) })
	}
	return l
}

// part makes the begin of one, of so many seconds, with its share of the work.
func (t *Twin) part(number int64, window float64) *lap {
	l := t.plan(number, t.factor, window)
	t.fit(l, window, func(*lap) float64 { return t.factor * t.source.total * window / t.source.span })
	return l
}

// fit brings a lap to the work that it should have, with more users where it has
// too little, then without the last jobs of some.
func (t *Twin) fit(l *lap, window float64, want func(*lap) float64) {
	if t.o.still {
		return
	}
	factor := t.factor
	for range 8 {
		should, has := want(l), t.source.workOf(l)
		if has >= should || has <= 0 {
			break
		}
		if factor *= 1.01 * should / has; factor > mostMembers(t.factor) {
			break
		}
		*l = *t.plan(l.number, factor, window)
	}
	t.trim(l, t.source.workOf(l)-want(l))
}

// mostMembers is how many times the log's users a lap has at most.
func mostMembers(factor float64) float64 { return 2*math.Ceil(factor) + 1 }

// plan makes a lap up to window seconds from its begin: who is in it, where each
// is moved to, and the jobs in order.
func (t *Twin) plan(number int64, factor, window float64) *lap {
	s := t.source
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(number)))
	r := s.ring(number)
	members := s.members(factor, rng)
	if !t.o.still {
		t.move(&r, members, factor, window, rng)
	}
	l := &lap{number: number, members: members}
	if n := len(members); n > 0 {
		l.slots = int(members[n-1].slot + members[n-1].hi - members[n-1].lo)
	}
	l.entries = make([]entry, 0, l.slots)
	z := s.zone
	for i := range members {
		l.entries = s.placed(&r, members, int32(i), window, &z, l.entries)
	}
	slices.SortFunc(l.entries, func(a, b entry) int {
		if a.submit != b.submit {
			if a.submit < b.submit {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(s.row[a.job], s.row[b.job]), cmp.Compare(a.member, b.member))
	})
	return l
}

// placed appends the jobs of a member within the window.
func (s *source) placed(r *ring, members []member, i int32, window float64, z *zone, entries []entry) []entry {
	m := &members[i]
	for k := m.lo; k < m.hi; k++ {
		at := r.place(s.at[k], m.move, m.jitter)
		if at-r.begin >= window {
			continue
		}
		e := entry{submit: z.moment(s.first + at), job: k, member: i}
		if back := s.after[k]; back > 0 && k-back >= m.lo {
			// Not across the ring's end: both were moved by the same time.
			moved := at - r.place(s.at[k-back], m.move, m.jitter)
			e.follow = math.Abs(moved-(s.at[k]-s.at[k-back])) < 1e-3
		}
		entries = append(entries, e)
	}
	return entries
}

// workOf is the work of a lap's jobs.
func (s *source) workOf(l *lap) (sum float64) {
	for _, e := range l.entries {
		sum += s.work[e.job]
	}
	return sum
}

// length is the time from the first submission to the last, s.
func (l *lap) length() float64 {
	if len(l.entries) == 0 {
		return 0
	}
	return l.entries[len(l.entries)-1].submit - l.entries[0].submit
}

// trim takes out so much work: the last jobs of members drawn at random, with
// their whole work or from a moment on.
func (t *Twin) trim(l *lap, excess float64) {
	if !(excess > 0) {
		return
	}
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(l.number)^1<<63))
	of := make([][]int32, len(l.members)) // the entries of each
	for i, e := range l.entries {
		of[e.member] = append(of[e.member], int32(i))
	}
	out := make([]bool, len(l.entries))
	for _, m := range rng.Perm(len(of)) {
		for _, i := range slices.Backward(of[m]) {
			work := t.source.work[l.entries[i].job]
			if work > excess {
				break
			}
			excess -= work
			out[i] = true
		}
		if excess <= 0 {
			break
		}
	}
	kept := l.entries[:0]
	for i, e := range l.entries {
		if !out[i] {
			kept = append(kept, e)
		}
	}
	l.entries = kept
}
