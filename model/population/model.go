package population

import (
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema is the version of the model file that this package reads and writes.
const Schema = "loadstone.population/1"

// Unit is the unit of the sizes of jobs and of the machine in a model.
type Unit string

// The units of sizes. Sizes of a log without processors are in GPUs or nodes.
const (
	OfProcessors Unit = ""
	OfGPUs       Unit = "gpus"
	OfNodes      Unit = "nodes"
)

// String returns the unit as a plural noun, such as "GPUs".
func (u Unit) String() string {
	switch u {
	case OfProcessors:
		return "processors"
	case OfGPUs:
		return "GPUs"
	}
	return string(u)
}

// Key returns the header keyword for the size of the machine.
func (u Unit) Key() string {
	return map[Unit]string{OfProcessors: "MaxProcs", OfGPUs: workload.MaxGPUs, OfNodes: "MaxNodes"}[u]
}

// Model is the workload of one site as the work of its users.
type Model struct {
	Schema string `opt:"schema" required:"true"` // always the constant Schema
	Name   string `opt:"name" required:"true"`   // short, one line
	Source string `opt:"source"`

	Processors int64 `opt:"processors" in:"[1,16777216]" required:"true"` // size of the machine, in Unit; no job is larger
	Unit       Unit  `opt:"unit"`                                         // of sizes; empty: processors

	Log      Log      `opt:"log" required:"true"`
	Cycle    Cycle    `opt:"cycle"` // none: all hours alike
	Load     Load     `opt:"load"`  // none: all weeks alike
	Sizes    Sizes    `opt:"sizes" required:"true"`
	RunTimes RunTimes `opt:"run_times" required:"true"`
	Waits    Waits    `opt:"waits"` // none: jobs do not wait
	Sessions Sessions `opt:"sessions" required:"true"`

	Estimates    Estimates    `opt:"estimates"`    // none: jobs have none
	Memory       Atoms        `opt:"memory"`       // KB requested per processor; empty: jobs have no request
	Queues       Atoms        `opt:"queues"`       // by the mean score of the run times of their jobs; none: jobs have none
	Applications Applications `opt:"applications"` // none: jobs have none
	Statuses     Statuses     `opt:"statuses"`     // none: all jobs are completed
	Resources    Resources    `opt:"resources"`    // by size; none: jobs have sizes alone

	Users Users `opt:"users" required:"true"`

	Checked *model.Check `opt:"check"` // waits of jobs drawn from the model; nil: unknown
}

// Log describes the log to which the model was fitted. A lap of a generated workload has the same
// length and the same number of jobs.
type Log struct {
	About string  `opt:"about"`
	Days  float64 `opt:"days" in:"[1,36525]" required:"true"`      // whole weeks, or whole days for a log of less than three weeks
	Jobs  int64   `opt:"jobs" in:"[1,2147483648]" required:"true"` // number of jobs in Days at the log's rate: more than in the log if that does not cover whole weeks
	Load  float64 `opt:"load" in:"[1e-9,1e6]" required:"true"`     // offered load, relative to the machine's size
	Start int64   `opt:"start"`                                    // Unix time of 0:00 on the first Monday, s; 0 if unknown
	Zone  string  `opt:"zone"`                                     // time zone of the site's clock
}

// Cycle is the distribution of submissions over the week.
type Cycle struct {
	About string `opt:"about"`
	Jobs  int64  `opt:"jobs" required:"true"`
	// Weights are the shares of the jobs by hour of the week from Monday at 0:00 (168 values), or
	// by hour of the day (24). Generated jobs follow the weights by hour of the day. For the days
	// of the week, the weights apply to the beginning of sessions.
	Weights []float64 `opt:"weights" in:"[0,3e38]" repeats:"true"`
}

// Load is the law of the work submitted in a week, relative to its mean: log-normal, and
// correlated from one week to the next.
type Load struct {
	About string  `opt:"about"`
	Weeks int64   `opt:"weeks" required:"true"`
	CV    float64 `opt:"cv" in:"[0,10]" required:"true"`      // coefficient of variation, without extreme weeks
	Lag1  float64 `opt:"lag_1" in:"[0,0.99]" required:"true"` // autocorrelation from week to week
}

// Sizes is the law of sizes: a share for each value.
type Sizes struct {
	About  string    `opt:"about"`
	Jobs   int64     `opt:"jobs" required:"true"`
	Sizes  []int64   `opt:"sizes" in:"[1,)" repeats:"true"`      // in the model's unit, ascending
	Shares []float64 `opt:"shares" in:"[0,3e38]" repeats:"true"` // shares of the jobs
}

// Class is a class of jobs with a size or run time of at least From and below the From of the
// next class.
type Class struct {
	From float64 `opt:"from" in:"[0,1e10]" required:"true"` // in the model's unit, or s
	Jobs int64   `opt:"jobs" required:"true"`               // number of jobs in the log
}

func (c Class) begin() float64 { return c.From }

type class interface{ begin() float64 }

// Find returns the index of the class of a size or run time, the first for values below its From;
// -1 if there are no classes.
func Find[C class](classes []C, x float64) int {
	k := len(classes) - 1
	for k > 0 && classes[k].begin() > x {
		k--
	}
	return k
}

// LawClass is a class with the law of its jobs' run times or waits.
type LawClass struct {
	Class
	Quantiles Quantiles `opt:"quantiles" required:"true"` // s
}

// RunTimes is the law of run times by class of size.
type RunTimes struct {
	About   string     `opt:"about"`
	Classes []LawClass `opt:"classes"` // by size; the first begins at 1
	// WithoutGPUs are the classes of jobs without GPUs, if others have some.
	// Empty: jobs have the same run times with and without GPUs.
	WithoutGPUs []LawClass `opt:"without_gpus"`
}

// Waits is the law of the waits of jobs in the log.
type Waits struct {
	About   string     `opt:"about"`
	Classes []LawClass `opt:"classes"` // by size; none: jobs do not wait
}

// Sessions has the laws of the times between the jobs of a session.
type Sessions struct {
	About string `opt:"about"`
	// BagGap is the longest time between the submissions of two successive
	// jobs in one bag.
	BagGap float64   `opt:"bag_gap" in:"[0,3600]" required:"true"` // s
	Within Quantiles `opt:"within"`                                // s, between two jobs of a bag
	Apart  Quantiles `opt:"apart"`                                 // s, between two bags if the later one does not wait for a job
	Think  Quantiles `opt:"think"`                                 // s, from the end of a job to the bag that waited for it
}

// Users describes the users, in strata.
type Users struct {
	About  string    `opt:"about"`
	Strata []Stratum `opt:"strata"`
}

// Stratum is a group of users who each do about the same amount of work.
type Stratum struct {
	Users int64   `opt:"users" in:"[1,16777216]" required:"true"` // number of users in the log
	Jobs  int64   `opt:"jobs" in:"[1,2147483648]" required:"true"`
	Work  float64 `opt:"work" in:"[0,1e30]" required:"true"` // in Unit times seconds

	Bags     Quantiles `opt:"bags"`     // number of jobs in a bag of more than one
	Sessions Quantiles `opt:"sessions"` // number of bags in a session of more than one
	// Margins are the quantiles of each trait at equal steps of probability from 0 to 1.
	// Correlations is the lower triangle of the matrix of correlations between the normal scores
	// of the traits, in the order of the traits.
	Margins      Margins     `opt:"margins" required:"true"`
	Correlations [][]float64 `opt:"correlations" repeats:"true"`
}
