package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimesSchema names the JSON form of RunTimesResult and its version.
const RunTimesSchema = "loadstone.runtime-scores/1"

// RunTimesResult is the result of RunTimes.
type RunTimesResult struct {
	Schema    string                 `json:"schema"`
	Log       workload.Summary       `json:"log"`
	Fallback  []string               `json:"fallback,omitempty" row:"words" setting:""`
	Programs  []outside.Command      `json:"programs,omitempty"`
	Bootstrap *RunTimesBootstrap     `json:"bootstrap"` // nil if no intervals were drawn
	Scores    []RunTimeScore         `json:"scores"`
	Best      []BestRunTime          `json:"best"`
	Parts     []RunTimesPart         `json:"parts,omitempty"`
	LeftOut   []ClassesLeftOut       `json:"left_out"`
	Curves    []RunTimeDistributions `json:"distributions"`
	Warnings  []workload.Warning     `json:"warnings,omitempty"`
}

// RunTimesBootstrap describes how the intervals were drawn.
type RunTimesBootstrap struct {
	By         string  `json:"by"` // the unit that is drawn: "user"
	Users      int     `json:"users"`
	Replicates int     `json:"replicates"`
	Level      float64 `json:"level"`
	Seed       uint64  `json:"seed"`
	// The predictor from which differences in accuracy are taken.
	AgainstClasses   string `json:"against_classes"`
	AgainstPredictor string `json:"against_predictor"`
}

// RunTimeScore contains the scores of one predictor with one classification of
// jobs.
type RunTimeScore struct {
	Classes   string `json:"classes" show:"classes"`
	Predictor string `json:"predictor" show:"predictor"`
	score.RunTime

	// AccuracyCommon is the mean accuracy over the CommonJobs jobs that were
	// predicted by all predictors of the run (except those that predicted no
	// job at all); NaN if there are no such jobs. Predictors are ranked by it.
	AccuracyCommon     stats.Number `json:"accuracy_common_mean" show:"on common jobs,%.4f" better:"high" in:"[0,1] or null" baseline:"common"`
	AccuracyCommonLow  stats.Number `json:"accuracy_common_low"`
	AccuracyCommonHigh stats.Number `json:"accuracy_common_high"`
	CommonJobs         int          `json:"accuracy_common_jobs"`

	// The ends of the interval of AccuracyMean, and its difference from that of the
	// predictor with which the others are compared, with its interval, over the
	// DifferenceJobs jobs that both predict.
	AccuracyLow    stats.Number `json:"accuracy_low"`
	AccuracyHigh   stats.Number `json:"accuracy_high"`
	Difference     stats.Number `json:"accuracy_difference"`
	DifferenceLow  stats.Number `json:"accuracy_difference_low"`
	DifferenceHigh stats.Number `json:"accuracy_difference_high"`
	DifferenceJobs int          `json:"accuracy_difference_jobs"`

	score.RunTimeDetail

	// Bound contains the scores of predictions of a quantile, including the
	// quantile of the kernel's distribution; nil for other predictions.
	Bound  *score.RunTimeBound `json:"bound,omitempty" row:"flat"`
	common score.Clusters      // sums by user over the common jobs; nil if no intervals are drawn
}

// Rank returns the score by which predictors are ranked, highest first: the
// mean accuracy over the common jobs, or over each predictor's own if there are
// no common ones.
func (s *RunTimeScore) Rank() stats.Number {
	if s.CommonJobs > 0 {
		return s.AccuracyCommon
	}
	return s.AccuracyMean
}

// Label returns the score's name: predictor,classes.
func (s *RunTimeScore) Label() string { return s.Predictor + "," + s.Classes }

// BestRunTime is the score with the highest Rank among several.
type BestRunTime struct {
	Among     string `json:"among,omitempty"`
	Classes   string `json:"classes"`
	Predictor string `json:"predictor"`
	score.MeanAccuracy
	AccuracyCommon stats.Number `json:"accuracy_common_mean"`
}

// RunTimesPart is one part of the log: a length, site or month.
type RunTimesPart struct {
	By     string              `json:"by"`
	Part   string              `json:"part"`
	Jobs   int                 `json:"jobs" show:"jobs"`
	Best   *BestRunTime        `json:"best"` // nil if nothing was predicted
	Scores []RunTimesPartScore `json:"scores"`

	BestScore *RunTimesPartScore `json:"-" row:"flat"` // the score of Best
}

