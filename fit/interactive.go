package fit

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KindCollection gathers all jobs as one class, and the interactive and the
// batch jobs as two, those without a value in neither.
type KindCollection struct {
	clock workload.Clock
	o     CollectOptions
	kinds workload.Kinds
	value *workload.Column

	all, interactive, batch *Collector
	others                  map[int64]int64 // batch jobs, by their value
}

// NewKindCollection returns an empty collection. o.By is not used.
func NewKindCollection(clock workload.Clock, k workload.Kinds, o CollectOptions) (*KindCollection, error) {
	if k.Column == "" {
		return nil, fmt.Errorf("no column tells interactive from batch jobs, want one of %s", strings.Join(model.Columns(), ", "))
	}
	value, err := classColumn("interactive", k.Column)
	switch {
	case err != nil:
		return nil, err
	case len(k.Interactive) == 0:
		return nil, fmt.Errorf("no value of %s is that of interactive jobs, want at least one", k.Column)
	}
	c := &KindCollection{clock: clock, o: o, kinds: k, value: value, others: map[int64]int64{}}
	for _, of := range []**Collector{&c.all, &c.interactive, &c.batch} {
		*of = o.collector(clock)
	}
	return c, nil
}

// Read adds jobs, as Collect does.
func (c *KindCollection) Read(jobs iter.Seq2[workload.Job, error], warnings *workload.Warnings) error {
	return eachJob(jobs, c.o.Status, warnings, func(j *workload.Job) {
		c.all.Add(j)
		switch v := c.value.Int(j); {
		case slices.Contains(c.kinds.Interactive, v):
			c.interactive.Add(j)
		case v != workload.Unknown:
			c.others[v]++
			c.batch.Add(j)
		}
	})
}

// Classes returns the class of all jobs and those of the kinds that have jobs.
// The Value of the interactive class is the smallest of its jobs' values, that
// of the batch class the most frequent.
func (c *KindCollection) Classes() (all Class, kinds []Class) {
	if c.interactive.Jobs() > 0 {
		kinds = append(kinds, Class{Column: c.kinds.Column, Value: slices.Min(c.kinds.Interactive), Collector: c.interactive, Name: workload.KindInteractive})
	}
	if c.batch.Jobs() > 0 {
		kinds = append(kinds, Class{Column: c.kinds.Column, Value: commonest(c.others), Collector: c.batch, Name: workload.KindBatch})
	}
	return Class{Collector: c.all}, kinds
}

// commonest is the value with the most jobs, of several the smallest.
func commonest(jobs map[int64]int64) int64 {
	best, first := int64(0), true
	for v, n := range jobs {
		if first || cmp.Or(cmp.Compare(n, jobs[best]), cmp.Compare(best, v)) > 0 {
			best, first = v, false
		}
	}
	return best
}
