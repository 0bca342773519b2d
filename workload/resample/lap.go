package resample

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// lap is a part of the twin that is as long as the log.
type lap struct {
	number  int64
	end     bool // the twin ends with this lap
	members []member
	entries []entry // by submission
	slots   int     // number of slots, including those of entries taken out
}

// member is a user in a lap of the twin.
type member struct {
	user   int32
	copy   int32 // number of this copy of the user in the lap, from 0
	lo, hi int32 // its jobs in source.list: all of the user's, except for at most one member of a lap
	work   float64
	move   float64 // number of periods to move by
	jitter float64 // s to move by in addition
}

// entry is a job of a lap.
type entry struct {
	submit float64 // s since the log's second 0
	job    int32   // in source.list
	member int32
	slot   int32 // a unique number below lap.slots
	before int32 // slot of the job that it waits for in the log, or none
}

// whole returns a complete lap.
func (t *Twin) whole(number int64) *lap {
	l := t.plan(number, t.factor, t.span)
	l.end = t.o.Days == 0 && t.o.Jobs == 0
	if t.factor != 1 || t.o.Load > 0 {
		t.fit(l, t.span, 1)
	}
	return l
}

// part returns the beginning of a lap, window seconds long, with scale times its share of the work.
func (t *Twin) part(number int64, window, scale float64) *lap {
	l := t.plan(number, t.factor, window)
	l.end = true
	t.fit(l, window, scale)
	return l
}

// first returns the beginning of a lap with n jobs at the lap's load. It tries several lengths and
// takes the one whose load is nearest after the excess jobs have been removed; the number of jobs
// before the lap counts too. whole is the complete lap, or nil if it has not been made. Without it,
// first returns nil unless the lap has far more than n jobs.
func (t *Twin) first(number int64, whole *lap, n, before int64) *lap {
	if t.o.still {
		return whole
	}
	jobs := t.factor * float64(len(t.list))
	switch {
	case whole != nil:
		jobs = float64(len(whole.entries))
	case float64(n) > jobs/2:
		return nil
	}
	window := t.span * float64(n) / jobs
	var best *lap
	least, scale := math.Inf(1), 1.0
	for range 24 {
		l := t.part(number, min(window, t.span), scale)
		jobs := int64(len(l.entries))
		if jobs >= n {
			t.thin(l, int(jobs-n))
			share := t.share(l)
			if share == 0 {
				return l // all jobs are at one moment, for which load is undefined
			}
			got := t.workOf(l) / share
			off := math.Abs(got - 1)
			nearer := off < least
			if best == nil || nearer {
				best, least = l, off
			}
			if least*float64(n)/float64(n+before) < .002 {
				break
			}
			if scale = max(.5, min(2, scale/got)); nearer {
				continue // the same users, with scale making up for the jobs taken out
			}
		}
		if window >= t.span && jobs < n {
			break
		}
		window *= max(.5, min(2, 1.01*float64(n)/max(.5, float64(jobs))))
	}
	if best == nil && whole != nil {
		t.thin(whole, len(whole.entries)-int(n))
		return whole
	}
	return best
}

// mostMembers returns the largest number of members of a lap, in multiples of the log's users.
func mostMembers(factor float64) float64 { return 2*math.Ceil(factor) + 1 }

// plan makes a lap up to window seconds from its beginning: it chooses the members, moves each of
// them, and sorts their jobs by submission.
func (t *Twin) plan(number int64, factor, window float64) *lap {
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(number)))
	r := t.ring(number)
	l := &lap{number: number, members: t.members(factor, rng)}
	if !t.o.still {
		t.move(&r, l.members, factor, window, rng)
	}
	jobs := 0
	for i := range l.members {
		jobs += int(l.members[i].hi - l.members[i].lo)
	}
	l.entries = make([]entry, 0, int(float64(jobs)*min(1, window/t.span))+1)
	var slots []int32
	for i := range l.members {
		slots = t.enter(l, &r, int32(i), window, slots[:0])
	}
	l.slots = len(l.entries)
	slices.SortFunc(l.entries, func(a, b entry) int {
		if a.submit != b.submit {
			if a.submit < b.submit {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(t.list[a.job].row, t.list[b.job].row), cmp.Compare(a.member, b.member))
	})
	return l
}

// members chooses the users of a lap so that they bring factor times the log's work: all of them as
// many times as the whole part of factor, then some at random. The last of these brings only as
// many of its jobs as complete the work.
func (s *source) members(factor float64, rng *rand.Rand) (members []member) {
	whole := math.Floor(factor + 1e-9)
	add := func(u, c int) *member {
		x := &s.users[u]
		members = append(members, member{user: int32(u), copy: int32(c), lo: x.lo, hi: x.hi, work: x.work})
		return &members[len(members)-1]
	}
	for c := range int(whole) {
		for u := range s.users {
			add(u, c)
		}
	}
	left := (factor - whole) * s.total
	if left <= 1e-9*s.total {
		return members
	}
	for _, u := range rng.Perm(len(s.users)) {
		m := add(u, int(whole))
		if m.work <= left {
			left -= m.work
			continue
		}
		if s.cut(m, left, rng); m.hi == m.lo {
			members = members[:len(members)-1]
		}
		break
	}
	return members
}

