package model

import (
	"iter"
	"math/rand/v2"
	"reflect"

	"github.com/loadstone-hpc/loadstone/internal/strict"
)

// Sizes is the law of the processors of rigid jobs: TwoStageSizes or SizeTable.
type Sizes interface {
	// check returns an error about what a machine of that many processors cannot have.
	check(processors int64) error
	// scale returns the sizes for a machine of another size, which check refuses if it is too small.
	scale(from, to int64) Sizes
	// Shares yields, in ascending order, the sizes of jobs on a machine of that many processors,
	// with their probabilities.
	Shares(processors int64) iter.Seq2[int64, float64]
	// Drawer returns a function that draws a size.
	Drawer(processors int64) func(rng *rand.Rand) int64
}

// RunTimes is the law of the run times of rigid jobs, in seconds: GammaRunTimes or LawRunTimes.
type RunTimes interface {
	// check returns an error about what sizes up to that many processors cannot have.
	check(processors int64) error
	// Mean returns the mean run time at a size; run times longer than most count as most.
	Mean(most float64) func(size int64) float64
	// Quantiles returns a function that gives a run time for u from 0 to 1, such that the law at a
	// size is that for uniform u, and that values of u near each other give run times near each
	// other.
	Quantiles() func(size int64, u float64) float64
	// Draw draws the run time of a job of a size.
	Draw(rng *rand.Rand, size int64) float64
}

// Estimates is the law of the run times that the users of a class request: TsafrirEstimates or
// LogEstimates. No published model has any.
type Estimates interface {
	// LongestRun returns the run time, in seconds, to which longer ones are cut; +Inf if none
	// are, as jobs of a log can run longer than requested.
	LongestRun() float64
	// Law returns the law of the estimates of about that many jobs. run returns the run time of
	// the i-th of them, from 0.
	Law(jobs float64, run func(i int64) float64, rng *rand.Rand) (*EstimateLaw, error)
}

// forms are the forms of the parts of a class. Each is a struct in a file of its own, whose tags
// are its fields in model files and whose methods are those of its part; key is a field that the
// other forms of the part do not have. What reads models and draws from them does not depend on the
// form of a part. Packages fit and fit/site make some, generate makes TsafrirEstimates for an option,
// and the report of the command fit shows the parameters of TwoStageSizes and GammaRunTimes.
var forms = []struct {
	key  string
	form any
}{
	{"log2", TwoStageSizes{}},
	{"shares", SizeTable{}},
	{"law", GammaRunTimes{}},
	{"first", LawRunTimes{}},
	{"max_s", TsafrirEstimates{}},
	{"bins", LogEstimates{}},
}

// Forms returns the forms of a part.
func (codec) Forms(part reflect.Type) []strict.Form {
	var found []strict.Form
	for _, f := range forms {
		if form := reflect.New(reflect.TypeOf(f.form)); form.Type().Implements(part) {
			found = append(found, strict.Form{Key: f.key, Into: form.Interface()})
		}
	}
	return found
}
