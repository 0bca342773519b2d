package plan

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Machine is a set of processors, with the jobs that hold them and those that
// wait for them. Several machines share no processors: they are groups of
// partitions without common nodes.
type Machine struct {
	// Snapshot has the processors that can be had now, the running jobs, and
	// the jobs that could start if enough processors were free, in the order
	// in which the scheduler serves them, with distinct Row. Jobs that are
	// held or wait for others are not among them. If the running jobs hold
	// more processors than there are, the machine is taken to have that many.
	predict.Snapshot
	// Partitions are those whose jobs run here; nil means all.
	Partitions []int64
}

// validate returns an error for what no machine can be.
func validate(machines []Machine) error {
	if len(machines) == 0 {
		return workload.OptionFault("machines", "none", "at least one")
	}
	for i := range machines {
		m := &machines[i]
		switch {
		case math.IsNaN(m.Time) || math.IsInf(m.Time, 0) || m.Time != machines[0].Time:
			return workload.OptionFault("machines", m.Time, "the same finite time of all")
		case m.Processors < 1:
			return workload.OptionFault("machines", m.Processors, "at least one processor")
		}
		held := int64(0)
		for k := range m.Running {
			o := &m.Running[k]
			switch {
			case o.Request == nil || o.Size < 1 || o.Size > math.MaxInt64-held:
				return workload.OptionFault("machines", o.Size, "running jobs with a number of processors")
			case !(o.Age >= 0) || math.IsInf(o.Age, 1):
				return workload.OptionFault("machines", o.Age, "running jobs of a finite age, at least 0 s")
			}
			held += o.Size
		}
	}
	return nil
}

// held returns the processors of the running jobs.
func (m *Machine) held() int64 { return m.Processors - m.Free() }

// queue returns the positions of the queued jobs that can ever start.
func (m *Machine) queue() []int {
	most := max(m.Processors, m.held())
	var fit []int
	for i := range m.Queued {
		if n := m.Queued[i].Size; n >= 1 && n <= most {
			fit = append(fit, i)
		}
	}
	return fit
}

// limit returns the time limit of a job, s, and false where it has none, or one so long that it
// stands for none.
func limit(r *workload.Request) (float64, bool) {
	return r.Time, r.Time > 0 && r.Time < predict.Longest
}
