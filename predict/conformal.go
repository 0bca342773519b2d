package predict

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/predict/internal/queuestate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Conformal bounds waits by what a job meets at its submission: the queue, the
// running jobs and the waits of late, as the log alone shows them
// (queuestate.State). A forest learns the distribution of ln(1 + wait) from the last
// jobs, and for each quantile a controller moves the bound along the forest's own
// levels, so that in the long run, and under any drift, the share of waits above it is
// the one asked for (conformalControl). Meinshausen (2006); Gibbs and Candès (2021),
// "Adaptive conformal inference under distribution shift".
//
// A wait is learned when the job starts; that it is above a bound, as soon as the job
// has waited so long; and a wait under way when the forest is trained is drawn from the
// longer ones. Until the first waits have been learned, the bounds are those of BMBP,
// and their Group says so.
//
// The share is that over many jobs: it is promised neither for one job nor for a class
// of them. Confidence and Achieved of its bounds are NaN.
//
// Bounds for several quantiles rest on one forest (Bound, Point), and rise with the
// quantile. What is kept is the last jobs, those under way, and the users met lately.
// It is used by one goroutine; the forest is trained on all cores, and does not depend
// on their number.
type Conformal struct {
	quantiles  []float64 // rising
	confidence float64   // of BMBP
	options    BoundOptions
	shift      int64 // added to rows: those of a log that goes on come after the last

	fallback []*BMBP // by quantile; nil when the forest has learned
	forest   *forest.Forest
	conformalState

	moment moment
	sample forest.Sample
}

// conformalState is what a Conformal knows beside its forest. Its fields are exported
// to be written and read again.
type conformalState struct {
	Queue    *queuestate.State
	Window   conformalWindow
	Controls []conformalControl // by quantile
	Waiting  queuestate.ByKey[*boundGiven]
	Due      dueBounds
	Past     []pastWait // what BMBP learned
	Known    int        // waits, ever
	Trained  int        // Window.Seen, when the forest was trained
	Trains   uint64     // how often it was
	Last     int64      // the largest row
}

// moment is what was predicted last, for all quantiles.
type moment struct {
	valid   bool
	request workload.Request
	values  []float64 // of queuestate.State.Row
	bounds  []Bound
}

// boundGiven is what was predicted for a waiting job, until it is known to hold or
// not.
type boundGiven struct {
	User    int64
	Place   int       // in the window
	Weight  float64   // of what comes of it
	Bounds  []float64 // s, by quantile
	Learned bool      // they are the forest's
	Missed  []bool    // by quantile: known to be too low
}

// pastWait is a wait that BMBP learned, with the bounds that it had given.
type pastWait struct {
	Request workload.Request
	Wait    float64
	Bounds  []float64
}

const (
	firstWaits = 200 // known waits, for the first training
	everyJobs  = 700 // submissions between trainings
	newTrees   = 10  // that a training grows
	allTrees   = 30  // that are kept
)

// grown are the forest's options.
var grown = forest.Options{Trees: newTrees, Leaf: 5, Share: 0.4, Rows: 5000}

// NewConformal returns a Conformal without history, for quantiles between 0 and 1.
// confidence is that of the BMBP that answers until it has learned; of the options,
// Groups and Changes are BMBP's too, and Features are more columns for the forest, of
// those that are known at submission.
func NewConformal(quantiles []float64, confidence float64, o BoundOptions) (*Conformal, error) {
	c := &Conformal{quantiles: slices.Clone(quantiles), confidence: confidence, options: o}
	slices.Sort(c.quantiles)
	c.quantiles = slices.Compact(c.quantiles)
	for _, f := range o.Features {
		if !f.Submitted() {
			return nil, fmt.Errorf("conformal: the column %s is not known at submission", f.Name)
		}
	}
	c.Queue = queuestate.New(o.Features)
	c.Window = newConformalWindow(len(c.Queue.Names()))
	c.Waiting = queuestate.ByKey[*boundGiven]{}
	c.Last = -1
	for _, q := range c.quantiles {
		b, err := NewBMBP(q, confidence, o)
		if err != nil {
			return nil, fmt.Errorf("conformal: quantile %g and confidence %g, want numbers between 0 and 1", q, confidence)
		}
		c.fallback = append(c.fallback, b)
		c.Controls = append(c.Controls, conformalControl{Users: queuestate.ByKey[float64]{}})
	}
	return c, nil
}
