package population

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// resources assigns to each template a row of the model's resources with its size. Templates
// take the rows in the order of their scores, so that the jobs of each size have the model's
// shares.
func (p *prepared) resources(l *lap) {
	of := map[int64][]*template{}
	for u := range l.people {
		last := map[int64]float32{} // the user's score of each size
		for i := range l.people[u].templates {
			t := &l.people[u].templates[i]
			if score, ok := last[t.size]; ok && t.same[asksResources] {
				t.asks[asksResources] = score
			}
			last[t.size] = t.asks[asksResources]
			of[t.size] = append(of[t.size], t)
		}
	}
	r := &p.m.Resources
	r.Rows(func(size int64, lo, hi int) {
		all := of[size]
		slices.SortStableFunc(all, func(a, b *template) int { return cmp.Compare(a.asks[asksResources], b.asks[asksResources]) })
		place := make([]int, len(all))
		rankPlaces(place, func(i int) float64 { return all[i].jobs }, r.Shares[lo:hi])
		for i, t := range all {
			t.asks[asksResources] = float32(lo + place[i])
		}
	})
}

// rowsOf returns the rows of resources as jobs with no other values.
func rowsOf(r *population.Resources) []workload.Job {
	rows := make([]workload.Job, len(r.Sizes))
	for i := range rows {
		j := workload.UnknownJob()
		for k := range r.Columns {
			column, x := workload.FindColumn(r.Columns[k].Name), r.Columns[k].Values[i]
			switch {
			case x < 0:
			case column.Float():
				column.SetNumber(&j, x)
			default:
				column.SetInt(&j, int64(x))
			}
		}
		j.Derive()
		rows[i] = j
	}
	return rows
}

// has sets a job's resources to those of a row.
func (p *prepared) has(j *workload.Job, row int) {
	of := &p.rows[row]
	j.Partition, j.QOS, j.MemoryTotal = of.Partition, of.QOS, of.MemoryTotal
	j.Nodes, j.AllocatedNodes, j.TakesNodes = of.Nodes, of.AllocatedNodes, of.TakesNodes
	j.GPUs, j.AllocatedGPUs, j.TakesGPUs = of.GPUs, of.AllocatedGPUs, of.TakesGPUs
	j.GPUType, j.GPUShare = of.GPUType, of.GPUShare
	if p.m.Queues.Values == nil {
		j.Queue = of.Queue
	}
	if p.m.Memory.Values == nil {
		j.Memory = of.Memory
	}
}

// Optional returns the optional columns of the job table that the generated jobs have.
func (w *Workload) Optional() (s workload.ColumnSet) {
	for _, column := range w.p.m.Resources.Columns {
		if at := workload.ColumnIndex(column.Name); at >= workload.FirstOptional {
			s |= workload.ColumnSetOf(at)
		}
	}
	return s
}
