package lifetimes

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine which jobs are collected and how they are sorted into
// classes. The zero value collects all jobs in one class.
type Options struct {
	By     []workload.ClassColumn // classes are the combinations of values of these columns, at most 4
	Over   *workload.Division     // divides classes further by period of submission; nil means no periods
	Status []int64                // the status codes to keep; empty keeps every job
}

// mostClasses is the largest number of classes, which limits memory use. Jobs of further classes
// are left out and counted.
const mostClasses = 4096

// Class contains the run times of one class of jobs.
type Class struct {
	Label  string          // "all", or a label such as "queue_id=1, size=5-8"
	Cells  []string        // the parts of Label, one for each column of By
	Period workload.Period // the zero value if there is no division
	Jobs   int64           // number of jobs, with or without a usable run time
	Sample fit.Sample      // of run times
}

// name returns the label, followed by that of the period if there is one.
func (c Class) name() string {
	if c.Period.Label == "" {
		return c.Label
	}
	return c.Label + ", " + c.Period.Label
}

// Collector collects the run times of jobs by class. Jobs may be in any order. Its memory grows
// with the number of distinct run times of the classes, not with the number of jobs.
type Collector struct {
	options Options
	by      *workload.Classifier
	classes map[classKey]*counted
	outside int64
	crowded int64
}

type classKey struct {
	class  workload.ClassKey
	period int64
}

// counted holds the run times of a class.
type counted struct {
	counts  map[float64]float64
	jobs    int64
	unknown int64
}

// NewCollector returns an empty collector. It is an error if an option is out
// of range.
func NewCollector(o Options) (*Collector, error) {
	by, err := workload.NewClassifier(o.By)
	return &Collector{options: o, by: by, classes: map[classKey]*counted{}}, err
}

// Add adds a job, unless Options.Status excludes its status or its submission
// is in no period.
func (c *Collector) Add(j *workload.Job) {
	if len(c.options.Status) > 0 && !slices.Contains(c.options.Status, j.Status) {
		return
	}
	key := classKey{class: c.by.Key(j)}
	if c.options.Over != nil {
		number, ok := c.options.Over.Number(j.Submit)
		if !ok {
			c.outside++
			return
		}
		key.period = number
	}
	l := c.classes[key]
	if l == nil {
		if len(c.classes) == mostClasses {
			c.crowded++
			return
		}
		l = &counted{counts: map[float64]float64{}}
		c.classes[key] = l
	}
	l.jobs++
	if math.IsNaN(j.Run) {
		l.unknown++
	} else {
		l.counts[j.Run]++
	}
}

// Classes returns the classes in the order of their columns' values, those without a value last,
// and each in order of period. The warnings report the jobs that were left out.
func (c *Collector) Classes() (classes []Class, warnings []string) {
	order := func(a, b classKey) int {
		return cmp.Or(a.class.Compare(b.class), cmp.Compare(a.period, b.period))
	}
	for _, key := range slices.SortedFunc(maps.Keys(c.classes), order) {
		l := c.classes[key]
		class := Class{
			Label: c.by.Label(key.class), Cells: c.by.Cells(key.class),
			Jobs: l.jobs, Sample: fit.SampleOfCounts(fit.RunTime, l.counts, l.unknown),
		}
		if c.options.Over != nil {
			class.Period = c.options.Over.Period(key.period)
		}
		classes = append(classes, class)
	}
	if c.outside > 0 {
		warnings = append(warnings, fmt.Sprintf("%d jobs left out: their submission is unknown or in no period", c.outside))
	}
	if c.crowded > 0 {
		warnings = append(warnings, fmt.Sprintf("%d jobs left out: more than %d classes; classify by fewer columns, or by columns with fewer values", c.crowded, mostClasses))
	}
	return classes, warnings
}

// Collect collects the run times of a log by class. It stops at an error from jobs and returns
// it.
func Collect(jobs iter.Seq2[workload.Job, error], o Options) (classes []Class, warnings []string, err error) {
	c, err := NewCollector(o)
	if err != nil {
		return nil, nil, err
	}
	for j, err := range jobs {
		if err != nil {
			return nil, nil, err
		}
		c.Add(&j)
	}
	classes, warnings = c.Classes()
	return classes, warnings, nil
}
