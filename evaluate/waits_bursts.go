package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/score"
)

const (
	burstsKept = 24   // bursts that one is chosen from
	burstRows  = 1000 // jobs of a burst that are kept
)

// LeastWaiting is the smallest number of predicted jobs that wait in a
// WaitsBurst.
const LeastWaiting = 10

// burstJob is a job's place in one of the bursts.
type burstJob struct{ burst, job int }

// burstWait is what was predicted for a job of a burst, and came.
type burstWait struct {
	job               int
	predicted, actual float64 // s
}

// WaitsBurst is, of the bursts with the most jobs (score.Bursts), the one with
// the largest sum of waits: figure 5 of Sonmez and others (2009).
type WaitsBurst struct {
	Waits string // the kind of waits, such as LogWaits
	User  int64
	Jobs  int
	Kept  int // the largest number of jobs, the first ones, whose waits are kept
	// Lines are the actual waits, then those of each predictor with a
	// prediction; none where no burst has enough jobs that waited.
	Lines []BurstLine
}

// BurstLine contains the waits of the first jobs of a burst, in seconds and in
// order; NaN if there is none.
type BurstLine struct {
	Name    string // of the predictor, or "actual"
	Seconds []float64
}

// keepBursts notes which jobs the bursts have.
func (r *waits) keepBursts(all []score.Burst) {
	r.longest = all
	r.burstJobs = map[int64]burstJob{}
	for i, b := range all {
		for k, row := range b.Rows {
			r.burstJobs[row] = burstJob{i, k}
		}
	}
}

// burstsFound has one for each kind of waits that was predicted.
func (r *waits) burstsFound() []WaitsBurst {
	var found []WaitsBurst
	for _, kind := range []string{QueueWaits, EASYWaits, LogWaits} {
		var of []*waitTally
		for _, t := range r.tallies {
			if t.waits == kind {
				of = append(of, t)
			}
		}
		if len(of) == 0 {
			continue
		}
		best, longest := -1, 0.0
		for b := range burstsKept {
			if n, sum := waiting(of, b); n >= LeastWaiting && sum > longest {
				best, longest = b, sum
			}
		}
		burst := WaitsBurst{Waits: kind, Kept: burstRows}
		if best >= 0 {
			burst.User, burst.Jobs, burst.Lines = r.longest[best].User, r.longest[best].Jobs, burstLines(of, best)
		}
		found = append(found, burst)
	}
	return found
}

// waiting is how many predicted jobs of a burst waited, and how long together, s.
func waiting(all []*waitTally, burst int) (most int, longest float64) {
	for _, t := range all {
		n, sum := 0, 0.0
		for _, j := range t.bursts[burst] {
			if j.actual > 0 && !math.IsNaN(j.predicted) {
				n++
				sum += j.actual
			}
		}
		most, longest = max(most, n), max(longest, sum)
	}
	return most, longest
}

func burstLines(all []*waitTally, burst int) []BurstLine {
	jobs := 0
	for _, t := range all {
		for _, j := range t.bursts[burst] {
			jobs = max(jobs, j.job+1)
		}
	}
	line := func(name string) BurstLine {
		l := BurstLine{Name: name, Seconds: make([]float64, jobs)}
		for i := range l.Seconds {
			l.Seconds[i] = math.NaN()
		}
		return l
	}
	lines := []BurstLine{line("actual")}
	for _, t := range all {
		l, some := line(t.predictor), false
		for _, j := range t.bursts[burst] {
			lines[0].Seconds[j.job], l.Seconds[j.job] = j.actual, j.predicted
			some = some || !math.IsNaN(j.predicted)
		}
		if some {
			lines = append(lines, l)
		}
	}
	return lines
}
