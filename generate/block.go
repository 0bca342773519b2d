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
	groups  []int64   // the bag of each job; nil without users
	cut     int64     // run times that were cut to the largest estimate
}

// blocks yields the jobs' submissions, in order.
func (w *Workload) blocks() iter.Seq2[block, error] {
	return func(yield func(block, error) bool) {
		jobs, until := w.jobs, w.until
		m := newMerger(w.classes, w.quotas)
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
				if w.users != nil {
					b.groups = append(b.groups, m.group())
				}
				m.advance()
				b.add(time, class, counts)
			}
			done += int64(len(b.submits))
			if len(b.submits) == 0 || !yield(b, nil) || len(b.submits) < rows {
				return
			}
		}
	}
}

func (b *block) add(time float64, class int, counts []int64) {
	b.submits = append(b.submits, time)
	if len(counts) > 1 {
		b.classes = append(b.classes, int32(class))
	}
	counts[class]++
}

// filled is a block with all that is drawn.
type filled struct {
	batch workload.Batch
	area  float64 // processor seconds
	first float64 // s, the first submission
	last  float64 // s, the last one
	cut   int64   // run times that were cut to the largest estimate
}

// fill draws the sizes, run times and estimates of a block's jobs, and uses the
// block up. It never fails.
func (w *Workload) fill(b block) (filled, error) {
	rows := len(b.submits)
	ids := make([]int64, rows)
	status := make([]int64, rows)
	for i := range rows {
		ids[i] = b.first + int64(i)
		status[i] = workload.StatusCompleted
	}
	columns := []workload.Values{
		{Column: workload.ColJobID, Ints: ids},
		{Column: workload.ColSubmitTime, Floats: b.submits},
		{Column: workload.ColStatus, Ints: status},
	}
	var first []int64 // what fills in sizes and run times counts on
	if w.estimates {
		first = slices.Clone(b.counts)
	}
	var sizes []int64
	var runs []float64
	switch {
	case w.Site.Classes[0].Malleable != nil:
		c := w.fillMalleable(b)
		sizes, runs = c.sizes, c.runs
		columns = append(columns, c.columns()...)
	case w.users != nil:
		var who []workload.Values
		sizes, runs, who = w.fillHabitual(&b)
		columns = append(columns, who...)
	default:
		sizes, runs = w.fillRigid(&b)
	}
	out := filled{first: b.submits[0], last: b.submits[rows-1], cut: b.cut}
	if sizes != nil {
		columns = append(columns, workload.Values{Column: workload.ColRunTime, Floats: runs}, workload.Values{Column: workload.ColAllocatedProcessors, Ints: sizes})
		for i, size := range sizes {
			if size > 0 {
				out.area += float64(size) * runs[i]
			}
		}
	}
	if w.estimates {
		requested, err := w.estimate(b, first, runs)
		if err != nil {
			return filled{}, err
		}
		columns = append(columns, workload.Values{Column: workload.ColRequestedTime, Floats: requested})
	}
	if name := w.Site.Classes[0].Column; name != "" {
		columns = append(columns, workload.Values{Column: workload.ColumnIndex(name), Ints: w.values(b)})
	}
	out.batch = workload.RecordOf(rows, columns...)
	return out, nil
}

// fillRigid draws sizes, then run times.
func (w *Workload) fillRigid(b *block) (sizes []int64, runs []float64) {
	sizes, runs = make([]int64, len(b.submits)), make([]float64, len(b.submits))
	var pcg rand.PCG
	rng := rand.New(&pcg)
	class := 0
	for i := range sizes {
		if b.classes != nil {
			class = int(b.classes[i])
		}
		c := &w.classes[class]
		job := b.counts[class]
		b.counts[class]++
		sizes[i], runs[i] = c.drawRigid(&pcg, rng, job)
		if runs[i] > c.longest {
			runs[i] = c.longest
			b.cut++
		}
	}
	return sizes, runs
}

// drawRigid draws the size and the run time of a job, by its number in the
// class.
func (c *class) drawRigid(pcg *rand.PCG, rng *rand.Rand, job int64) (size int64, run float64) {
	c.sizes.stream.seed(pcg, job)
	size = c.sizes.draw(rng)
	c.runTimes.stream.seed(pcg, job)
	return size, c.runTimes.draw(rng, size)
}

func (w *Workload) fillMalleable(b block) *malleableColumns {
	rigid := false
	for _, c := range w.Site.Classes {
		rigid = rigid || c.Malleable.Allocation != ""
	}
	out := newMalleableColumns(len(b.submits), rigid)
	var pcg rand.PCG
	rng := rand.New(&pcg)
	class := 0
	for i := range b.submits {
		if b.classes != nil {
			class = int(b.classes[i])
		}
		c := &w.classes[class]
		c.malleables.stream.seed(&pcg, b.counts[class])
		b.counts[class]++
		c.malleables.draw(rng, &out, i)
	}
	return &out
}

// fillHabitual draws sizes and run times, and the columns of users and applications.
func (w *Workload) fillHabitual(b *block) (sizes []int64, runs []float64, who []workload.Values) {
	rows := len(b.submits)
	users, applications := make([]int64, rows), make([]int64, rows)
	sizes, runs = make([]int64, rows), make([]float64, rows)
	var pcg rand.PCG
	rng := rand.New(&pcg)
	class := 0
	for i := range rows {
		if b.classes != nil {
			class = int(b.classes[i])
		}
		c := &w.classes[class]
		users[i], applications[i], sizes[i], runs[i] = c.habits.draw(&pcg, rng, b.groups[i], b.counts[class])
		if runs[i] > c.longest {
			runs[i] = c.longest
			b.cut++
		}
		b.counts[class]++
	}
	return sizes, runs, []workload.Values{{Column: workload.ColUser, Ints: users}, {Column: workload.ColApplication, Ints: applications}}
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
