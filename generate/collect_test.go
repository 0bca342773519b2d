package generate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// falseAlarm is the probability with which one statistical check of a correct
// program fails, over the choice of seeds. The seeds are fixed.
const falseAlarm = 1e-7

// sigmas returns the number of standard errors that a normal deviate exceeds, on either side,
// with probability falseAlarm.
func sigmas() float64 { return distuv.UnitNormal.Quantile(1 - falseAlarm/2) }

func site(t testing.TB, name string) model.Site {
	t.Helper()
	s := jobtest.Must(model.Preset(name))
	return s
}

func build(t testing.TB, s model.Site, o Options) *Workload {
	t.Helper()
	w, err := New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func prepare(t testing.TB, name string, o Options) *Workload {
	t.Helper()
	return build(t, site(t, name), o)
}

// table holds the columns of a workload.
type table struct {
	ids     []int64
	submits []float64
	runs    []float64
	sizes   []int64
	queues  []int64
}

func collect(t testing.TB, w *Workload) (c table) {
	t.Helper()
	for batch, err := range w.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		v := batch
		for i := range v.Rows {
			c.ids = append(c.ids, v.Int(workload.ColJobID, i))
			c.submits = append(c.submits, v.Float(workload.ColSubmitTime, i))
			c.runs = append(c.runs, v.Float(workload.ColRunTime, i))
			c.sizes = append(c.sizes, v.Int(workload.ColAllocatedProcessors, i))
			c.queues = append(c.queues, v.Int(workload.ColQueue, i))
		}
	}
	return c
}

// of returns the jobs of one queue, without the queue numbers.
func (c table) of(queue int64) (part table) {
	for i, q := range c.queues {
		if q == queue {
			part.submits = append(part.submits, c.submits[i])
			part.runs = append(part.runs, c.runs[i])
			part.sizes = append(part.sizes, c.sizes[i])
			part.queues = append(part.queues, q)
		}
	}
	return part
}

func (c table) head(n int) table {
	return table{submits: c.submits[:n], runs: c.runs[:n], sizes: c.sizes[:n], queues: c.queues[:n]}
}

func meanAndSD(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// checkMean fails if the sample mean is further from the true mean than sampling explains; sd is
// the standard deviation of the law.
func checkMean(t *testing.T, what string, got, want, sd float64, n int) {
	t.Helper()
	if allowed := sigmas() * sd / math.Sqrt(float64(n)); !(math.Abs(got-want) <= allowed) {
		t.Errorf("%s of %d: %g, want %g within %g", what, n, got, want, allowed)
	}
}

// checkShare fails if the number of hits does not fit n trials with probability p.
func checkShare(t *testing.T, what string, hits, n int, p float64) {
	t.Helper()
	checkMean(t, what, float64(hits)/float64(n), p, math.Sqrt(p*(1-p)), n)
}

// reference contains results of package model's testdata/lublin1999.py, which enumerates the laws
// of the published program with SciPy 1.10.
type reference struct {
	At             []exactLaws
	Weights        []float64
	Interarrival   float64 `json:"interarrival_mean_s"`
	InterarrivalSD float64 `json:"interarrival_sd_s"`
}

func readReference(t *testing.T) map[string]reference {
	type file struct{ Classes map[string]reference }
	classes := longtest.ReadJSON[file](t, "../model/testdata/lublin1999.json").Classes
	classes["all"] = classes["untyped"]
	return classes
}
