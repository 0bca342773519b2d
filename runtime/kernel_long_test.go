//go:build long

package runtime

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestKernelOnAllLogs holds the figures of docs/reference/predictors.md: on whole logs the
// accuracy over the jobs that all others answered is above the best other's, and on the
// median log by two points, with quantile and estimate among the others and without;
// all jobs but the first few have a prediction; each quantile covers its share of all jobs to a
// point, and of the jobs of nearly each tenth of the users, by their number of jobs,
// to five. A tenth with fewer than 250 jobs tells nothing: at the median 250 independent jobs have a
// standard error of three points.
func TestKernelOnAllLogs(t *testing.T) {
	var gains, least []float64
	tenths, off := 0, 0
	for _, name := range []string{"KTH-SP2-1996-2.1-cln", "SDSC-Par-1996-3.1-cln", "CTC-SP2-1996.simulated-waits", "SDSC-SP2-1998.simulated-waits",
		"UniLu-Gaia-2014-1", "NASA-iPSC-1993-3.1-cln", "LLNL-Thunder-2007-1.1-cln", "METACENTRUM-wagap-2013.21-fields", "LCG-2005-1", "RICC-2010-2", "ANL-Theta-2023.crlf-unsorted"} {
		t.Run(name, func(t *testing.T) {
			r := replayKernel(t, name+".swf.gz")
			r.check(t, 0.01)
			if r.missing > r.jobs/2000 {
				t.Errorf("%d of %d jobs have no prediction", r.missing, r.jobs)
			}
			a, _ := r.gain(func(e Entry) bool { return e.Predictor != "quantile" && e.Predictor != "estimate" })
			b, best := r.gain(func(Entry) bool { return true })
			t.Logf("%d jobs, accuracy %.4f of all; gain %.2f and, with quantile and estimate, %.2f over %s; shares %.4v", r.jobs, r.accuracy, a, b, best, r.shares())
			gains, least = append(gains, a), append(least, b)
			if min(a, b) <= 0 {
				t.Errorf("gains of %.2f and %.2f points", a, b)
			}
			n, o := r.tenths(t)
			tenths, off = tenths+n, off+o
		})
	}
	for _, g := range [][]float64{gains, least} {
		slices.Sort(g)
		if len(g) > 0 && g[len(g)/2] < 2 {
			t.Errorf("a median gain of %.2f points", g[len(g)/2])
		}
	}
	t.Logf("%d of %d shares of tenths are off by more than 5 points", off, tenths)
	if off*20 > tenths {
		t.Errorf("%d of %d shares of tenths are off by more than 5 points", off, tenths)
	}
}

// kernelReplay is one replay of a log by all predictors.
type kernelReplay struct {
	coverage
	entries       []Entry
	rows          [][]float32 // predictions, Kernel's last
	runs          []float64
	users, number []int64
	jobs, missing int
	accuracy      float64
}

func (r *kernelReplay) shares() (s []float64) {
	for _, n := range r.within {
		s = append(s, float64(n)/float64(r.coverage.jobs))
	}
	return s
}

func replayKernel(t *testing.T, name string) *kernelReplay {
	names := slices.DeleteFunc(PredictorNames(), func(n string) bool { return n == KernelName })
	entries, err := Entries(workload.Grouping{}, nil, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	more, err := FallbackEntries(workload.Grouping{}, "fallback", nil, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &kernelReplay{coverage: *newCoverage(t), entries: append(entries, more...)}
	r.held = map[int64][]bool{}
	own := Entry{Predictor: "coverage", Own: &r.coverage}
	for row, err := range Replay(workload.InOrder(jobtest.Open(t, name).Jobs(), nil), nil, append(slices.Clone(r.entries), own)...) {
		if err != nil {
			t.Fatal(err)
		}
		r.jobs++
		said := make([]float32, len(row.Predictions))
		for i, p := range row.Predictions {
			said[i] = float32(p.Seconds)
		}
		r.rows, r.runs, r.users = append(r.rows, said), append(r.runs, row.Job.Run), append(r.users, row.Job.User)
		r.number = append(r.number, row.Job.Row)
		if p := row.Predictions[len(r.entries)].Seconds; math.IsNaN(p) {
			r.missing++
		} else {
			r.accuracy += stats.Accuracy(p, row.Job.Run)
		}
	}
	r.accuracy /= float64(r.jobs - r.missing)
	return r
}

// gain is by how many points the accuracy is above the best of some others, over the
// jobs that all of these answered that answer any.
func (r *kernelReplay) gain(of func(Entry) bool) (points float64, best string) {
	var others []int
	for i, e := range r.entries {
		if of(e) && slices.ContainsFunc(r.rows, func(row []float32) bool { return row[i] == row[i] }) {
			others = append(others, i)
		}
	}
	kernel, jobs := 0.0, 0.0
	sums := make([]float64, len(r.entries))
	for k, row := range r.rows {
		last := row[len(row)-1]
		if last != last || slices.ContainsFunc(others, func(i int) bool { return row[i] != row[i] }) {
			continue
		}
		jobs++
		kernel += stats.Accuracy(float64(last), r.runs[k])
		for _, i := range others {
			sums[i] += stats.Accuracy(float64(row[i]), r.runs[k])
		}
	}
	i := slices.MaxFunc(others, func(a, b int) int { return cmp.Compare(sums[a], sums[b]) })
	return 100 * (kernel - sums[i]) / jobs, labelOf(r.entries[i])
}

func labelOf(e Entry) string { return e.Predictor + "," + e.Classes.Name }

// tenths counts the shares, of the tenths of the users with 250 jobs and more, and those
// that are off by more than 5 points.
func (r *kernelReplay) tenths(t *testing.T) (shares, off int) {
	count := map[int64]int{}
	for _, u := range r.users {
		count[u]++
	}
	var users []int64
	for u := range count {
		users = append(users, u)
	}
	slices.SortFunc(users, func(a, b int64) int { return cmp.Or(cmp.Compare(count[a], count[b]), cmp.Compare(a, b)) })
	tenth := map[int64]int{}
	for i, u := range users {
		tenth[u] = i * 10 / len(users)
	}
	var jobs [10]int
	var within [10][4]int
	for k, u := range r.users {
		held, ok := r.held[r.number[k]]
		if !ok {
			continue
		}
		jobs[tenth[u]]++
		for i, h := range held {
			if h {
				within[tenth[u]][i]++
			}
		}
	}
	for d, n := range jobs {
		if n < 250 {
			continue
		}
		for i, q := range r.at {
			shares++
			if share := float64(within[d][i]) / float64(n); math.Abs(share-q) > 0.05 {
				off++
				t.Logf("tenth %d of the users, %d jobs: %.3f within the %g-quantile", d+1, n, share, q)
			}
		}
	}
	return shares, off
}
