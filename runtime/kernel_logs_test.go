package runtime

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelLogs are the logs that TestKernelOnRealLogs replays; there are more with the tag long.
var kernelLogs = []string{"KTH-SP2-1996-2.1-cln"}

// TestKernelOnRealLogs checks the claims of docs/reference/predictors.md. On whole logs the
// accuracy over the jobs that all others predict is above the best other predictor's, and on the
// median log by two points, both with quantile and estimate among the others and without. All jobs
// but the first few have a prediction. Each quantile and the bound cover their share of all jobs to
// within one point. The absolute error is below that of every other predictor that covers half of
// the jobs, and the pinball loss below that of "quantile".
func TestKernelOnRealLogs(t *testing.T) {
	names := slices.DeleteFunc(PredictorNames(), func(n string) bool { return n == "kernel" })
	entries, chained, err := Entries(workload.Grouping{}, nil, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	entries = append(entries, chained...)
	var gains [2][]float64
	for _, name := range kernelLogs {
		t.Run(name, func(t *testing.T) {
			c := newCoverage(t)
			var said [][]float32 // the last are Kernel's
			var runs []float64
			missing := 0
			losses := make([][2]pairedLoss, len(entries))
			for row, err := range Replay(workload.InOrder(jobtest.Open(t, name+".swf.gz").Jobs(), nil), nil, append(slices.Clone(entries), Entry{Predictor: "coverage", Own: c})...) {
				if err != nil {
					t.Fatal(err)
				}
				all := make([]float32, len(row.Predictions))
				for i, p := range row.Predictions {
					all[i] = float32(p.Seconds)
				}
				if math.IsNaN(row.Predictions[len(entries)].Seconds) {
					missing++
				}
				said, runs = append(said, all), append(runs, row.Job.Run)
				for i, p := range row.Predictions[:len(entries)] {
					losses[i][0].add(0.5, c.last[0], p.Seconds, row.Job.Run)
					if strings.HasPrefix(entries[i].Predictor, "quantile") {
						losses[i][1].add(0.95, c.Bound(), p.Seconds, row.Job.Run)
					}
				}
			}
			c.check(t, 0.01)
			c.checkBound(t, 0.01)
			for k, score := range []string{"absolute error", "pinball loss"} {
				closest, at := 0.0, 0
				for i := range entries {
					if l := losses[i][k]; l.jobs > len(runs)/2 && l.kernel/l.rival > closest {
						closest, at = l.kernel/l.rival, i
					}
				}
				l := losses[at][k]
				t.Logf("%s: %.0f s, %.3f of that of %s,%s on %d jobs", score, l.kernel/float64(l.jobs)/[]float64{0.5, 1}[k], closest, entries[at].Predictor, entries[at].Classes.Name, l.jobs)
				if !(closest > 0 && closest < 1) {
					t.Errorf("%s: not below that of %s,%s", score, entries[at].Predictor, entries[at].Classes.Name)
				}
			}
			if missing > len(runs)/2000 {
				t.Errorf("%d of %d jobs have no prediction", missing, len(runs))
			}
			for i, of := range []func(string) bool{func(p string) bool { return p != "quantile" && p != "estimate" }, func(string) bool { return true }} {
				points, best := kernelGain(entries, said, runs, of)
				t.Logf("%d jobs; gain %.2f points over %s; within the quantiles %d", len(runs), points, best, c.within)
				if points <= 0 {
					t.Errorf("a gain of %.2f points over %s", points, best)
				}
				gains[i] = append(gains[i], points)
			}
		})
	}
	for _, g := range gains {
		slices.Sort(g)
		if len(g) > 0 && g[len(g)/2] < 2 {
			t.Errorf("a median gain of %.2f points", g[len(g)/2])
		}
	}
}

// pairedLoss adds up stats.QuantileLoss over the jobs that both a Kernel and a rival predict.
type pairedLoss struct {
	kernel, rival float64
	jobs          int
}

func (l *pairedLoss) add(level, kernel, rival, run float64) {
	if kernel == kernel && rival == rival {
		l.kernel, l.rival, l.jobs = l.kernel+stats.QuantileLoss(level, kernel, run), l.rival+stats.QuantileLoss(level, rival, run), l.jobs+1
	}
}

// kernelGain returns the number of points by which the accuracy of the last predictor is above the
// best of certain others, over the jobs that are predicted by all of these that predict any.
func kernelGain(entries []Entry, said [][]float32, runs []float64, of func(predictor string) bool) (points float64, best string) {
	var others []int
	for i, e := range entries {
		if of(e.Predictor) && slices.ContainsFunc(said, func(row []float32) bool { return row[i] == row[i] }) {
			others = append(others, i)
		}
	}
	jobs, sums := 0.0, make([]float64, len(entries)+1)
	for k, row := range said {
		all := append(others, len(entries))
		if slices.ContainsFunc(all, func(i int) bool { return row[i] != row[i] }) {
			continue
		}
		jobs++
		for _, i := range all {
			sums[i] += stats.Accuracy(float64(row[i]), runs[k])
		}
	}
	i := slices.MaxFunc(others, func(a, b int) int { return cmp.Compare(sums[a], sums[b]) })
	return 100 * (sums[len(entries)] - sums[i]) / jobs, entries[i].Predictor + "," + entries[i].Classes.Name
}
