package generate

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// block is a run of jobs, one batch's worth, of which the submissions and the
// classes are known. Sizes and run times are filled in by any goroutine.
type block struct {
	first   int64     // number of the first job in the log, from 1
	submits []float64 // s
	classes []int32   // class of each job; nil where there is only one class
	counts  []int64   // jobs of each class before this block
}

// blocks yields the jobs' submissions, in order.
func (w *Workload) blocks() iter.Seq2[block, error] {
	return func(yield func(block, error) bool) {
		jobs, until := w.options.limits()
		m := newMerger(w.classes)
		counts := make([]int64, len(w.classes))
		for done := int64(0); done < jobs; {
			b := block{first: done + 1, counts: slices.Clone(counts)}
			rows := int(min(workload.DefaultBatchRows, jobs-done))
			if w.options.Days > 0 {
				b.submits = make([]float64, 0, min(rows, 1024)) // there may be few
			} else {
				b.submits = make([]float64, 0, rows)
			}
			for range rows {
				time, class := m.first()
				if !(time < until) {
					break
				}
				m.advance()
				b.submits = append(b.submits, time)
				if len(counts) > 1 {
					b.classes = append(b.classes, int32(class))
				}
				counts[class]++
			}
			done += int64(len(b.submits))
			if len(b.submits) == 0 || !yield(b, nil) || len(b.submits) < rows {
				return
			}
		}
	}
}

// fill draws the sizes and run times of a block's jobs, and uses the block up.
// It never fails.
func (w *Workload) fill(b block) (workload.Batch, error) {
	rows := len(b.submits)
	ids := make([]int64, rows)
	sizes := make([]int64, rows)
	status := make([]int64, rows)
	runs := make([]float64, rows)
	var pcg rand.PCG
	rng := rand.New(&pcg)
	class := 0
	for i := range rows {
		if b.classes != nil {
			class = int(b.classes[i])
		}
		c := &w.classes[class]
		job := b.counts[class]
		b.counts[class]++
		ids[i] = b.first + int64(i)
		status[i] = workload.StatusCompleted
		c.sizes.stream.seed(&pcg, job)
		sizes[i] = c.sizes.draw(rng)
		c.runTimes.stream.seed(&pcg, job)
		runs[i] = c.runTimes.draw(rng, sizes[i])
	}
	columns := []workload.Values{
		{Column: workload.ColJobID, Ints: ids},
		{Column: workload.ColSubmitTime, Floats: b.submits},
		{Column: workload.ColRunTime, Floats: runs},
		{Column: workload.ColAllocatedProcessors, Ints: sizes},
		{Column: workload.ColStatus, Ints: status},
	}
	if name := w.Site.Classes[0].Column; name != "" {
		columns = append(columns, workload.Values{Column: workload.ColumnIndex(name), Ints: w.values(b)})
	}
	return workload.RecordOf(rows, columns...), nil
}

// values is the column that tells the classes.
func (w *Workload) values(b block) []int64 {
	values := make([]int64, len(b.submits))
	for i := range values {
		class := 0
		if b.classes != nil {
			class = int(b.classes[i])
		}
		values[i] = w.classes[class].value
	}
	return values
}
