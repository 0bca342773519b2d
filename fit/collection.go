package fit

import (
	"iter"
	"maps"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Collection gathers the jobs of a log by class, as Collect does.
type Collection struct {
	clock   workload.Clock
	o       CollectOptions
	by      *workload.Classifier
	value   *workload.Column // of named classes
	classes map[workload.ClassKey]*collected
	last    *collected // whose class the next job often is
}

// NewCollection returns an empty collection.
func NewCollection(clock workload.Clock, o CollectOptions) (*Collection, error) {
	by := o.Classes
	if by == nil {
		var err error
		if by, err = classifierOf(o.By); err != nil {
			return nil, err
		}
	}
	return &Collection{clock: clock, o: o, by: by, value: namedValue(by), classes: map[workload.ClassKey]*collected{}}, nil
}

// Read adds jobs, as Collect does.
func (c *Collection) Read(jobs iter.Seq2[workload.Job, error], warnings *workload.Warnings) error {
	return eachJob(jobs, c.o.Status, warnings, c.add)
}

func (c *Collection) add(j *workload.Job) {
	k := c.by.Key(j)
	if c.last == nil || c.last.key != k {
		c.last = c.class(k)
	}
	c.last.Add(j)
	if c.value != nil {
		c.last.values[c.value.Int(j)]++
	}
}

// class returns a class, which is empty where it is new.
func (c *Collection) class(k workload.ClassKey) *collected {
	of := c.classes[k]
	if of == nil {
		of = &collected{key: k, Collector: c.o.collector(c.clock), values: map[int64]int64{}}
		c.classes[k] = of
	}
	return of
}

// Classes returns the classes in the order of their values, the jobs without a value
// last.
func (c *Collection) Classes() []Class {
	list := make([]Class, 0, len(c.classes))
	for _, k := range slices.SortedFunc(maps.Keys(c.classes), workload.ClassKey.Compare) {
		of := c.classes[k]
		list = append(list, of.class(c.by))
	}
	return list
}
