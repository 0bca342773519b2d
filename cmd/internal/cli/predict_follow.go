package cli

import (
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// submissions are the first and the last of a log, s.
type submissions struct {
	first, last float64
	some        bool
}

func (s *submissions) add(at float64) {
	if math.IsNaN(at) || math.IsInf(at, 0) {
		return
	}
	if !s.some {
		s.first, s.last, s.some = at, at, true
	}
	s.first, s.last = min(s.first, at), max(s.last, at)
}

// leastBlocks is how many blocks of time a log has to have: fewer tell too
// little of how much they differ.
const leastBlocks = 10

// block is the length of the blocks of time of a log, s, and its name: weeks, or
// days where there are too few of them; 0 where there are too few days.
func (s submissions) block() (seconds float64, name string) {
	for _, b := range []struct {
		seconds float64
		name    string
	}{{7 * 86400, "week"}, {86400, "day"}} {
		if s.last-s.first >= leastBlocks*b.seconds {
			return b.seconds, b.name
		}
	}
	return 0, ""
}

// of is the number of the block of a submission.
func (s submissions) of(at, seconds float64) int64 {
	return int64(math.Floor(max(-1e15, min(1e15, (at-s.first)/seconds))))
}

// predictFollower gathers one predictor's predictions for intervals and pictures.
type predictFollower struct {
	blocks  score.WaitBlocks
	scatter score.WaitScatter
	bursts  [burstsKept][]burstWait
	errors  score.RunTimeTally // of waits here, for their distributions
}

const (
	burstsKept = 24   // bursts that one is chosen from
	burstRows  = 1000 // jobs of a burst that are drawn
)

// burstJob is a job's place in one of the bursts.
type burstJob struct{ burst, job int }

// burstWait is what was predicted for a job of a burst, and came.
type burstWait struct {
	job               int
	predicted, actual float64 // s
}

// keepBursts notes which jobs the bursts have.
func (r *predictRun) keepBursts(all []score.Burst) {
	r.longest = all
	r.burstJobs = map[int64]burstJob{}
	for i, b := range all {
		for k, row := range b.Rows {
			r.burstJobs[row] = burstJob{i, k}
		}
	}
}

// add enters a scored job.
func (f *predictFollower) add(r *predictRun, q *workload.Request, predicted, actual float64) {
	if length, _ := r.span.block(); length > 0 {
		f.blocks.Add(r.span.of(q.Submit, length), predicted, actual)
	}
	if r.o.plots == "" {
		return
	}
	f.scatter.Add(predicted, actual)
	if r.app.draws(waitAccuracyPlot) || r.app.draws(waitErrorPlot) {
		f.errors.Add(predicted, actual)
	}
	if at, ok := r.burstJobs[q.Row]; ok {
		f.bursts[at.burst] = append(f.bursts[at.burst], burstWait{at.job, predicted, actual})
	}
}

// settle draws the intervals.
func (r *predictRun) settle() {
	for i := range r.scores {
		s := &r.scores[i]
		s.intervals = s.followed.blocks.Intervals(r.o.replicates, intervalLevel, r.o.seed)
	}
}

// calibrates says whether calibration curves are made: they are to be told or
// drawn.
func (r *predictRun) calibrates() bool {
	return r.o.calibrate || r.o.plots != "" && r.app.draws(calibrationPlot)
}

// predictBootstrapJSON says how the intervals were drawn.
type predictBootstrapJSON struct {
	By         string  `json:"by"` // week or day
	Replicates int     `json:"replicates"`
	Level      float64 `json:"level"`
	Seed       uint64  `json:"seed"`
}

func (r *predictRun) bootstrap() *predictBootstrapJSON {
	length, name := r.span.block()
	if length == 0 || r.o.replicates == 0 {
		return nil
	}
	return &predictBootstrapJSON{name, r.o.replicates, intervalLevel, r.o.seed}
}
