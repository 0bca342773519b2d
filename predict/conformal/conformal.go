// Package conformal predicts upper bounds of waits from the state of the machine at a
// job's submission: the queue, the running jobs and recent waits.
//
//	a request --queuestate.State--> columns --forest--> quantiles --control--> bounds
//
// A forest learns the distribution of ln(1 + wait) from the last jobs
// (window.go), and for each quantile a controller (control.go) moves the bound
// along the forest's own levels, so that in the long run, and under any drift,
// the share of waits above it is as requested. Meinshausen (2006); Gibbs and
// Candès (2021), "Adaptive conformal inference under distribution shift".
//
// A wait is learned when the job starts. A miss is learned as soon as a job has
// waited longer than its bound (due.go). When the forest is trained, the final
// waits of jobs that are still waiting are drawn from longer known waits. Until
// the first waits have been learned, a Fallback answers.
//
// The share holds over many jobs; it is not guaranteed for a single job or for
// a class of jobs.
//
// Package predict makes predictors of waits from it, with BMBP as the fallback.
package conformal

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/predict/internal/queuestate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Predictor bounds waits at several quantiles with one forest; the bounds do
// not decrease with the quantile. It keeps recent jobs, those waiting or
// running, and recent users. It is used by one goroutine; the forest is trained
// on all cores and does not depend on their number.
type Predictor struct {
	options  Options
	fallback Fallback // nil when the forest has learned
	forest   *forest.Forest
	state

	moment moment
	sample forest.Sample
}

// Options are the options of a Predictor.
type Options struct {
	Quantiles  []float64 // ascending, in (0, 1)
	Confidence float64   // of the fallback's bounds, in (0, 1)
	// Fallback returns the Fallback that answers until the forest has learned.
	Fallback func(quantiles []float64, confidence float64) (Fallback, error)
}

// Fallback bounds waits until a Predictor has learned. The Predictor passes on
// every wait.
type Fallback interface {
	// Bounds appends the bounds in seconds of a job submitted now, by
	// quantile; NaN for none.
	Bounds(r *workload.Request, bounds []float64) []float64
	// Learn enters the wait, in seconds, of a job that has started, with the
	// bounds that it was given.
	Learn(r *workload.Request, wait float64, given []float64)
}

// state is what a Predictor knows besides its forest.
type state struct {
	Queue    *queuestate.State
	Window   window
	Controls []control // by quantile
	Waiting  map[int64]*given
	Due      dueBounds
	Known    int    // waits, ever
	Trained  int    // Window.Seen, when the forest was trained
	Trains   uint64 // how often it was
}

// moment is what was predicted last, for all quantiles.
type moment struct {
	valid   bool
	request workload.Request
	values  []float64 // of queuestate.State.Row
	bounds  []float64 // s
}

// given is what was predicted for a waiting job, until it is known to hold or not.
type given struct {
	User    int64
	Place   int       // in the window
	Weight  float64   // of what comes of it
	Bounds  []float64 // s, by quantile
	Learned bool      // they are the forest's
	Missed  []bool    // by quantile: known to be too low
}

// FirstWaits is the number of known waits from which the forest first learns.
const FirstWaits = 200

const (
	everyJobs = 700 // submissions between trainings
	newTrees  = 10  // that a training grows
	allTrees  = 30  // that are kept
)

// grown are the forest's options.
var grown = forest.Options{Trees: newTrees, Leaf: 5, Share: 0.4, Rows: 5000}

// New returns a Predictor without history. It sorts the quantiles and removes
// repetitions.
func New(o Options) (*Predictor, error) {
	o.Quantiles = slices.Clone(o.Quantiles)
	slices.Sort(o.Quantiles)
	o.Quantiles = slices.Compact(o.Quantiles)
	for _, q := range o.Quantiles {
		if !(q > 0 && q < 1) {
			return nil, fmt.Errorf("conformal: quantile %g, want a number between 0 and 1", q)
		}
	}
	p := &Predictor{options: o}
	p.Queue = queuestate.New()
	p.Window = newWindow(len(queuestate.Names()))
	p.Waiting = map[int64]*given{}
	for range o.Quantiles {
		p.Controls = append(p.Controls, control{Users: map[int64]float64{}})
	}
	var err error
	if p.fallback, err = o.Fallback(o.Quantiles, o.Confidence); err != nil {
		return nil, fmt.Errorf("conformal: %w", err)
	}
	return p, nil
}

// Quantiles returns the quantiles of the bounds, ascending.
func (p *Predictor) Quantiles() []float64 { return p.options.Quantiles }

// Learned returns the number of known waits among the jobs from which the
// forest learns; 0 while the fallback answers.
func (p *Predictor) Learned() int {
	if p.forest == nil {
		return 0
	}
	return p.Window.known
}
