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
	slot   int32 // a number of its own, below the lap's slots
	before int32 // the slot of the job that it waits for, as in the log; none for none
}

// lap is a stretch of the twin, as long as the log.
type lap struct {
	number  int64
	end     bool // the twin ends with it
	members []member
	entries []entry // by submission
	slots   int     // those that were taken out included
}

// lap makes a whole lap. end means that it is the twin's last.
func (t *Twin) lap(number int64, end bool) *lap {
	l := t.plan(number, t.factor, t.source.span)
	l.end = end
	if t.factor != 1 || t.o.Load > 0 {
		t.fit(l, t.source.span, 1)
	}
	return l
}

// part makes the beginning of a lap, window seconds long, with scale times its share of the
// work.
func (t *Twin) part(number int64, window, scale float64) *lap {
	l := t.plan(number, t.factor, window)
	l.end = true
	t.fit(l, window, scale)
	return l
}

// share is the work that a lap should have: the twin's load, from its first
// submission to its last.
func (t *Twin) share(l *lap) float64 {
	s := t.source
	if len(l.entries) == 0 || s.last <= 0 {
		return t.factor * s.total
	}
	from, to := s.start+float64(l.number)*s.span, s.start+float64(l.number+1)*s.span
	if l.number == 0 {
		from = l.entries[0].submit
	}
	if l.end {
		to = l.entries[len(l.entries)-1].submit
	}
	return t.factor * s.total * (to - from) / s.last
}

// fit brings a lap to scale times the work that it should have, with more users where it has
// too little, then without the last jobs of some.
func (t *Twin) fit(l *lap, window, scale float64) {
	if t.o.still {
		return
	}
	factor := t.factor
	for range 8 {
		should, has := scale*t.share(l), t.source.workOf(l)
		if has >= .9995*should || has <= 0 {
			break
		}
		if factor *= 1.01 * should / has; factor > mostMembers(t.factor) {
			break
		}
		again := t.plan(l.number, factor, window)
		l.members, l.entries, l.slots = again.members, again.entries, again.slots
	}
	for pass := range 3 { // what is taken out may have been the last job
		if share := t.share(l); share > 0 { // of one moment there is no load
			t.trim(l, t.source.workOf(l)-scale*share, pass)
		}
	}
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
	jobs := 0
	for i := range members {
		jobs += int(members[i].hi - members[i].lo)
	}
	l.entries = make([]entry, 0, int(float64(jobs)*min(1, window/s.span))+1)
	z, slots := s.zone, []int32(nil)
	for i := range members {
		l.entries, slots = s.placed(&r, members, int32(i), window, &z, l.entries, slots)
	}
	l.slots = len(l.entries)
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

// placed appends the jobs of a member within the window. slots is used for the
// next member's.
func (s *source) placed(r *ring, members []member, i int32, window float64, z *zone, entries []entry, slots []int32) ([]entry, []int32) {
	m := &members[i]
	slots = slots[:0]
	for k := m.lo; k < m.hi; k++ {
		at := r.place(s.at[k], m.move, m.jitter)
		if at-r.begin >= window {
			slots = append(slots, none)
			continue
		}
		e := entry{submit: z.moment(s.first + at), job: k, member: i, slot: int32(len(entries)), before: none}
		if back := s.after[k]; back > 0 && k-back >= m.lo {
			// Not across the ring's end: both were moved by the same time.
			moved := at - r.place(s.at[k-back], m.move, m.jitter)
			if math.Abs(moved-(s.at[k]-s.at[k-back])) < 1e-3 {
				e.before = slots[k-back-m.lo]
			}
		}
		slots = append(slots, e.slot)
		entries = append(entries, e)
	}
	return entries, slots
}

// workOf is the work of a lap's jobs.
func (s *source) workOf(l *lap) (sum float64) {
	for _, e := range l.entries {
		sum += s.work[e.job]
	}
	return sum
}

// trim takes out so much work: first the last jobs of members drawn at random, no larger a
// share of the jobs than of the work, then the largest jobs that fit into what is left. The
// last jobs alone would be many small ones, since few jobs have most of the work, and a twin
// would have too few jobs for its load.
func (t *Twin) trim(l *lap, excess float64, pass int) {
	if !(excess > 0) {
		return
	}
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(l.number)^1<<63+uint64(pass)))
	of, work := l.byMember(), func(i int32) float64 { return t.source.work[l.entries[i].job] }
	out := make([]bool, len(l.entries))
	left := int(excess / t.source.workOf(l) * float64(len(l.entries))) // jobs
	for _, m := range rng.Perm(len(of)) {
		for _, i := range slices.Backward(of[m]) {
			if left == 0 || work(i) > excess {
				break
			}
			excess -= work(i)
			out[i] = true
			left--
		}
	}
	largest := slices.Concat(of...)
	slices.SortFunc(largest, func(a, b int32) int { return cmp.Or(cmp.Compare(work(b), work(a)), cmp.Compare(a, b)) })
	for _, i := range largest {
		if w := work(i); !out[i] && w > 0 && w <= excess {
			excess -= w
			out[i] = true
		}
	}
	l.leave(out)
}

// thin takes out so many jobs with as little work as may be: the last jobs of
// members, those with the least work a job first.
func (t *Twin) thin(l *lap, excess int) {
	of := l.byMember()
	mean := make([]float64, len(of)) // work a job
	order := make([]int, len(of))
	for m, jobs := range of {
		for _, i := range jobs {
			mean[m] += t.source.work[l.entries[i].job] / float64(len(jobs))
		}
		order[m] = m
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(mean[a], mean[b]), cmp.Compare(a, b)) })
	out := make([]bool, len(l.entries))
	for _, m := range order {
		for _, i := range slices.Backward(of[m]) {
			if excess == 0 {
				break
			}
			excess--
			out[i] = true
		}
	}
	l.leave(out)
}

// byMember are the entries of each member.
func (l *lap) byMember() [][]int32 {
	of := make([][]int32, len(l.members))
	for i, e := range l.entries {
		of[e.member] = append(of[e.member], int32(i))
	}
	return of
}

// leave takes out entries.
func (l *lap) leave(out []bool) {
	kept := l.entries[:0]
	for i, e := range l.entries {
		if !out[i] {
			kept = append(kept, e)
		}
	}
	l.entries = kept
}
