package population

import "github.com/loadstone-hpc/loadstone/model"

// Schema is the version of the file that this package reads and writes.
const Schema = "loadstone.population/1"

// Model is the workload of one site as the work of its users.
type Model struct {
	Schema string `json:"schema"` // always the constant Schema
	Name   string `json:"name"`   // short, one line
	Source string `json:"source,omitempty"`

	Processors int64 `json:"processors"`     // of the machine, in Unit; no job is larger
	Unit       Unit  `json:"unit,omitempty"` // of sizes; empty: processors

	Log      Log      `json:"log"`
	Cycle    Cycle    `json:"cycle,omitzero"` // none: all hours alike
	Load     Load     `json:"load,omitzero"`  // none: all weeks alike
	Sizes    Sizes    `json:"sizes"`
	RunTimes RunTimes `json:"run_times"`
	Waits    Waits    `json:"waits,omitzero"` // none: nobody waits
	Sessions Sessions `json:"sessions"`

	Estimates    Estimates    `json:"estimates,omitzero"`    // none: jobs have none
	Memory       Atoms        `json:"memory,omitzero"`       // KB requested per processor; empty: jobs have no request
	Queues       Atoms        `json:"queues,omitzero"`       // by the mean score of the run times of their jobs; none: jobs have none
	Applications Applications `json:"applications,omitzero"` // none: jobs have none
	Statuses     Statuses     `json:"statuses,omitzero"`     // none: all jobs are completed
	Resources    Resources    `json:"resources,omitzero"`    // by size; none: jobs have sizes alone

	Users Users `json:"users"`

	Check *model.Check `json:"check,omitempty"` // how jobs drawn from the model wait; nil: unknown
}

// Log describes the log from which the model was fitted. A lap of a generated
// workload is as long and has as many jobs.
type Log struct {
	About string  `json:"about,omitempty"`
	Days  float64 `json:"days"`            // whole weeks, or days of a log of less than three weeks
	Jobs  int64   `json:"jobs"`            // in Days, at the log's rate: more than the log has if its weeks are not whole
	Load  float64 `json:"load"`            // offered, relative to the machine's processors
	Start int64   `json:"start,omitempty"` // Unix time of the first Monday, 0:00, s; 0 where it is unknown
	Zone  string  `json:"zone,omitempty"`  // of the site's clock
}

// Cycle is the relative rate, by hour, at which users who are free begin a
// session.
type Cycle struct {
	About string `json:"about,omitempty"`
	Jobs  int64  `json:"sessions"`
	// Weights are by hour of the week from Monday at 0:00 (168 values), or by
	// hour of the day (24). If a user still has n sessions to begin on a day,
	// the next one begins at the earliest of n moments drawn by the weights
	// from the time on at which the user is free.
	Weights []float64 `json:"weights"`
}

// Load is how the work submitted in a week varies: log-normal, correlated from
// one week to the next.
type Load struct {
	About string  `json:"about,omitempty"`
	Weeks int64   `json:"weeks"`
	CV    float64 `json:"cv"`    // coefficient of variation, 0 to 10
	Lag1  float64 `json:"lag_1"` // autocorrelation from week to week, 0 to .99
}

// Sizes is the law of sizes, value by value.
type Sizes struct {
	About  string    `json:"about,omitempty"`
	Jobs   int64     `json:"jobs"`
	Sizes  []int64   `json:"sizes"`  // in the model's unit, ascending
	Shares []float64 `json:"shares"` // of the jobs
}

// RunTimes is the law of run times by class of size.
type RunTimes struct {
	About   string     `json:"about,omitempty"`
	Classes []RunClass `json:"classes"` // by size; the first begins at 1
	// WithoutGPUs are the classes of jobs without GPUs, if others have some.
	// Empty: jobs have the same run times with and without GPUs.
	WithoutGPUs []RunClass `json:"without_gpus,omitempty"`
}

// RunClass is the law of the run times of jobs with sizes from From to below
// the From of the next class.
type RunClass struct {
	From      int64     `json:"from"` // in the model's unit
	Jobs      int64     `json:"jobs"`
	Quantiles Quantiles `json:"quantiles"` // s
}

// Waits is the law of the waits that users met in the log, by run time.
type Waits struct {
	About   string      `json:"about,omitempty"`
	Classes []WaitClass `json:"classes,omitempty"` // none: nobody waits
}

// WaitClass is the law of the waits of jobs with run times from From to below
// the From of the next class.
type WaitClass struct {
	From      float64   `json:"from"` // s
	Jobs      int64     `json:"jobs"`
	Quantiles Quantiles `json:"quantiles"` // s
}

// Sessions has the laws of the times between the jobs of a session.
type Sessions struct {
	About string `json:"about,omitempty"`
	// BagGap is the longest time between the submissions of two successive
	// jobs in one bag.
	BagGap float64   `json:"bag_gap"` // s
	Within Quantiles `json:"within"`  // s, between two jobs of a bag
	Apart  Quantiles `json:"apart"`   // s, between two bags if the later one does not wait for a job
	Think  Quantiles `json:"think"`   // s, from the end of a job to the bag that waited for it
}

// Users are the users, in strata.
type Users struct {
	About  string    `json:"about,omitempty"`
	Strata []Stratum `json:"strata"`
}

// Stratum is a group of users who each do about the same amount of work.
type Stratum struct {
	Users int64   `json:"users"` // in the log
	Jobs  int64   `json:"jobs"`
	Work  float64 `json:"work"` // in units of the model's size times seconds
	// DayWork is the largest work that a user submitted in a day. A generated
	// user with more continues on the next day. 0: no limit.
	DayWork float64 `json:"day_work,omitempty"`

	Bags     Quantiles `json:"bags"`     // jobs in a bag of more than one
	Sessions Quantiles `json:"sessions"` // bags in a session of more than one
	// Margins are the quantiles of each trait at equal steps of probability
	// from 0 to 1. Correlations is the lower triangle of the matrix of
	// correlations between the traits' normal scores, in the order of the
	// margins.
	Margins      Margins     `json:"margins"`
	Correlations [][]float64 `json:"correlations"`
}

// Margins are the quantiles of each trait, by its name in a file.
type Margins [NumTraits][]float64
