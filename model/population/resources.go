package population

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
	GPUType, RequestedGPUs, AllocatedGPUs, GPUShare, "queue_id", "partition_id", "qos_id",
	RequestedNodes, AllocatedNodes, "requested_memory_total_kb", "requested_memory_kb",
}

// The columns of Resources with a special role.
const (
	GPUType        = "gpu_type_id"
	GPUShare       = "gpu_share_milli"
	RequestedGPUs  = "requested_gpus"
	AllocatedGPUs  = "allocated_gpus"
	RequestedNodes = "requested_nodes"
	AllocatedNodes = "allocated_nodes"
)

// MostOf returns the largest value allowed in a column of resources; the smallest is 0.
func MostOf(column string) float64 {
	if column == GPUShare {
		return 1000
	}
	return 1e15
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

// Rows calls f for each size, with its rows from lo to hi-1.
func (r *Resources) Rows(f func(size int64, lo, hi int)) {
	for lo := 0; lo < len(r.Sizes); {
		hi := lo + 1
		for hi < len(r.Sizes) && r.Sizes[hi] == r.Sizes[lo] {
			hi++
		}
		f(r.Sizes[lo], lo, hi)
		lo = hi
	}
}

// SizeIn returns the size of a row's jobs in GPUs or nodes: the allocated number, or else
// the requested one; 0 if neither is known.
func (r *Resources) SizeIn(unit Unit, row int) float64 {
	names := [2]string{AllocatedGPUs, RequestedGPUs}
	if unit == OfNodes {
		names = [2]string{AllocatedNodes, RequestedNodes}
	}
	for _, name := range names {
		if c := r.Column(name); c != nil && c.Values[row] > 0 {
			return c.Values[row]
		}
	}
	return 0
}
