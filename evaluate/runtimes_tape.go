package evaluate

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimesTape contains the predictions, job by job, of a share of the
// predictors of a benchmark. A benchmark is divided by predictors, not by jobs,
// because a predictor may depend on every job. Scores that span predictors,
// such as those over common jobs, are computed from all tapes together.
type RunTimesTape struct {
	Predictors []string    // predictor,classes
	Said       [][]float64 // s, by predictor and job of the replay; NaN for nothing
	Behind     [][]float64 // observations, likewise
}

// RecordRunTimes replays a log for a share of the predictors of RunTimes.
func RecordRunTimes(ctx context.Context, log *workload.Log, o RunTimesOptions, share workload.Share) (*RunTimesTape, error) {
	r, err := taped(log, o)
	if err != nil {
		return nil, err
	}
	from, to := share.Of(int64(len(r.entries)))
	entries := r.entries[from:to]
	t := &RunTimesTape{Said: make([][]float64, len(entries)), Behind: make([][]float64, len(entries))}
	for _, e := range entries {
		t.Predictors = append(t.Predictors, labelOf(e))
	}
	if len(entries) == 0 {
		return t, nil
	}
	return t, r.replay(ctx, int(from), int(to), func(row *runtime.Row) error {
		for i, p := range row.Predictions {
			t.Said[i] = append(t.Said[i], p.Seconds)
			t.Behind[i] = append(t.Behind[i], float64(p.Observations))
		}
		return nil
	})
}

// RunTimesOf is RunTimes with recorded predictions, the tapes of all shares in
// their order, in place of the predictors. No program is run.
func RunTimesOf(ctx context.Context, log *workload.Log, o RunTimesOptions, tapes []*RunTimesTape) (*RunTimesResult, error) {
	r, err := taped(log, o)
	if err != nil {
		return nil, err
	}
	var players []runtime.Entry
	jobs := -1
	for _, t := range tapes {
		for i, label := range t.Predictors {
			n := len(players)
			if n == len(r.entries) || labelOf(r.entries[n]) != label || len(t.Said) <= i || len(t.Behind) <= i || len(t.Behind[i]) != len(t.Said[i]) || jobs >= 0 && len(t.Said[i]) != jobs {
				return nil, errTapes
			}
			jobs = len(t.Said[i])
			e := r.entries[n]
			e.Recorded = &player{said: t.Said[i], behind: t.Behind[i]}
			if n >= len(r.entries)-len(o.Programs) {
				e.Own = e.Recorded
			}
			players = append(players, e)
		}
	}
	if len(players) != len(r.entries) {
		return nil, errTapes
	}
	if err := r.play(ctx, players, r.add); err != nil {
		return nil, err
	}
	for _, e := range players {
		if p := e.Recorded.(*player); p.at != len(p.said) {
			return nil, errTapes
		}
	}
	return r.result()
}

var errTapes = errors.New("the parts do not hold a prediction of every predictor for every job of the log")

// taped begins a benchmark whose predictors can be taped.
func taped(log *workload.Log, o RunTimesOptions) (*runTimes, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	switch {
	case slices.Contains(o.Predictors, runtime.KernelName):
		return nil, &workload.OptionError{Option: "predictors", Saw: runtime.KernelName + ", whose distributions a part cannot keep", Want: "others, or one run without `part`"}
	case log.Lacks(workload.ColRunTime):
		return nil, noRunTimes(log)
	}
	return newRunTimes(log, o)
}

// player says again what a predictor has said.
type player struct {
	said, behind []float64
	at           int
}

// Predict returns the next prediction.
func (p *player) Predict(workload.Request) (workload.Prediction, bool) {
	if p.at == len(p.said) {
		p.at++ // one more job than there were
		return workload.Prediction{}, false
	}
	at := p.at
	p.at++
	if p.at > len(p.said) || math.IsNaN(p.said[at]) {
		return workload.Prediction{}, false
	}
	return workload.Prediction{Seconds: p.said[at], Observations: int(p.behind[at])}, true
}

// Observe does nothing.
func (p *player) Observe(workload.Job) {}
