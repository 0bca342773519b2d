package population

// Unit is what the sizes of a model are numbers of, and its machine has.
type Unit string

// The units of sizes. A log without processors has its sizes in GPUs or in nodes.
const (
	OfProcessors Unit = ""
	OfGPUs       Unit = "gpus"
	OfNodes      Unit = "nodes"
)

// String is the unit in a sentence.
func (u Unit) String() string {
	switch u {
	case OfProcessors:
		return "processors"
	case OfGPUs:
		return "GPUs"
	}
	return string(u)
}

// Resources is the joint law of what jobs have beside a size: nodes, GPUs, memory and
// where they run. It has rows, the combinations of values that occur with a size. The
// rows of a size are in the order by which its users' scores choose among them.
type Resources struct {
	About   string           `json:"about,omitempty"`
	Jobs    int64            `json:"jobs"`   // of which something is known
	Sizes   []int64          `json:"sizes"`  // of each row, not falling; all of the model's sizes
	Shares  []float64        `json:"shares"` // of the jobs of that size, the sum of which is 1
	Columns []ResourceColumn `json:"columns"`
}

// ResourceColumn is one column of the job table in the rows of Resources.
type ResourceColumn struct {
	Name   string           `json:"name"`            // the job table's, one of ResourceColumns
	Names  map[int64]string `json:"names,omitempty"` // of its numbers; kinds of GPU need them
	Values []float64        `json:"values"`          // of each row; -1: unknown
}

// ResourceColumns are the columns that Resources may have, in the order by which the
// rows of a size are sorted.
var ResourceColumns = []string{
	GPUType, RequestedGPUs, AllocatedGPUs, GPUShare, "queue_id", "partition_id", "qos_id",
	RequestedNodes, AllocatedNodes, "requested_memory_total_kb", "requested_memory_kb",
}

// Columns of Resources that mean more than others.
const (
	GPUType        = "gpu_type_id"
	GPUShare       = "gpu_share_milli"
	RequestedGPUs  = "requested_gpus"
	AllocatedGPUs  = "allocated_gpus"
	RequestedNodes = "requested_nodes"
	AllocatedNodes = "allocated_nodes"
)

// MostOf returns the largest value that a column of resources may have. The least is 0.
func MostOf(column string) float64 {
	if column == GPUShare {
		return 1000
	}
	return 1e15
}

// Column returns the column of a name, nil where the model does not have it.
func (r *Resources) Column(name string) *ResourceColumn {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return &r.Columns[i]
		}
	}
	return nil
}

// Rows calls f with the rows of each size: those from lo to below hi.
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

// SizeIn returns the number that is the size of a row's jobs in the unit, from what
// was given to them, else asked for; 0 where the row has none.
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
