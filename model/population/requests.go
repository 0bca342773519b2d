package population

// MaxAtoms is the largest number of values of an Atoms.
const MaxAtoms = 1000

// Atoms is a discrete law: values and their shares. A value of 0, or a label of
// -1, stands for jobs without a value.
type Atoms struct {
	About  string    `opt:"about"`
	Jobs   int64     `opt:"jobs" required:"true"` // jobs that have a value
	Values []float64 `opt:"values" in:"[-1,1e20]" repeats:"true"`
	Shares []float64 `opt:"shares" in:"[0,3e38]" repeats:"true"` // of all jobs
}

// Estimates is the law of the users' estimates of run times, and of how jobs end at
// their estimates. A job reached its estimate where its run time is from ReachedFrom
// times the estimate to ReachedTo times it and a minute.
type Estimates struct {
	Atoms                  // s, rising
	Reached []ReachedClass `opt:"reached"`                          // by run time; empty: no job reaches its estimate
	Early   float64        `opt:"early" in:"[0,1]" required:"true"` // share of these that ended before it
	Late    Quantiles      `opt:"late"`                             // s, from the estimate to the end, of the others; empty: 0
	Overrun Quantiles      `opt:"overrun"`                          // run time over estimate, of jobs that ran on beyond that
}

// ReachedClass contains the shares of jobs, with run times from From to below
// the From of the next class, that reached their estimates or ran on beyond
// them.
type ReachedClass struct {
	From  float64 `opt:"from" in:"[0,1e10]" required:"true"` // s
	Jobs  int64   `opt:"jobs" required:"true"`
	Share float64 `opt:"share" in:"[0,1]" required:"true"`
	// Beyond is the share of jobs that ran on beyond their estimates.
	Beyond float64 `opt:"beyond" in:"[0,1]" required:"true"`
}

// The range of run time over estimate in which a job counts as having reached
// its estimate.
const (
	ReachedFrom = .99
	ReachedTo   = 1.1 // and a minute
)

// Applications tells that jobs have applications, each used by one user. The
// traits of a user determine the applications of its templates.
type Applications struct {
	About string `opt:"about"`
	Jobs  int64  `opt:"jobs" required:"true"`                      // jobs that have an application
	Count int64  `opt:"count" in:"[0,2147483648]" required:"true"` // applications
}

// Statuses is the law of the status of jobs by run time.
type Statuses struct {
	About   string        `opt:"about"`
	Values  []int64       `opt:"values" in:"[-1,2147483648]" repeats:"true"` // codes of the standard workload format; -1: unknown
	Reached []float64     `opt:"reached" in:"[0,3e38]" repeats:"true"`       // shares among jobs that reached their estimate; empty: as other jobs
	Classes []StatusClass `opt:"classes"`                                    // of the other jobs
	// Again is the probability, beyond chance, that a job ends with the same
	// status as the one before in its template.
	Again float64 `opt:"again" in:"[0,1]" required:"true"`
}

// StatusClass is the law of the status of jobs with run times from From to
// below the From of the next class.
type StatusClass struct {
	From   float64   `opt:"from" in:"[0,1e10]" required:"true"` // s
	Jobs   int64     `opt:"jobs" required:"true"`
	Shares []float64 `opt:"shares" in:"[0,3e38]" repeats:"true"`
}
