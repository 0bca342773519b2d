package generate

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// askedInLog returns the run times and estimates of a real log, or skips the
// test where there are none.
func askedInLog(t testing.TB, name string) (runs, requested []float64) {
	t.Helper()
	for j, err := range jobtest.Open(t, name+".swf.gz").Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		runs, requested = append(runs, j.Run), append(requested, j.Time)
	}
	return runs, requested
}

// Real logs are counted as testdata/estimates_logs.py counts them, and their
// laws give them back: estimates drawn for the log's own run times are off by
// no more than those run times are from the ones that the cells of accuracy
// stand for.
func TestEstimatesOfLogs(t *testing.T) {
	b, err := os.ReadFile("testdata/estimates_logs.json")
	if err != nil {
		t.Fatal(err)
	}
	var logs []struct {
		Name     string
		Jobs     int64
		LeftOut  int64 `json:"left_out"`
		Overrun  int64
		Distinct int
		Top20    int64   `json:"top_20"`
		Max      float64 `json:"max_s"`
		Accuracy []int64
	}
	if err := json.Unmarshal(b, &logs); err != nil || len(logs) == 0 {
		t.Fatal(err)
	}
	for _, want := range logs {
		runs, requested := askedInLog(t, want.Name)
		c := fit.NewCollector(workload.Clock{})
		for i, run := range runs {
			j := workload.UnknownJob()
			j.Run, j.Time = run, requested[i]
			c.Add(&j)
		}
		got, err := c.Estimates()
		if err != nil {
			t.Fatal(err)
		}
		bins := distribution(*got)
		cells := make([]int64, model.AccuracyCells)
		for _, b := range got.Bins {
			for k, n := range b.Accuracy {
				cells[k] += n
			}
		}
		if bins.Jobs() != want.Jobs || got.LeftOut != want.LeftOut || got.Overrun != want.Overrun || len(bins) != want.Distinct ||
			bins.Max() != want.Max || topShare(bins) != float64(want.Top20)/float64(want.Jobs) || !slices.Equal(cells, want.Accuracy) {
			t.Errorf("%s: %d jobs, %d left out, %d longer, %d distinct, at most %g, top 20 %g, accuracy %v, want %+v", want.Name,
				bins.Jobs(), got.LeftOut, got.Overrun, len(bins), bins.Max(), topShare(bins), cells, want)
		}
		checkLogLaw(t, want.Name, *got, runs, requested)
	}
}

func checkLogLaw(t *testing.T, name string, l model.LogEstimates, runs, requested []float64) {
	t.Helper()
	runs = slices.Clone(runs)
	for i, e := range requested {
		if !(e > 0) {
			runs[i] = math.NaN()
		}
	}
	law, err := NewLogLaw(l, 1, name)
	if err != nil {
		t.Fatal(err)
	}
	jobs := float64(distribution(l).Jobs())
	rows := make([]float64, len(law.laws)) // share of the run times, less what the cells stand for
	p := make([]float64, len(l.Bins))
	for _, r := range runs {
		if row, ok := law.rows.findCut(r); ok {
			rows[row] += 1 / jobs
		}
	}
	below := 0.0
	for row, c := range law.laws {
		first, last := len(p)-len(c.sums), 0.0
		for i, sum := range c.sums {
			p[first+i] += rows[row] * (sum - last) / c.sums[len(c.sums)-1]
			last = sum
		}
		for _, b := range l.Bins[first:] {
			rows[row] -= b.Between(below, law.rows.edges[row]) / jobs
		}
		below = law.rows.edges[row]
	}
	off, offRows := 0.0, 0.0
	for i, b := range l.Bins {
		off += math.Abs(p[i]-float64(b.Jobs)/jobs) / 2
	}
	for _, r := range rows {
		offRows += math.Abs(r) / 2
	}
	t.Logf("%s: %d estimates, top 20 %.4f; drawn given the run time: %.4f of the jobs have another estimate, %.4f another run time",
		name, len(l.Bins), topShare(distribution(l)), off, offRows)
	if !(off <= offRows+1e-9) {
		t.Errorf("%s: estimates are off by %g, run times by %g", name, off, offRows)
	}
	counts := map[int64]int{}
	n := 0
	for i, e := range inBatches(t, law, runs, len(runs)) {
		if math.IsNaN(e) {
			continue
		}
		if e < runs[i] && e != distribution(l).Max() {
			t.Fatalf("%s: an estimate of %g s for a run of %g s", name, e, runs[i])
		}
		at, _ := slices.BinarySearch(law.times, e)
		counts[int64(at)]++
		n++
	}
	checkCounts(t, name+": drawn estimates", counts, p, n)
}

// topShare returns the share of the jobs, from 0 to 1, that have one of the 20
// most popular estimates. The paper reports 0.85 to 0.9.
func topShare(b Bins) float64 {
	counts := make([]int64, len(b))
	for i, bin := range b {
		counts[i] = bin.Jobs
	}
	slices.Sort(counts)
	top := int64(0)
	for _, c := range counts[max(0, len(counts)-20):] {
		top += c
	}
	return float64(top) / float64(b.Jobs())
}
