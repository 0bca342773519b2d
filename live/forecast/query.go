package forecast

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Query is a request that is submitted to a machine, with the predictors to ask
// about its wait. DefaultQuery sets all required fields except State and Sizes.
type Query struct {
	State   *State   // the machine, with the jobs that run and wait on it
	History *History // nil means only the past that the state itself contains

	Sizes []int64 // processors: one answer each; 1 to MostSizes of them
	// Time is what is requested; 0 for none.
	Time float64 `opt:"time" unit:"seconds" in:"(0,)" group:"The request" common:"true" help:"run time requested: <seconds>, or a time such as 2:00:00, 1-12:00 or 90m"`
	// Queue, Partition and User are names or numbers of the state or its history; "" for
	// none. Where the jobs are of several partitions, bounds from past waits are those of
	// the partition's jobs, unless Groups says otherwise.
	Queue     string `opt:"queue" common:"true" help:"queue (QOS in Slurm), by <name> or number"`
	Partition string `opt:"partition" common:"true" help:"partition, by <name> or number: bounds from past waits are of its jobs"`
	User      string `opt:"user" help:"user, by <name> or number"`
	// Run is the run time of the request by size, for the least turnaround
	// (predict.RunByTable); nil if unknown. If Time is 0
	// it is also the requested time.
	Run predict.RunBySize

	// Policy is the scheduling policy: the name of one of Policies, as in
	// evaluate.ScheduleOptions.
	Policy   string         `opt:"policy" usual:"easy" open:"true" group:"The machine" common:"true" help:"scheduling policy ('loadstone simulate' assumes fcfs)"`
	Policies []sched.Policy // that Policy can name; nil means sched.Policies()

	Predictors []string  `opt:"predictors" all:"true" group:"Who predicts, and from what" common:"true" help:"predictors to ask" brief:"predictors to ask, by commas: downey-a-exact, downey-b-queue, drawn, simulated, estimates, bmbp, qbets, conformal (default: all)"` // names of Predictors
	Quantiles  []float64 // the shares of waits that bounds cover, in (0, 1)
	// Judged is the number of jobs of the history on which predictors are judged
	// (Record). With 0 none is judged, and none is recommended. At 400 the standard error
	// of a coverage of 95 % is one point.
	Judged int    `opt:"judged" in:"[0,)" usual:"400" help:"past <jobs> on which predictors are evaluated, to recommend one; 0 for none"`
	Seed   uint64 `opt:"seed" usual:"1" help:"seed of the draws"` // of "drawn"
	Law    string `opt:"law" usual:"uniform-log" required:"true" help:"distribution of run times"`
	// Confidence is the probability that a bound from past waits covers its share.
	Confidence float64 `opt:"confidence" in:"(0,1)" usual:"0.95" required:"true" help:"confidence of a bound from past waits"`
	// Groups are columns whose combinations of values group past waits; empty means ranges
	// of processors.
	Groups []string `opt:"groups" help:"groups of past waits (default: ranges of processors) by columns"`
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
	return append(standing.Names(), "bmbp", "qbets", predict.ConformalBound)
}

// DefaultQuery returns a query about a machine under EASY backfilling that asks
// all predictors, for the waits that cover 50, 80 and 95 %.
func DefaultQuery() Query {
	q := Query{Predictors: Predictors(), Quantiles: []float64{0.5, 0.8, 0.95}}
	opt.Usual(&q)
	return q
}

// Choices are the values of options that take one of some.
func (q *Query) Choices(option string) []string {
	switch option {
	case "predictors":
		return Predictors()
	case "law":
		return evaluate.Laws()
	case "policy":
		if q.Policies != nil {
			return opt.Names(q.Policies)
		}
		return opt.Names(sched.Policies())
	}
	return nil
}

// Grouping is that of ways to sort jobs.
func (q *Query) Grouping(option string) *workload.Grouping {
	if option == "groups" {
		return &pastColumns
	}
	return nil
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
	if err := opt.Check(q); err != nil {
		return err
	}
	if _, err := q.policy(); err != nil {
		return err
	}
	switch {
	case len(q.Predictors) == 0:
		return fault("predictors", "none", "one or more of "+strings.Join(Predictors(), ", "))
	case len(q.Quantiles) == 0:
		return fault("quantiles", "none", "at least one")
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
