package population

// MaxAtoms is the most values that an Atoms has.
const MaxAtoms = 1000

// Atoms is a law by its values. A value of 0, or -1 of a label, stands for jobs
// that have none.
type Atoms struct {
	About  string    `json:"about,omitempty"`
	Jobs   int64     `json:"jobs"` // that have a value
	Values []float64 `json:"values,omitempty"`
	Shares []float64 `json:"shares,omitempty"` // of all jobs
}

// Estimates is the law of the users' estimates of run times, and of how jobs end at
// their estimates. A job reached its estimate where its run time is from ReachedFrom
// times the estimate to ReachedTo times it and a minute.
type Estimates struct {
	Atoms                  // s, rising
	Reached []ReachedClass `json:"reached"` // by run time; none: no job reaches its estimate
	Early   float64        `json:"early"`   // share of these that ended before it
	Late    Quantiles      `json:"late"`    // s, from the estimate to the end, of the others; none: 0
	Overrun Quantiles      `json:"overrun"` // run time over estimate, of jobs that ran on beyond that
}

// ReachedClass says how many jobs of run times from From to below the next class's
// reached their estimates, or ran on beyond that.
type ReachedClass struct {
	From  float64 `json:"from"` // s
	Jobs  int64   `json:"jobs"`
	Share float64 `json:"share"`
	// Beyond is the share that ran on.
	Beyond float64 `json:"beyond"`
}

// The bounds between which a job reached its estimate.
const (
	ReachedFrom = .99
	ReachedTo   = 1.1 // and a minute
)

// Applications says that jobs have applications, each of one user. Which of them a
// template is of is told by the traits of its user.
type Applications struct {
	About string `json:"about,omitempty"`
	Jobs  int64  `json:"jobs"`  // that have one
	Count int64  `json:"count"` // applications
}

// Statuses is the law of the status of jobs by run time.
type Statuses struct {
	About   string        `json:"about,omitempty"`
	Values  []int64       `json:"values"`  // codes of the standard workload format; -1: unknown
	Reached []float64     `json:"reached"` // shares among jobs that reached their estimate; none: as other jobs
	Classes []StatusClass `json:"classes"` // of the other jobs
	// Again is the probability that a job ends as the one before in its template,
	// beyond chance.
	Again float64 `json:"again"`
}

// StatusClass is the law of the status of run times from From to below the next
// class's.
type StatusClass struct {
	From   float64   `json:"from"` // s
	Jobs   int64     `json:"jobs"`
	Shares []float64 `json:"shares"`
}