// RunTimesPartScore contains the scores of one predictor on a part. The scores of a part are in
// the order of RunTimesResult.Scores.
type RunTimesPartScore struct {
	Classes   string `json:"classes" show:"best classes"`
	Predictor string `json:"predictor" show:"predictor"`
	score.PartScore
}

// ClassesLeftOut names classes that are not scored, and the reason.
type ClassesLeftOut struct {
	Classes string `json:"classes"`
	Why     string `json:"why"`
}

// RunTimeDistributions contains the distribution functions of the accuracy and of the absolute
// error of one predictor: pairs of a value and the share of predictions up to it.
type RunTimeDistributions struct {
	Classes   string        `json:"classes"`
	Predictor string        `json:"predictor"`
	Method    string        `json:"method"`
	Accuracy  []score.Share `json:"accuracy"`
	Error     []score.Share `json:"absolute_error_s"`
}

// FinestClasses is the most specific classification of jobs in Sonmez and
// others (2009).
const FinestClasses = "user-app-size-site"

// result returns the result of the entries that are not left out.
func (r *runTimes) result() (*RunTimesResult, error) {
	if r.tallies[0].Jobs() == 0 {
		return nil, noRunTimes(r.log)
	}
	o := &RunTimesResult{LeftOut: []ClassesLeftOut{}}
	var scored []int
	for i := range r.entries {
		if r.lack[i] == "" && !(r.isEstimate(i) && r.tallies[i].Result().Predicted == 0) {
			scored = append(scored, i)
		}
	}
	r.leaveOut(o, scored)
	if !slices.ContainsFunc(scored, func(i int) bool { return !r.isEstimate(i) }) {
		return nil, fmt.Errorf("%s: %s: no classes are left to score", r.log.Name, o.LeftOut[0].Why)
	}
	r.fill(o, scored)
	return o, nil
}