// cut reduces a member to consecutive jobs, with a random beginning, that have at most the given
// work.
func (s *source) cut(m *member, work float64, rng *rand.Rand) {
	lo := m.lo + int32(rng.IntN(int(m.hi-m.lo)))
	sum, hi := 0.0, lo
	for hi < m.hi && sum+s.list[hi].work <= work {
		sum += s.list[hi].work
		hi++
	}
	for hi == m.hi && lo > m.lo && sum+s.list[lo-1].work <= work {
		lo--
		sum += s.list[lo].work
	}
	m.lo, m.hi, m.work = lo, hi, sum
}

// enter adds the jobs of member i within the window. It returns the slots of all the member's jobs,
// none for those outside the window.
func (s *source) enter(l *lap, r *ring, i int32, window float64, slots []int32) []int32 {
	m := &l.members[i]
	for k := m.lo; k < m.hi; k++ {
		j := &s.list[k]
		at := r.place(j.at, m.move, m.jitter)
		if at-r.begin >= window {
			slots = append(slots, none)
			continue
		}
		e := entry{submit: s.zone.moment(s.first + at), job: k, member: i, slot: int32(len(l.entries)), before: none}
		if p := k - j.after; j.after > 0 && p >= m.lo {
			// The dependency is dropped across the ring's end, where the two jobs are moved by
			// different times.
			moved := at - r.place(s.list[p].at, m.move, m.jitter)
			if math.Abs(moved-(j.at-s.list[p].at)) < 1e-3 {
				e.before = slots[p-m.lo]
			}
		}
		slots = append(slots, e.slot)
		l.entries = append(l.entries, e)
	}
	return slots
}

// workOf returns the work of a lap's jobs.
func (s *source) workOf(l *lap) (sum float64) {
	for _, e := range l.entries {
		sum += s.list[e.job].work
	}
	return sum
}

// share returns the work that a lap should have at the twin's load. The first lap begins with its
// first submission, and the last one ends with its last.
func (t *Twin) share(l *lap) float64 {
	n := len(l.entries)
	if n == 0 || t.last <= 0 {
		return t.factor * t.total
	}
	from, to := t.start+float64(l.number)*t.span, t.start+float64(l.number+1)*t.span
	if l.number == 0 {
		from = l.entries[0].submit
	}
	if l.end {
		to = l.entries[n-1].submit
	}
	return t.factor * t.total * (to - from) / t.last
}

// fit adjusts a lap to scale times the work that it should have: with more users if it has too
// little, then without the last jobs of some.
func (t *Twin) fit(l *lap, window, scale float64) {
	if t.o.still {
		return
	}
	factor := t.factor
	for range 8 {
		should, has := scale*t.share(l), t.workOf(l)
		if has >= .9995*should || has <= 0 {
			break
		}
		if factor *= 1.01 * should / has; factor > mostMembers(t.factor) {
			break
		}
		end := l.end
		*l = *t.plan(l.number, factor, window)
		l.end = end
	}
	for pass := range 3 { // the jobs taken out may include the last of the lap
		if share := t.share(l); share > 0 { // 0 if all jobs are at one moment, for which load is undefined
			t.trim(l, t.workOf(l)-scale*share, pass)
		}
	}
}

// trim takes out the excess work: first the last jobs of members drawn at random, up to the same
// share of the jobs as of the work, then the largest jobs that fit into the remaining excess. The
// last jobs alone would be many small ones, since few jobs have most of the work, and a twin would
// have too few jobs for its load.
func (t *Twin) trim(l *lap, excess float64, pass int) {
	if !(excess > 0) {
		return
	}
	rng := rand.New(rand.NewPCG(t.o.Seed, uint64(l.number)^1<<63+uint64(pass)))
	out, jobs := make([]bool, len(l.entries)), l.byMember()
	work := func(i int32) float64 { return t.list[l.entries[i].job].work }
	left := int(excess / t.workOf(l) * float64(len(l.entries))) // number of jobs that may be taken out from the end
	for _, m := range rng.Perm(len(jobs)) {
		for _, i := range slices.Backward(jobs[m]) {
			if left == 0 || work(i) > excess {
				break
			}
			excess -= work(i)
			out[i] = true
			left--
		}
	}
	largest := slices.Concat(jobs...)
	slices.SortFunc(largest, func(a, b int32) int { return cmp.Or(cmp.Compare(work(b), work(a)), cmp.Compare(a, b)) })
	for _, i := range largest {
		if w := work(i); !out[i] && w > 0 && w <= excess {
			excess -= w
			out[i] = true
		}
	}
	l.takeOut(out)
}

// thin takes out excess jobs with as little work as possible: the last jobs of members, beginning
// with the members with the least work per job.
func (t *Twin) thin(l *lap, excess int) {
	jobs := l.byMember()
	mean := make([]float64, len(jobs)) // work per job
	order := make([]int, len(jobs))
	for m, of := range jobs {
		order[m] = m
		for _, i := range of {
			mean[m] += t.list[l.entries[i].job].work / float64(len(of))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
	out := make([]bool, len(l.entries))
	for _, m := range order {
		n := min(excess, len(jobs[m]))
		excess -= n
		for _, i := range jobs[m][len(jobs[m])-n:] {
			out[i] = true
		}
	}
	l.takeOut(out)
}

// byMember returns the indices of each member's entries.
func (l *lap) byMember() [][]int32 {
	jobs := make([][]int32, len(l.members))
	for i, e := range l.entries {
		jobs[e.member] = append(jobs[e.member], int32(i))
	}
	return jobs
}

// takeOut removes the entries for which out is true.
func (l *lap) takeOut(out []bool) {
	kept := l.entries[:0]
	for i, e := range l.entries {
		if !out[i] {
			kept = append(kept, e)
		}
	}
	l.entries = kept
}
