package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Column is what is known of one measured column, over the jobs in which it is
// known. Statistics of an empty column are NaN.
type Column struct {
	Name  string // as in the table, or "size_processors", which is derived
	Unit  string
	Known int64 // jobs in which it is known
	// Negative is how many of these are below 0, which no time or size can be:
	// they are left out of what follows.
	Negative int64
	Mean     float64 // in Unit, like the following
	CV       float64 // coefficient of variation: standard deviation over mean
	Q25      float64
	Median   float64
	Q75      float64
	Min      float64
	Max      float64
	Method   string // how the quantiles were found
}

// Group is how many different values of an identifier occur.
type Group struct {
	Name     string
	Known    int64 // jobs in which it is known
	Distinct int64
}

// Description is what a job table holds.
type Description struct {
	Jobs        int64
	Columns     []Column
	Groups      []Group
	Status      map[int64]int64 // jobs by status code; workload.Unknown where there is none
	FirstSubmit float64         // s; NaN where no submission is known
	LastSubmit  float64         // s
	LastEnd     float64         // s, of the jobs whose run time is known; an unknown wait counts as none
	Processors  int64           // of the machine; 0 where the header does not say
	Work        float64         // processor seconds, over jobs with known size and run time
	// OfferedLoad is Work over what the machine could do from the first to the
	// last submission; NaN where the machine or the span is unknown.
	OfferedLoad float64
	// Serial is the share of jobs of one processor, PowerOfTwo that of sizes 2,
	// 4, 8, ... among the others, NaN where there are none; of the jobs whose
	// size is known.
	Serial     float64
	PowerOfTwo float64
}

// measured are the columns that are summarised.
var measured = []int{
	workload.ColSubmitTime, workload.ColWaitTime, workload.ColRunTime,
	workload.ColAllocatedProcessors, workload.ColCPUTime, workload.ColUsedMemory,
	workload.ColRequestedProcessors, workload.ColRequestedTime, workload.ColRequestedMemory,
	workload.ColThinkTime, workload.ColSequentialTime, workload.ColAverageParallelism, workload.ColSigma,
}

// grouped are the identifiers whose values are counted.
var grouped = []int{
	workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue, workload.ColPartition, workload.ColPrecedingJob,
}

// Describe reads a table once. processors is the machine's size, 0 where it is
// not known.
func Describe(batches workload.BatchSeq, processors int64) (Description, error) {
	d := newDescriber()
	for rec, err := range batches {
		if err != nil {
			return Description{}, err
		}
		d.add(workload.NewView(rec))
	}
	return d.description(processors), nil
}

// summary gathers one measured column.
type summary struct {
	negative  int64
	moments   stats.Moments
	quantiles stats.Quantiles
	min, max  float64
}

func newSummary() *summary {
	return &summary{min: math.Inf(1), max: math.Inf(-1)}
}

func (s *summary) add(x float64) {
	if x < 0 {
		s.negative++
		return
	}
	s.moments.Add(x)
	s.quantiles.Add(x)
	s.min, s.max = min(s.min, x), max(s.max, x)
}

func (s *summary) column(name, unit string) Column {
	n := int64(s.moments.N())
	c := Column{Name: name, Unit: unit, Known: n + s.negative, Negative: s.negative, Method: s.quantiles.Method()}
	nan := math.NaN()
	if n == 0 {
		c.Mean, c.CV, c.Q25, c.Median, c.Q75, c.Min, c.Max = nan, nan, nan, nan, nan, nan, nan
		return c
	}
	c.Mean = s.moments.Mean()
	c.CV = math.Sqrt(s.moments.Variance()) / c.Mean
	c.Q25, c.Median, c.Q75 = s.quantiles.Quantile(0.25), s.quantiles.Quantile(0.5), s.quantiles.Quantile(0.75)
	c.Min, c.Max = s.min, s.max
	return c
}

type describer struct {
	jobs             int64
	columns          []*summary
	size             *summary
	groups           []map[int64]struct{}
	groupKnown       []int64
	status           map[int64]int64
	first, last, end float64
	work             float64
	serial, powers   int64
}

func newDescriber() *describer {
	d := &describer{
		size: newSummary(), groupKnown: make([]int64, len(grouped)), status: map[int64]int64{},
		first: math.Inf(1), last: math.Inf(-1), end: math.Inf(-1),
	}
	for range measured {
		d.columns = append(d.columns, newSummary())
	}
	for range grouped {
		d.groups = append(d.groups, map[int64]struct{}{})
	}
	return d
}

func (d *describer) add(v *workload.View) {
	d.jobs += int64(v.Len())
	columns := workload.Columns()
	for k, col := range measured {
		s := d.columns[k]
		for i := range v.Len() {
			if columns[col].Float() {
				if x := v.Float(col, i); !math.IsNaN(x) {
					s.add(x)
				}
			} else if n := v.Int(col, i); n != workload.Unknown {
				s.add(float64(n))
			}
		}
	}
	for k, col := range grouped {
		for i := range v.Len() {
			if n := v.Int(col, i); n != workload.Unknown {
				d.groupKnown[k]++
				d.groups[k][n] = struct{}{}
			}
		}
	}
	for i := range v.Len() {
		j := v.Job(i, 0)
		d.addJob(&j)
	}
}

// addJob gathers what takes more than one column.
func (d *describer) addJob(j *workload.Job) {
	d.status[j.Status]++
	if !math.IsNaN(j.Submit) {
		d.first, d.last = min(d.first, j.Submit), max(d.last, j.Submit)
		if j.Run >= 0 {
			d.end = max(d.end, j.Submit+max(0, j.Run)+nonNegative(j.Wait))
		}
	}
	if j.Size == workload.Unknown {
		return
	}
	d.size.add(float64(j.Size))
	if j.Run > 0 {
		d.work += float64(j.Size) * j.Run
	}
	if j.Size == 1 {
		d.serial++
	} else if j.Size&(j.Size-1) == 0 {
		d.powers++
	}
}

// nonNegative is x, or 0 where x is negative or unknown.
func nonNegative(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

func (d *describer) description(processors int64) Description {
	out := Description{
		Jobs: d.jobs, Status: d.status, Processors: processors, Work: d.work,
		FirstSubmit: math.NaN(), LastSubmit: math.NaN(), LastEnd: math.NaN(), OfferedLoad: math.NaN(),
		Serial: math.NaN(), PowerOfTwo: math.NaN(),
	}
	if d.last >= d.first {
		out.FirstSubmit, out.LastSubmit = d.first, d.last
	}
	if !math.IsInf(d.end, 0) {
		out.LastEnd = d.end
	}
	if span := d.last - d.first; processors > 0 && span > 0 && d.work > 0 {
		out.OfferedLoad = d.work / (float64(processors) * span)
	}
	if n := float64(d.size.moments.N()); n > 0 {
		out.Serial = float64(d.serial) / n
		if parallel := n - float64(d.serial); parallel > 0 {
			out.PowerOfTwo = float64(d.powers) / parallel
		}
	}
	columns := workload.Columns()
	for k, col := range measured {
		out.Columns = append(out.Columns, d.columns[k].column(columns[col].Name, columns[col].Unit))
	}
	out.Columns = append(out.Columns, d.size.column("size_processors", "processors"))
	for k, col := range grouped {
		out.Groups = append(out.Groups, Group{columns[col].Name, d.groupKnown[k], int64(len(d.groups[k]))})
	}
	return out
}