// leaveOut records the classes that are left out, and warns of each column that the log
// lacks: of the classes left out for it, and of the remaining classes that ignore it.
func (r *runTimes) leaveOut(o *RunTimesResult, scored []int) {
	o.Warnings = slices.Concat(r.log.Warnings(), r.odd.List(), fewJobs(r.tallies[0].Jobs(), "run times"))
	warn := func(rule, text string) {
		o.Warnings = append(o.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
	}
	classes := map[string][]string{} // by the reason
	for i, e := range r.entries {
		if why := r.lack[i]; why != "" && !slices.Contains(classes[why], e.Classes.Name) {
			classes[why] = append(classes[why], e.Classes.Name)
			o.LeftOut = append(o.LeftOut, ClassesLeftOut{e.Classes.Name, why})
		}
	}
	for _, l := range o.LeftOut {
		if names := classes[l.Why]; names[0] == l.Classes {
			warn("classes-left-out", "classes "+strings.Join(names, ", ")+" are left out: "+l.Why)
		}
	}
	for _, c := range r.unused {
		word := c.Words[0]
		var kept []string
		for _, i := range scored {
			if e := r.entries[i]; slices.Contains(columnsOf(e), c.Name) && !slices.Contains(kept, e.Classes.Name) {
				kept = append(kept, e.Classes.Name)
			}
		}
		if len(kept) > 0 {
			warn("no-"+word, "no job has the "+word+", which is therefore ignored in the classes "+strings.Join(kept, ", "))
		}
	}
}

// fill fills in the result of the scored entries.
func (r *runTimes) fill(o *RunTimesResult, scored []int) {
	o.Programs = r.o.Programs
	o.Schema, o.Log, o.Fallback = RunTimesSchema, workload.Summary{Name: r.log.Name, Jobs: r.tallies[0].Jobs()}, r.o.chain()
	if r.o.Replicates > 0 {
		e := r.entries[r.reference]
		o.Bootstrap = &RunTimesBootstrap{"user", r.users.Groups(), r.o.Replicates, IntervalLevel, r.o.Seed, e.Classes.Name, e.Predictor}
		if n := r.users.Groups(); n > 1 && n < score.FewUsers {
			o.Warnings = append(o.Warnings, workload.Warning{Rule: "few-users", Count: 1,
				Text: fmt.Sprintf("the intervals are drawn from %d users and too short: with fewer than %d users, 95 %% intervals contain the true value in 85 to 93 %% of logs", n, score.FewUsers)})
		}
	}
	intervals := r.users.RunTimeIntervals(len(r.entries), r.o.Replicates, IntervalLevel, r.o.Seed)
	for _, i := range scored {
		in := intervals[i]
		s := RunTimeScore{
			Classes: r.entries[i].Classes.Name, Predictor: r.entries[i].Predictor,
			AccuracyCommon: stats.Number(r.common.AccuracyMean(i)), AccuracyCommonLow: stats.Number(in.Common.Low), AccuracyCommonHigh: stats.Number(in.Common.High),
			AccuracyLow: stats.Number(in.Accuracy.Low), AccuracyHigh: stats.Number(in.Accuracy.High),
			Difference: stats.Number(in.Difference.Mean), DifferenceLow: stats.Number(in.Difference.Low), DifferenceHigh: stats.Number(in.Difference.High),
			DifferenceJobs: in.Both,
		}
		r.tallies[i].enter(&s)
		if math.IsInf(float64(s.AbsoluteErrorMean), 0) {
			o.Warnings = append(o.Warnings, workload.Warning{Rule: "overflow", Text: s.Label() + ": the sum of its errors exceeds the range of numbers (1.8e308): their mean has no value", Count: 1})
		}
		if r.common.Answered(i) {
			s.CommonJobs = r.common.Jobs()
		}
		if r.o.Replicates > 0 {
			s.common = r.users.CommonClusters(i)
		}
		o.Scores = append(o.Scores, s)
	}
	o.Parts = r.partsOf(scored)
	o.bests()
	r.curves(o, scored)
}

// partsOf returns the scores of the scored entries by part of the log.
func (r *runTimes) partsOf(scored []int) []RunTimesPart {
	var all []RunTimesPart
	for i := range r.parts {
		p := &r.parts[i]
		for _, part := range p.Parts() {
			out := RunTimesPart{By: p.by, Part: p.name(part.Part), Jobs: part.Jobs}
			for _, k := range scored {
				e := r.entries[k]
				s := RunTimesPartScore{e.Classes.Name, e.Predictor, part.Scores[k]}
				out.Scores = append(out.Scores, s)
				if s.Predicted > 0 && (out.BestScore == nil || s.Rank() > out.BestScore.Rank()) {
					out.BestScore = &s
				}
			}
			if s := out.BestScore; s != nil {
				out.Best = &BestRunTime{Classes: s.Classes, Predictor: s.Predictor, MeanAccuracy: s.MeanAccuracy, AccuracyCommon: s.AccuracyCommon}
			}
			all = append(all, out)
		}
	}
	return all
}

// best returns the index of the score with the highest rank among some, -1 if there is none.
func (o *RunTimesResult) best(among func(*RunTimeScore) bool) int {
	best, most := -1, stats.Number(math.Inf(-1))
	for i := range o.Scores {
		if s := &o.Scores[i]; among(s) && s.Rank() > most {
			best, most = i, s.Rank()
		}
	}
	return best
}

// bests fills in the best score of all, and the best without and with the finest classes:
// figure 2d of Sonmez and others (2009).
func (o *RunTimesResult) bests() {
	for _, b := range []struct {
		name  string
		among func(*RunTimeScore) bool
	}{
		{"all", func(*RunTimeScore) bool { return true }},
		{"without " + FinestClasses, func(s *RunTimeScore) bool { return s.Classes != FinestClasses && s.Classes != runtime.FallbackName }},
		{"with " + FinestClasses, func(s *RunTimeScore) bool { return s.Classes == FinestClasses }},
	} {
		if i := o.best(b.among); i >= 0 {
			s := &o.Scores[i]
			o.Best = append(o.Best, BestRunTime{b.name, s.Classes, s.Predictor, s.MeanAccuracy, s.AccuracyCommon})
		}
	}
}

// curves fills in the distributions of the best predictor of each classification, in order.
func (r *runTimes) curves(o *RunTimesResult, scored []int) {
	o.Curves = []RunTimeDistributions{}
	done := map[string]bool{}
	for _, of := range o.Scores {
		best := o.best(func(s *RunTimeScore) bool { return s.Classes == of.Classes })
		if best < 0 || done[of.Classes] {
			continue
		}
		done[of.Classes] = true
		s, t := &o.Scores[best], &r.tallies[scored[best]]
		o.Curves = append(o.Curves, RunTimeDistributions{s.Classes, s.Predictor, s.DistributionMethod,
			t.AccuracyDistribution(), t.AbsoluteErrorDistribution()})
	}
}

// Score returns the score of a predictor with its classes, nil if it was not scored.
func (o *RunTimesResult) Score(predictor, classes string) *RunTimeScore {
	for i := range o.Scores {
		if s := &o.Scores[i]; s.Predictor == predictor && s.Classes == classes {
			return s
		}
	}
	return nil
}
