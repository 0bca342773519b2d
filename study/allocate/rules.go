package allocate

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
)

// Rules are what the paper leaves open of jobs that predict, or what may be
// varied: they hold for all of a study's strategies that predict. The zero
// value is the paper's, as it is read here.
type Rules struct {
	// Lifetimes says which law the running jobs' lifetimes are taken to have.
	Lifetimes LifetimeSource
	// Classes is how many equally likely classes of sequential time the users
	// tell apart; 1 (or 0) is the paper's, who tell nothing. Each class has its
	// own law of lifetimes (section 7.1's future work).
	Classes int
	// Predictor predicts the waits: one of Predictors, or empty for
	// downey-benefactors, the paper's. The others take a hundred times as long.
	Predictor string
	// Sizes says which numbers of processors a job looks at.
	Sizes Sizes
	// AtEnds has a rebel reconsider also when a job ends. In the paper it does
	// when a job arrives and when the predicted time has passed.
	AtEnds bool
	// Correction says by which outcomes bias corrects.
	Correction Correction
}

// Correction names the outcomes by whose line predictions are corrected.
type Correction string

const (
	// Running is those known at the decision.
	Running Correction = "running"
	// FirstRun is all of a run before, in which single jobs decide by uncorrected
	// predictions on AVG's schedule: "running the simulator again using this
	// transformation" (section 5.4). It knows what comes later.
	FirstRun Correction = "first-run"
)

// Corrections lists them.
func Corrections() []string { return []string{string(Running), string(FirstRun)} }

// LifetimeSource names a law of lifetimes.
type LifetimeSource string

const (
	// Range is the uniform-log law from the shortest to the longest run time of
	// AVG's schedule: its maximum-likelihood fit. It is what meets the paper's
	// figures of bias (section 5.4).
	Range LifetimeSource = "range"
	// Line is the least-squares line of the distribution function of the run
	// times of AVG's schedule on ln t, without the shortest and longest 10 %.
	Line LifetimeSource = "line"
	// Law is from the shortest to the longest sequential time.
	Law LifetimeSource = "sequential"
)

// LifetimeSources lists the sources.
func LifetimeSources() []string { return []string{string(Range), string(Line), string(Law)} }

// Sizes says which numbers of processors a job that predicts looks at.
type Sizes string

const (
	All    Sizes = "all"    // each up to A
	Halves Sizes = "halves" // A, A/2, A/4, ..., rounded up
	Whole  Sizes = "whole"  // A only
)

// SizeRules lists them.
func SizeRules() []string { return []string{string(All), string(Halves), string(Whole)} }

// Predictors lists the names of Rules.Predictor.
func Predictors() []string {
	var names []string
	for _, p := range predict.Downey(nil) {
		names = append(names, p.Name())
	}
	return names
}

// MaxClasses is the largest Rules.Classes.
const MaxClasses = 64

// Validate says which rule is none.
func (r Rules) Validate() error {
	of := func(name, saw string, valid []string) error {
		if saw == "" || slices.Contains(valid, saw) {
			return nil
		}
		return fmt.Errorf("%s %q, want one of %v", name, saw, valid)
	}
	if err := of("lifetimes", string(r.Lifetimes), LifetimeSources()); err != nil {
		return err
	}
	if err := of("sizes", string(r.Sizes), SizeRules()); err != nil {
		return err
	}
	if err := of("correction", string(r.Correction), Corrections()); err != nil {
		return err
	}
	if err := of("predictor", r.Predictor, Predictors()); err != nil {
		return err
	}
	if r.Classes < 0 || r.Classes > MaxClasses {
		return fmt.Errorf("%d classes of sequential times, want 1 to %d", r.Classes, MaxClasses)
	}
	return nil
}

// waits are predictions of one moment.
type waits interface {
	reset(v *view, l *lifetimes)
	// wait predicts the seconds until so many more processors are free.
	wait(needed int) float64
	// alone splits the numbers of processors in two ranges, up to it and beyond
	// it, within each of which wait does not fall; -1 where that is not known.
	alone() int
}

func (r Rules) waits(l *lifetimes) waits {
	if r.Predictor == "" || r.Predictor == (predict.DowneyBenefactors{}).Name() {
		return new(outlook)
	}
	for _, p := range predict.Downey(l) {
		if p.Name() == r.Predictor {
			return &general{predictor: p, requests: l.requests()}
		}
	}
	panic("allocate: no predictor " + r.Predictor)
}
