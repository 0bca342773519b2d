package predict

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// boundLog is a log, or part of one, of docs/findings/waits.md: the jobs from one index up to
// another; a negative index counts from the end.
type boundLog struct {
	name, file string
	from, to   int
}

func boundLogs() []boundLog {
	const ricc = "RICC-2010-2.swf.gz"
	return []boundLog{
		{"KTH-SP2-1996", "KTH-SP2-1996-2.1-cln.swf.gz", 0, math.MaxInt},
		{"SDSC-Par-1996", "SDSC-Par-1996-3.1-cln.swf.gz", 0, math.MaxInt},
		{"UniLu-Gaia-2014", "UniLu-Gaia-2014-1.swf.gz", 0, math.MaxInt},
		{"METACENTRUM-2013", "METACENTRUM-wagap-2013.21-fields.swf.gz", 0, math.MaxInt},
		{"ANL-Theta-2023", "ANL-Theta-2023.crlf-unsorted.swf.gz", 0, math.MaxInt},
		{"HPC_KRC", "", 0, math.MaxInt},
		{"RICC-2010, first 60,000", ricc, 0, 60_000},
		{"from 100,000", ricc, 100_000, 160_000},
		{"from 193,000", ricc, 193_000, 253_000},
		{"from 300,000", ricc, 300_000, 360_000},
		{"last 60,000", ricc, -60_000, math.MaxInt},
	}
}

func (l boundLog) jobs(t *testing.T) (jobs []workload.Job) {
	if l.file == "" {
		jobs = jobsOfKRC(t)
	} else {
		jobs = jobtest.InOrder(t, l.file)
	}
	jobs = slices.DeleteFunc(jobs, func(j workload.Job) bool { return !HasWait(&j) })
	if l.from < 0 {
		l.from += len(jobs)
	}
	return jobs[l.from:min(l.to, len(jobs))]
}

// jobsOfKRC returns the jobs of a log in another format: the times between submissions, run
// times, processors requested and used, and waits.
func jobsOfKRC(t *testing.T) (jobs []workload.Job) {
	text, err := os.ReadFile(reallogs.Path(t, "other/hpcwld-HPC_KRC.csv"))
	jobtest.NoError(t, err)
	now := 0.0
	for i, line := range strings.Fields(string(text))[1:] {
		j := workload.UnknownJob()
		var gap, requested, used float64
		_, err := fmt.Sscanf(line, "%g,%g,%g,%g,%g", &gap, &j.Run, &requested, &used, &j.Wait)
		jobtest.NoError(t, err)
		now += gap
		j.ID, j.Row, j.Submit = int64(i+1), int64(i), now
		j.Processors, j.Size = int64(requested), int64(requested)
		jobs = append(jobs, j)
	}
	return jobs
}

// boundWorth rates a predictor at a quantile.
type boundWorth struct {
	losses [3]float64      // pinball losses of the predictor, BMBP and QBETS
	held   stats.Moments   // 1 for each wait within its bound, else 0
	groups []stats.Moments // held, for each 500 consecutive jobs
}

// ratio returns the loss relative to the better of BMBP and QBETS.
func (w *boundWorth) ratio() float64 { return w.losses[0] / min(w.losses[1], w.losses[2]) }

// weak returns the number of groups with less than the given share covered.
func (w *boundWorth) weak(share float64) (n int) {
	for _, group := range w.groups {
		if group.Mean() < share {
			n++
		}
	}
	return n
}

// boundsWorth rates combined or conformal after the first tenth of the jobs, at the quantiles
// 0.5, 0.8, 0.95 and 0.99.
func boundsWorth(t *testing.T, jobs []workload.Job, name string) []boundWorth {
	t.Helper()
	quantiles := []float64{0.5, 0.8, 0.95, 0.99}
	all, err := NewBounds([]string{name, "bmbp", "qbets"}, quantiles, 0.95, BoundOptions{})
	jobtest.NoError(t, err)
	first := len(jobs) / TrainingPart
	worth := make([]boundWorth, len(quantiles))
	for i := range worth {
		worth[i].groups = make([]stats.Moments, (len(jobs)-first)/500)
	}
	for row, err := range replayBounds(stream(jobs), all...) {
		jobtest.NoError(t, err)
		bounds, number := row.Forecasts[0].Bounds, int(row.Number)-first
		for i, q := range quantiles {
			mine, bmbp, qbets := bounds[i].Seconds, bounds[i+len(quantiles)].Seconds, bounds[i+2*len(quantiles)].Seconds
			if number < 0 || math.IsNaN(mine+bmbp+qbets) {
				continue
			}
			w := &worth[i]
			for n, x := range []float64{mine, bmbp, qbets} {
				w.losses[n] += pinball(q, x, row.Actual)
			}
			held := map[bool]float64{true: 1}[row.Actual <= mine]
			w.held.Add(held)
			if group := number / 500; group < len(w.groups) {
				w.groups[group].Add(held)
			}
		}
	}
	return worth
}

// The rating of combined on each log: the table of docs/findings/waits.md.
func TestFindingCombined(t *testing.T) {
	longtest.Only(t)
	for _, l := range boundLogs() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			worth := boundsWorth(t, l.jobs(t), CombinedBound)
			at95 := worth[2]
			row := fmt.Sprintf("| %s | %.1f | %d of %d", l.name, 100*at95.held.Mean(), at95.weak(0.9), len(at95.groups))
			for i, w := range worth {
				row += fmt.Sprintf(" | %.2f", w.ratio())
				if !(w.ratio() < 1) {
					t.Errorf("quantile index %d: the loss is %.3f of the better rival's", i, w.ratio())
				}
			}
			papers.Page(t, "findings/waits.md", row+" |")
			if share := at95.held.Mean(); !(at95.ratio() <= 0.9) || share < 0.94 || share > 0.98 {
				t.Errorf("at 0.95 the loss is %.3f of the better rival's, the coverage %.4f", at95.ratio(), share)
			}
		})
	}
}
