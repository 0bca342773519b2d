package model

import (
	"iter"
	"math/rand/v2"
	"reflect"

	"github.com/loadstone-hpc/loadstone/internal/strict"
)

// Sizes is the law of the sizes of rigid jobs, in processors: TwoStageSizes or SizeTable.
type Sizes interface {
	// check returns an error if the sizes are not possible on a machine with that many
	// processors.
	check(processors int64) error
	// scale returns the sizes for a machine with to processors instead of from. If that is too
	// small, check rejects the result.
	scale(from, to int64) Sizes
	// Shares yields the sizes of jobs on a machine with that many processors, in ascending order,
	// with their probabilities.
	Shares(processors int64) iter.Seq2[int64, float64]
	// Drawer returns a function that draws a size for a machine with that many processors.
	Drawer(processors int64) func(rng *rand.Rand) int64
}

// RunTimes is the law of the run times of rigid jobs, in seconds: GammaRunTimes or LawRunTimes.
type RunTimes interface {
	// check returns an error if the law is not valid for all sizes up to that many processors.
	check(processors int64) error
	// Mean returns a function that returns the mean run time at a size. Run times longer than
	// most count as most.
	Mean(most float64) func(size int64) float64
	// Quantiles returns a function from a size and a u in [0, 1] to a run time. If u is uniform,
	// run times have the law at that size. Similar values of u give similar run times.
	Quantiles() func(size int64, u float64) float64
	// Draw draws the run time of a job of the given size.
	Draw(rng *rand.Rand, size int64) float64
}

// Estimates is the law of the run times that the users of a class request: TsafrirEstimates or
// LogEstimates. No published model has any.
type Estimates interface {
	// LongestRun returns the run time, in seconds, to which longer ones are cut; +Inf if none
	// are, as jobs of a log can run longer than requested.
	LongestRun() float64
	// Law returns the law of the estimates of about that many jobs. run returns the run time of
	// the i-th of these jobs, from 0.
	Law(jobs float64, run func(i int64) float64, rng *rand.Rand) (*EstimateLaw, error)
}

// forms lists the forms of the parts of a class. Each is a struct in a separate file. Its tags
// define its fields in model files, and its methods implement the interface of its part; key is a
// field that no other form of the part has. Code that reads models and draws from them does not
// depend on the form of a part. Packages fit and fit/site create some forms, generate creates
// TsafrirEstimates for an option, and the report of the command fit shows the parameters of
// TwoStageSizes and GammaRunTimes.
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

// Forms returns the forms of a part, given its interface.
func (codec) Forms(part reflect.Type) []strict.Form {
	var found []strict.Form
	for _, f := range forms {
		if form := reflect.New(reflect.TypeOf(f.form)); form.Type().Implements(part) {
			found = append(found, strict.Form{Key: f.key, Into: form.Interface()})
		}
	}
	return found
}
