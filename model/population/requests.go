package population

import "iter"

// MaxAtoms is the largest number of values of an Atoms.
const MaxAtoms = 1000

// Atoms is a discrete law: values and their shares. An amount of 0, or a label of -1, means jobs
// without a value.
type Atoms struct {
	About  string    `opt:"about"`
	Jobs   int64     `opt:"jobs" required:"true"` // number of jobs that have a value
	Values []float64 `opt:"values" in:"[-1,1e20]" repeats:"true"`
	Shares []float64 `opt:"shares" in:"[0,3e38]" repeats:"true"` // of all jobs
}

// Estimates is the law of the users' estimates of run times, and of the end of jobs that reach
// their estimates. A job reached its estimate if its run time is at least ReachedFrom times the
// estimate and at most ReachedTo times the estimate plus a minute.
type Estimates struct {
	Atoms                  // s, rising
	Reached []ReachedClass `opt:"reached"`                          // by run time; empty: no job reaches its estimate
	Early   float64        `opt:"early" in:"[0,1]" required:"true"` // share of the jobs that reached their estimate but ended before it
	Late    Quantiles      `opt:"late"`                             // s, from the estimate to the end of the other such jobs; empty: 0
	Overrun Quantiles      `opt:"overrun"`                          // run time divided by estimate, of jobs that ran for longer than that
}

// ReachedClass contains the shares of jobs in a class of run times that reached their estimates,
// and that ran beyond that range.
type ReachedClass struct {
	Class
	Share  float64 `opt:"share" in:"[0,1]" required:"true"`
	Beyond float64 `opt:"beyond" in:"[0,1]" required:"true"`
}

// The range of run time divided by estimate in which a job counts as having reached its estimate.
const (
	ReachedFrom = .99
	ReachedTo   = 1.1 // plus a minute
)

// Applications describes the applications of jobs, each used by one user. The traits of a user
// determine the applications of the user's templates.
type Applications struct {
	About string `opt:"about"`
	Jobs  int64  `opt:"jobs" required:"true"`                      // number of jobs that have an application
	Count int64  `opt:"count" in:"[0,2147483648]" required:"true"` // number of applications
}

// Statuses is the law of the status of jobs by run time.
type Statuses struct {
	About   string        `opt:"about"`
	Values  []int64       `opt:"values" in:"[-1,2147483648]" repeats:"true"` // codes of the standard workload format; -1: unknown
	Reached []float64     `opt:"reached" in:"[0,3e38]" repeats:"true"`       // shares among jobs that reached their estimate; empty: the same as for other jobs
	Classes []StatusClass `opt:"classes"`                                    // for the other jobs
	// Again is the probability, beyond chance, that a job ends with the same status as the
	// previous job of its template.
	Again float64 `opt:"again" in:"[0,1]" required:"true"`
}

// StatusClass is the law of the status of the jobs in a class of run times.
type StatusClass struct {
	Class
	Shares []float64 `opt:"shares" in:"[0,3e38]" repeats:"true"`
}

// Resources is the joint distribution of size, nodes, GPUs, memory, partition and quality
// of service. Each row is a combination of values that occurs with a size. The rows of a
// size are sorted; a user's score (see ResourceMean) is a rank among them.
type Resources struct {
	About   string           `opt:"about"`
	Jobs    int64            `opt:"jobs" required:"true"`             // number of jobs with a known value in any column
	Sizes   []int64          `opt:"sizes" repeats:"true"`             // by row, ascending; every size of the model has a row
	Shares  []float64        `opt:"shares" in:"[0,1]" repeats:"true"` // by row, shares of the jobs of that size; their sum is 1 for each size
	Columns []ResourceColumn `opt:"columns"`
}

// ResourceColumn is one column of the job table in the rows of Resources.
type ResourceColumn struct {
	Name   string           `opt:"name" required:"true"`                 // one of ResourceColumns
	Names  map[int64]string `opt:"names"`                                // names of identifiers; required for types of GPU
	Values []float64        `opt:"values" in:"[-1,1e15]" repeats:"true"` // by row; -1: unknown
}

// ResourceColumns lists the columns that Resources may have. The rows of a size are sorted
// by them, in this order.
var ResourceColumns = []string{
	GPUType, "requested_gpus", "allocated_gpus", "gpu_share_milli", "queue_id", "partition_id", "qos_id",
	"requested_nodes", "allocated_nodes", "requested_memory_total_kb", "requested_memory_kb",
}

// GPUType is the column of the GPU type, whose values have names.
const GPUType = "gpu_type_id"

// MostOf returns the largest value allowed in a column of resources; the smallest is 0.
func MostOf(column string) float64 {
	if column == "gpu_share_milli" {
		return 1000
	}
	return 1e15
}

// Columns returns the columns with the number of GPUs or nodes of a job: the allocated number,
// then the requested one, which is used if the first is not known.
func (u Unit) Columns() [2]string {
	if u == OfNodes {
		return [2]string{"allocated_nodes", "requested_nodes"}
	}
	return [2]string{"allocated_gpus", "requested_gpus"}
}

// Column returns the column with that name, or nil if there is none.
func (r *Resources) Column(name string) *ResourceColumn {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return &r.Columns[i]
		}
	}
	return nil
}

// Rows yields the range of rows of each size: from lo up to, but not including, hi.
func (r *Resources) Rows() iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		for lo, hi := 0, 0; lo < len(r.Sizes); lo = hi {
			for hi = lo; hi < len(r.Sizes) && r.Sizes[hi] == r.Sizes[lo]; {
				hi++
			}
			if !yield(lo, hi) {
				return
			}
		}
	}
}
