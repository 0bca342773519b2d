package forecast

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Query is a request that is submitted to a machine, with the predictors to ask
// about its wait. DefaultQuery sets all required fields except State and Sizes.
type Query struct {
	State   *State   // the machine, with the jobs that run and wait on it
	History *History // nil means only the past that the state itself contains

	Sizes []int64 // processors: one answer each; 1 to MostSizes of them
	Time  float64 // s, requested; 0 for none
	Queue string  // a name or number of the state or its history; "" for none
	User  string  // likewise
	// Partition is likewise. Where the jobs are of several, bounds from past waits are
	// those of the partition's jobs, unless Groups says otherwise.
	Partition string
	// Run is the run time of the request by size, for the least turnaround
	// (predict.RunByTable); nil if unknown. If Time is 0
	// it is also the requested time.
	Run predict.RunBySize

	Policy   string         // scheduling policy: the name of one of Policies, as in evaluate.ScheduleOptions
	Policies []sched.Policy // that Policy can name; nil means sched.Policies()

	Predictors []string  // names of Predictors
	Quantiles  []float64 // the shares of waits that bounds cover, in (0, 1)
	Confidence float64   // the probability that a bound from past waits covers its share, in (0, 1)
	Groups     []string  // columns whose combinations of values group past waits; empty means ranges of processors

	Law string // of run times: a name of fit.Families

	// Judged is the number of jobs of the history on which predictors are judged
	// (Record). With 0 none is judged, and none is recommended.
	Judged int

	Seed uint64 // of the draws of "drawn"
}

// pastColumns are what Groups are read by. Logs that name the same
// queues differently make one history, so that no header can say what kinds of jobs
// or named classes there are.
var pastColumns = workload.Grouping{Submitted: true, Plain: true}

// MostSizes is the largest number of sizes of one request.
const MostSizes = 1000

// Predictors returns the names of the predictors: downey-a-exact (if no queued
// job is ahead), downey-b-queue (B for the whole queue), drawn (many schedules
// with run times drawn from the law), simulated and estimates (one schedule
// each), bmbp and qbets (past waits), conformal (past waits and the state of
// the queue).
func Predictors() []string {
	return []string{"downey-a-exact", "downey-b-queue", "drawn", "simulated", "estimates", "bmbp", "qbets", predict.ConformalBound}
}

// DefaultQuery returns a query about a machine under EASY backfilling that asks
// all predictors, for the waits that cover 50, 80 and 95 %.
func DefaultQuery() Query {
	return Query{
		Policy:     sched.EASY{}.Name(),
		Predictors: Predictors(),
		Quantiles:  []float64{0.5, 0.8, 0.95},
		Confidence: 0.95,
		Law:        "uniform-log",
		Judged:     400, // the standard error of a coverage of 95 % is one point
		Seed:       1,
	}
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used. What depends on the logs, such as the name of a queue, is checked by Ask.
func (q *Query) Validate() error {
	fault := func(option, saw, want string) error {
		return &workload.OptionError{Option: option, Saw: saw, Want: want}
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	share := func(x float64) bool { return x > 0 && x < 1 }
	if err := q.validateSizes(); err != nil {
		return err
	}
	if i := slices.IndexFunc(q.Quantiles, func(x float64) bool { return !share(x) }); i >= 0 {
		return fault("quantiles", number(q.Quantiles[i]), "numbers between 0 and 1")
	}
	for _, p := range q.Predictors {
		if !slices.Contains(Predictors(), p) {
			return fault("predictors", p, "one or more of "+strings.Join(Predictors(), ", "))
		}
	}
	if _, err := q.policy(); err != nil {
		return err
	}
	switch {
	case !(q.Time >= 0) || math.IsInf(q.Time, 1):
		return fault("time", number(q.Time), "a number of seconds above 0")
	case len(q.Predictors) == 0:
		return fault("predictors", "none", "one or more of "+strings.Join(Predictors(), ", "))
	case len(q.Quantiles) == 0:
		return fault("quantiles", "none", "at least one")
	case !share(q.Confidence):
		return fault("confidence", number(q.Confidence), "a number between 0 and 1")
	case !slices.Contains(evaluate.Laws(), q.Law):
		return fault("law", strconv.Quote(q.Law), "one of "+strings.Join(evaluate.Laws(), ", "))
	case q.Judged < 0:
		return fault("judged", strconv.Itoa(q.Judged), "0 or more")
	}
	if _, err := workload.ParseClasses(q.Groups, pastColumns); err != nil {
		return workload.OptionNamed("groups", err)
	}
	return nil
}

func (q *Query) validateSizes() error {
	fault := func(saw, want string) error { return &workload.OptionError{Option: "size", Saw: saw, Want: want} }
	switch {
	case len(q.Sizes) == 0:
		return fault("is missing", "the processors of the request")
	case len(q.Sizes) > MostSizes:
		return fault(fmt.Sprintf("of %d numbers", len(q.Sizes)), fmt.Sprintf("at most %d", MostSizes))
	}
	known := q.Run == nil
	for i, n := range q.Sizes {
		if n < 1 || slices.Contains(q.Sizes[:i], n) {
			return fault(strconv.FormatInt(n, 10), "processor counts of 1 or more, each once")
		}
		known = known || !math.IsNaN(q.Run(n))
	}
	if !known {
		return &workload.OptionError{Option: "run-times", Saw: "has none of the sizes " + sizeList(q.Sizes), Want: "the run time of at least one"}
	}
	return nil
}

// policy returns the policy of that name.
func (q *Query) policy() (sched.Policy, error) {
	return evaluate.PolicyNamed(q.Policy, q.Policies)
}

// sizeList writes sizes with commas between.
func sizeList(sizes []int64) string {
	var list []string
	for _, n := range sizes {
		list = append(list, strconv.FormatInt(n, 10))
	}
	return strings.Join(list, ", ")
}
