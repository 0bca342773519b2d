package population

import (
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema is the version of the file that this package reads and writes.
const Schema = "loadstone.population/1"

// Unit is the unit in which the sizes of jobs and the machine of a model are counted.
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

// Key returns the header's keyword of the machine's size.
func (u Unit) Key() string {
	return map[Unit]string{OfProcessors: "MaxProcs", OfGPUs: workload.MaxGPUs, OfNodes: "MaxNodes"}[u]
}

// Model is the workload of one site as the work of its users.
type Model struct {
	Schema string `opt:"schema" required:"true"` // always the constant Schema
	Name   string `opt:"name" required:"true"`   // short, one line
	Source string `opt:"source"`

	Processors int64 `opt:"processors" in:"[1,16777216]" required:"true"` // of the machine, in Unit; no job is larger
	Unit       Unit  `opt:"unit"`                                         // of sizes; empty: processors

	Log      Log      `opt:"log" required:"true"`
	Cycle    Cycle    `opt:"cycle"` // none: all hours alike
	Load     Load     `opt:"load"`  // none: all weeks alike
	Sizes    Sizes    `opt:"sizes" required:"true"`
	RunTimes RunTimes `opt:"run_times" required:"true"`
	Waits    Waits    `opt:"waits"` // none: nobody waits
	Sessions Sessions `opt:"sessions" required:"true"`

	Estimates    Estimates    `opt:"estimates"`    // none: jobs have none
	Memory       Atoms        `opt:"memory"`       // KB requested per processor; empty: jobs have no request
	Queues       Atoms        `opt:"queues"`       // by the mean score of the run times of their jobs; none: jobs have none
	Applications Applications `opt:"applications"` // none: jobs have none
	Statuses     Statuses     `opt:"statuses"`     // none: all jobs are completed
	Resources    Resources    `opt:"resources"`    // by size; none: jobs have sizes alone

	Users Users `opt:"users" required:"true"`

	Checked *model.Check `opt:"check"` // how jobs drawn from the model wait; nil: unknown
}

// Log describes the log from which the model was fitted. A lap of a generated
// workload is as long and has as many jobs.
type Log struct {
	About string  `opt:"about"`
	Days  float64 `opt:"days" in:"[1,36525]" required:"true"`      // whole weeks, or days of a log of less than three weeks
	Jobs  int64   `opt:"jobs" in:"[1,2147483648]" required:"true"` // in Days, at the log's rate: more than the log has if its weeks are not whole
	Load  float64 `opt:"load" in:"[1e-9,1e6]" required:"true"`     // offered, relative to the machine's processors
	Start int64   `opt:"start"`                                    // Unix time of the first Monday, 0:00, s; 0 where it is unknown
	Zone  string  `opt:"zone"`                                     // of the site's clock
}

// Cycle is when jobs are submitted.
type Cycle struct {
	About string `opt:"about"`
	Jobs  int64  `opt:"jobs" required:"true"`
	// Weights are the shares of the jobs by hour of the week from Monday at 0:00 (168 values), or
	// by hour of the day (24). Generated jobs have those of the hours of the day; the days of the
	// week on which users begin sessions are drawn by them.
	Weights []float64 `opt:"weights" in:"[0,3e38]" repeats:"true"`
}

// Load is how the work submitted in a week varies: log-normal, correlated from
// one week to the next.
type Load struct {
	About string  `opt:"about"`
	Weeks int64   `opt:"weeks" required:"true"`
	CV    float64 `opt:"cv" in:"[0,10]" required:"true"`      // coefficient of variation, without the weeks of extremes
	Lag1  float64 `opt:"lag_1" in:"[0,0.99]" required:"true"` // autocorrelation from week to week
	// UserWeek is the largest work that a user submits in a week, in units of the model's size
	// times seconds, without a user with over twice any other's. A generated user with more
	// continues in the next week, where there are enough. 0: no limit.
	UserWeek float64 `opt:"user_week" in:"[0,1e30]"`
}

// Sizes is the law of sizes, value by value.
type Sizes struct {
	About  string    `opt:"about"`
	Jobs   int64     `opt:"jobs" required:"true"`
	Sizes  []int64   `opt:"sizes" in:"[1,)" repeats:"true"`      // in the model's unit, ascending
	Shares []float64 `opt:"shares" in:"[0,3e38]" repeats:"true"` // of the jobs
}

// Class is a class of jobs: those of a size or a run time from From to below the From of
// the next class.
type Class struct {
	From float64 `opt:"from" in:"[0,1e10]" required:"true"` // in the model's unit, or s
	Jobs int64   `opt:"jobs" required:"true"`               // in the log
}

func (c Class) begin() float64 { return c.From }

type class interface{ begin() float64 }

// Find returns the place of the class that a size or a run time is in; -1 if there is none.
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

// Waits is the law of the waits that users met in the log.
type Waits struct {
	About   string     `opt:"about"`
	Classes []LawClass `opt:"classes"` // by size; none: nobody waits
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

// Users are the users, in strata.
type Users struct {
	About  string    `opt:"about"`
	Strata []Stratum `opt:"strata"`
}

// Stratum is a group of users who each do about the same amount of work.
type Stratum struct {
	Users int64   `opt:"users" in:"[1,16777216]" required:"true"` // in the log
	Jobs  int64   `opt:"jobs" in:"[1,2147483648]" required:"true"`
	Work  float64 `opt:"work" in:"[0,1e30]" required:"true"` // in units of the model's size times seconds

	Bags     Quantiles `opt:"bags"`     // jobs in a bag of more than one
	Sessions Quantiles `opt:"sessions"` // bags in a session of more than one
	// Margins are the quantiles of each trait at equal steps of probability
	// from 0 to 1. Correlations is the lower triangle of the matrix of
	// correlations between the traits' normal scores, in their order.
	Margins      Margins     `opt:"margins" required:"true"`
	Correlations [][]float64 `opt:"correlations" repeats:"true"`
}
