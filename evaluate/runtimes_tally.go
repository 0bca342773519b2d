package evaluate

import (
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimeMeasure is the value of one of RunTimesOptions.Measures.
type RunTimeMeasure struct {
	Name  string       `json:"name"`
	Value stats.Number `json:"value"`
	Lower bool         `json:"lower_is_better"`
}

// Measure returns the value of a measure by its name, NaN if there is none.
func (s *RunTimeScore) Measure(name string) stats.Number {
	for _, m := range s.Measures {
		if m.Name == name {
			return m.Value
		}
	}
	return stats.Number(math.NaN())
}

// RunTimeLoss is the score that the point prediction of the first kernel optimises, if no
// other field has it: squared errors, and squared errors of logarithms.
type RunTimeLoss struct {
	Objective stats.Objective `json:"objective" csv:"-"`
	Mean      stats.Number    `json:"mean" show:"objective loss" better:"low"` // of stats.Objective.Loss, over the predicted jobs
}

// hasLoss says whether an objective is not among the scores of every run.
func hasLoss(o stats.Objective) bool { return o == stats.BySquared || o == stats.ByLog }

// runTimeTally gathers the scores of one entry.
type runTimeTally struct {
	score.RunTimeTally
	measures  []score.RunTimeMeasureTally
	objective stats.Objective // of the loss; "" for none
	loss      stats.Moments
	quantile  float64 // that bounds predict; NaN for none
	bound     score.RunTimeBoundTally
	kernel    *runtime.Kernel // whose distribution is asked for the bound; nil for a predictor that predicts bounds
}

// newTallies creates the tallies of the entries, and the kernels, which are asked for a
// quantile of their distribution too. All entries have the loss of the first kernel's
// objective.
func (r *runTimes) newTallies() error {
	r.tallies = make([]runTimeTally, len(r.entries))
	objective := stats.Objective("")
	for i := range r.entries {
		t, e := &r.tallies[i], &r.entries[i]
		for _, m := range r.o.Measures {
			t.measures = append(t.measures, score.NewRunTimeMeasureTally(m))
		}
		if t.quantile = math.NaN(); r.o.table != nil {
			t.quantile = r.o.table.Predictors[i].Quantile
		}
		if e.Own != nil || i >= len(r.entries)-len(r.o.Programs) {
			continue
		}
		rule, err := runtime.RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return err
		}
		if q := runtime.Level(rule); q > 0 {
			t.quantile = q
		}
		if runtime.HasClasses(rule) {
			continue
		}
		if e.Own, err = rule.New(); err != nil {
			return err
		}
		if t.kernel, _ = e.Own.(*runtime.Kernel); t.kernel != nil && objective == "" && hasLoss(t.kernel.Objective()) {
			objective = t.kernel.Objective()
		}
	}
	for i := range r.tallies {
		r.tallies[i].objective = objective
	}
	return nil
}

// add enters one job, which has just been predicted.
func (t *runTimeTally) add(predicted, actual float64) {
	t.Add(predicted, actual)
	for m := range t.measures {
		t.measures[m].Add(predicted, actual)
	}
	if t.objective != "" && !math.IsNaN(predicted) {
		t.loss.Add(t.objective.Loss(predicted, actual))
	}
	if math.IsNaN(t.quantile) {
		return
	}
	if t.kernel != nil {
		predicted = math.NaN()
		if d, ok := t.kernel.Last(); ok {
			predicted = d.Quantile(t.quantile)
		}
	}
	t.bound.Add(t.quantile, predicted, actual)
}

// enter puts the scores into a row of the result.
func (t *runTimeTally) enter(s *RunTimeScore) {
	s.RunTime, s.RunTimeDetail = t.Detail()
	s.Bound = t.bound.Result(t.quantile)
	for i, m := range t.measures {
		of := m.Measure()
		s.Measures = append(s.Measures, RunTimeMeasure{of.Name, stats.Number(t.measures[i].Value()), of.Lower})
	}
	if t.objective != "" {
		s.Loss = &RunTimeLoss{t.objective, stats.Number(t.loss.Mean())}
	}
}

// runTimesPart is one way of cutting the log into parts, and the scores by it.
type runTimesPart struct {
	by    string
	clock workload.Clock
	score.Groups
}

func newRunTimesPart(by string, log *workload.Log) runTimesPart {
	p := runTimesPart{by: by}
	p.clock, _ = log.Header.Clock()
	return p
}

func (p *runTimesPart) add(row *runtime.Row, common score.CommonJob) {
	p.Add(p.of(row.Job), row.Predictions, row.Job.Run, common)
}

// of is the number of a job's part.
func (p *runTimesPart) of(j *workload.Job) int64 {
	switch p.by {
	case "length":
		return score.LengthOf(j.Run)
	case "site":
		return j.Partition
	}
	return p.clock.Month(j.Submit)
}

// name is the part's.
func (p *runTimesPart) name(part int64) string {
	switch {
	case p.by == "length":
		return []string{"short", "medium", "long"}[part]
	case part == workload.Unknown:
		return "unknown"
	case p.by == "site":
		return strconv.FormatInt(part, 10)
	}
	return p.clock.MonthPeriod(part).Label
}

// partsOf gives the scores by parts of the entries that are scored.
func (r *runTimes) partsOf(scored []int) []RunTimesPart {
	var all []RunTimesPart
	for i := range r.parts {
		p := &r.parts[i]
		for _, part := range p.Parts() {
			out := RunTimesPart{By: p.by, Part: p.name(part.Part), Jobs: part.Jobs}
			kept := score.RunTimePart{}
			for _, k := range scored {
				e := r.entries[k]
				kept.Scores = append(kept.Scores, part.Scores[k])
				out.Scores = append(out.Scores, RunTimesPartScore{e.Classes.Name, e.Predictor, part.Scores[k]})
			}
			if best := kept.Best(); best >= 0 {
				s := out.Scores[best]
				out.BestScore = &s
				out.Best = &BestRunTime{Classes: s.Classes, Predictor: s.Predictor, MeanAccuracy: s.MeanAccuracy, AccuracyCommon: s.AccuracyCommon}
			}
			all = append(all, out)
		}
	}
	return all
}
