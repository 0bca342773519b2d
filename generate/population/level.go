package population

import "math"

// level brings a lap's jobs to the load from one moment to another, by one factor
// on the longest run times, those that make three quarters of the work.
func (p *prepared) level(l *lap, from, to float64) {
	want := p.load * float64(p.m.Processors) * (to - from)
	if !(want > 0) {
		return
	}
	var by [2048]float64 // work by ln run time
	at := func(run float64) int { return min(len(by)-1, int(50*math.Log1p(run))) }
	all := 0.0
	for _, e := range l.order {
		j := &l.people[e.user].jobs[e.job]
		w := j.run * float64(j.size)
		all += w
		if !j.reached {
			by[at(j.run)] += w
		}
	}
	long, least := 0.0, len(by)
	for least > 1 && (long < .75*all || long+want <= all) {
		least--
		long += by[least]
	}
	if !(long > 0) {
		return
	}
	var of []int32
	for k, e := range l.order {
		if j := &l.people[e.user].jobs[e.job]; !j.reached && at(j.run) >= least {
			of = append(of, int32(k))
		}
	}
	for range 4 { // estimates cut what grows beyond them
		f := math.Max(.01, 1+(want-all)/long)
		for _, k := range of {
			e := l.order[k]
			x := &l.people[e.user]
			j := &x.jobs[e.job]
			run := math.Max(1, p.below(x, j, math.Round(j.run*f)))
			all += (run - j.run) * float64(j.size)
			long += (run - j.run) * float64(j.size)
			j.run = run
		}
		if math.Abs(want-all) < 1e-4*want {
			return
		}
	}
}

// cut leaves the first n jobs before a moment.
func (l *lap) cut(n int64, before float64) {
	k := 0
	for k < len(l.order) && int64(k) < n && l.order[k].at < before {
		k++
	}
	l.order = l.order[:k]
}
