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

// CollectKinds gathers, in one reading, all jobs as one class, and the
// interactive and the batch jobs as two, those without a value in neither. The
// class of a kind carries the smallest of the values of interactive jobs, and
// the commonest of the others. o.By is not used. Everything else is as with
// Collect.
func CollectKinds(jobs iter.Seq2[workload.Job, error], clock workload.Clock, k workload.Kinds, o CollectOptions, warnings *workload.Warnings) (all Class, kinds []Class, err error) {
	value, err := classOf(k.Column)
	switch {
	case err != nil:
		return Class{}, nil, err
	case k.Column == "":
		return Class{}, nil, fmt.Errorf("no column tells interactive from batch jobs, want one of %s", strings.Join(model.Columns(), ", "))
	case len(k.Interactive) == 0:
		return Class{}, nil, fmt.Errorf("no value of %s is that of interactive jobs, want at least one", k.Column)
	}
	all = Class{Collector: o.collector(clock)}
	interactive, batch := o.collector(clock), o.collector(clock)
	others := map[int64]int64{}
	err = eachJob(jobs, o.Status, warnings, func(j *workload.Job) {
		all.Add(j)
		switch v := value(j); {
		case slices.Contains(k.Interactive, v):
			interactive.Add(j)
		case v != workload.Unknown:
			others[v]++
			batch.Add(j)
		}
	})
	if err != nil {
		return Class{}, nil, err
	}
	if interactive.Jobs() > 0 {
		kinds = append(kinds, Class{Column: k.Column, Value: slices.Min(k.Interactive), Collector: interactive, Name: workload.KindInteractive})
	}
	if batch.Jobs() > 0 {
		kinds = append(kinds, Class{Column: k.Column, Value: commonest(others), Collector: batch, Name: workload.KindBatch})
	}
	return all, kinds, nil
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
