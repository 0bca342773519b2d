package population

import "iter"

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

// ReachedClass contains the shares of the jobs in a class of run times that reached their
// estimates, or ran on beyond them.
type ReachedClass struct {
	Class
	Share  float64 `opt:"share" in:"[0,1]" required:"true"`
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
	Jobs    int64            `opt:"jobs" required:"true"`             // jobs with a known value in any column
	Sizes   []int64          `opt:"sizes" repeats:"true"`             // by row, ascending; every size of the model has a row
	Shares  []float64        `opt:"shares" in:"[0,1]" repeats:"true"` // by row, of the jobs of its size; they sum to 1 for each size
	Columns []ResourceColumn `opt:"columns"`
}

// ResourceColumn is one column of the job table in the rows of Resources.
type ResourceColumn struct {
	Name   string           `opt:"name" required:"true"`                 // one of ResourceColumns
	Names  map[int64]string `opt:"names"`                                // names of identifiers; required for kinds of GPU
	Values []float64        `opt:"values" in:"[-1,1e15]" repeats:"true"` // by row; -1: unknown
}

// ResourceColumns lists the columns that Resources may have. The rows of a size are sorted
// by them, in this order.
var ResourceColumns = []string{
	GPUType, "requested_gpus", "allocated_gpus", "gpu_share_milli", "queue_id", "partition_id", "qos_id",
	"requested_nodes", "allocated_nodes", "requested_memory_total_kb", "requested_memory_kb",
}

// GPUType is the column of the kind of GPU, whose values have names.
const GPUType = "gpu_type_id"

// MostOf returns the largest value allowed in a column of resources; the smallest is 0.
func MostOf(column string) float64 {
	if column == "gpu_share_milli" {
		return 1000
	}
	return 1e15
}

// Columns returns the columns of how many GPUs or nodes jobs take: the allocated number
// counts, or else the requested one.
func (u Unit) Columns() [2]string {
	if u == OfNodes {
		return [2]string{"allocated_nodes", "requested_nodes"}
	}
	return [2]string{"allocated_gpus", "requested_gpus"}
}

// Column returns the column of that name, or nil if the model does not have it.
func (r *Resources) Column(name string) *ResourceColumn {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return &r.Columns[i]
		}
	}
	return nil
}

// Rows yields each size's rows, from lo to below hi.
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
