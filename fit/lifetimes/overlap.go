package lifetimes

import (
	"sort"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Overlap is how much classes overlap: Downey (1997), section 3.1, "30 % of the
// jobs from the short queue run longer than the median of the medium queue".
// The matrices have a row for the class whose jobs are counted and a column for
// the class with whose median they are compared.
type Overlap struct {
	Labels  []string           `json:"classes"`
	Jobs    []int64            `json:"-"`
	Medians []stats.Number     `json:"medians_s"` // of the jobs' run times
	Longer  [][]stats.Number   `json:"longer"`    // shares of the row's jobs above the column's median
	Shorter [][]float64        `json:"-"`         // shares below it; the rest is equal to it
	Skipped []fit.SkippedClass `json:"-"`
}

// NewOverlap compares each class with the median of each. Classes with fewer
// than minJobs jobs with a positive run time (0 means 100) are skipped, because
// their median is too uncertain.
func NewOverlap(classes []Class, minJobs int64) Overlap {
	minJobs = max(minJobs, 0)
	if minJobs == 0 {
		minJobs = fit.DefaultMinJobs
	}
	o := Overlap{Medians: []stats.Number{}}
	var kept []fit.Sample
	for _, c := range classes {
		label := c.Label
		if c.Period.Label != "" {
			label += ", " + c.Period.Label
		}
		n := c.Sample.Jobs()
		if n < max(1, minJobs) {
			o.Skipped = append(o.Skipped, fit.SkippedClass{Label: label, Jobs: c.Jobs, Why: fewJobs(n, minJobs)})
			continue
		}
		o.Labels = append(o.Labels, label)
		o.Jobs = append(o.Jobs, n)
		o.Medians = append(o.Medians, stats.Number(stats.MedianOfCounts(c.Sample.Values, c.Sample.Counts)))
		kept = append(kept, c.Sample)
	}
	for _, s := range kept {
		t := newTail(s)
		longer, shorter := make([]stats.Number, len(kept)), make([]float64, len(kept))
		for j, median := range o.Medians {
			m := float64(median)
			above := sort.Search(len(s.Values), func(i int) bool { return s.Values[i] > m })
			from := sort.SearchFloat64s(s.Values, m)
			longer[j] = stats.Number(t.jobs[above] / t.jobs[0])
			shorter[j] = (t.jobs[0] - t.jobs[from]) / t.jobs[0]
		}
		o.Longer, o.Shorter = append(o.Longer, longer), append(o.Shorter, shorter)
	}
	return o
}
