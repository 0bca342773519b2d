package population

import "math"

// level scales a lap's jobs to the wanted load between two moments, by one factor on the longest
// run times, which make up three quarters of the work.
func (w *Workload) level(l *lap, from, to float64) {
	want := w.load * float64(w.m.Processors) * (to - from)
	if !(want > 0) {
		return
	}
	var by [2048]float64 // work by ln run time
	at := func(run float64) int { return min(len(by)-1, int(50*math.Log1p(run))) }
	all := 0.0
	for i := range l.order {
		j := l.job(i)
		all += j.work()
		if !j.reached {
			by[at(j.run)] += j.work()
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
	var longest []entry
	for i, e := range l.order {
		if j := l.job(i); !j.reached && at(j.run) >= least {
			longest = append(longest, e)
		}
	}
	for range 4 { // repeated, because estimates limit how far run times grow
		f := math.Max(.01, 1+(want-all)/long)
		for _, e := range longest {
			x := &l.people[e.user]
			j := &x.jobs[e.job]
			run := math.Max(1, w.below(x, j, math.Round(j.run*f)))
			grows := (run - j.run) * float64(j.size)
			all, long, j.run = all+grows, long+grows, run
		}
		if math.Abs(want-all) < 1e-4*want {
			return
		}
	}
}

// cut keeps only the first n jobs, and of these the jobs submitted before a moment.
func (l *lap) cut(n int64, before float64) {
	k := 0
	for k < len(l.order) && int64(k) < n && l.order[k].at < before {
		k++
	}
	l.order = l.order[:k]
}
