package runtime

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestAleaPublished holds alea to the published errors of the Alea simulator's
// predictor, and docs/reference/predictors.md to both. The publication learns a job as soon
// as it is submitted, before it has ended: so learnt, the figures are equal to the
// second on the logs of which the archive's file is the same. In NASA-iPSC no job
// has a request; SWF's -1 in its place makes the largest ratio the smallest run
// time, with the sign turned twice.
//
// The other logs are other versions here: in CTC-SP2 and SDSC-SP2 run times are
// cut at the request, and LCG's copy has requests.
func TestAleaPublished(t *testing.T) {
	for _, c := range []struct {
		log, name    string
		mean, median float64 // published, s
		same         bool    // the file is theirs
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", "KTH-SP2", 3879, 189, true},
		{"CTC-SP2-1996.simulated-waits.swf.gz", "CTC-SP2", 7118, 636, false},
		{"SDSC-SP2-1998.simulated-waits.swf.gz", "SDSC-SP2", 5491, 284, false},
		{"RICC-2010-2.swf.gz", "RICC", 5504, 40, true},
		{"LCG-2005-1.swf.gz", "LCG", 4834, 116, false},
		{"NASA-iPSC-1993-3.1-cln.swf.gz", "NASA-iPSC", 694, 45, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs := jobtest.InOrder(t, c.log)
			early := learntAtOnce(t, jobs)
			if c.same && (math.Round(early.Mean) != c.mean || math.Round(early.Median) != c.median) {
				t.Errorf("learnt at submission %.0f s (%.0f s), published %.0f s (%.0f s)", early.Mean, early.Median, c.mean, c.median)
			}
			row := fmt.Sprintf("| %s | %.0f (%.0f) | %.0f (%.0f) |", c.name, c.mean, c.median, early.Mean, early.Median)
			if by := learntAtEnd(t, jobs); by.Predicted > 0 {
				row += fmt.Sprintf(" %.0f (%.0f) | %.3f |", by.Mean, by.Median, by.Accuracy)
			} else {
				row += " no requests | |"
			}
			papers.Page(t, "reference/predictors.md", row)
		})
	}
}

// learntAtOnce scores alea where it learns each job at its submission. A missing
// request is -1.
func learntAtOnce(t *testing.T, jobs []workload.Job) scores {
	t.Helper()
	ratios := map[int64][]float64{}
	return scoresOver(jobs, func(j *workload.Job) float64 {
		if !isTime(j.Run) {
			return math.NaN()
		}
		asked, said := j.Time, j.Time
		if !(asked > 0) {
			asked, said = -1, -1
		}
		if past := ratios[j.User]; len(past) > 0 {
			said *= slices.Max(past)
		}
		ratios[j.User] = newestRatios(append(ratios[j.User], j.Run/asked))
		return said
	})
}

func newestRatios(all []float64) []float64 { return all[max(0, len(all)-5):] }

// learntAtEnd scores alea as a replay does.
func learntAtEnd(t *testing.T, jobs []workload.Job) scores {
	t.Helper()
	entries, err := Entries(workload.Grouping{}, []string{"user"}, []string{"alea"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := map[int64]float64{}
	for row, err := range Replay(workload.JobsOf(jobs), nil, entries...) {
		if err != nil {
			t.Fatal(err)
		}
		said[row.Job.Row] = row.Predictions[0].Seconds
	}
	return scoresOver(jobs, func(j *workload.Job) float64 {
		if x, ok := said[j.Row]; ok {
			return x
		}
		return math.NaN()
	})
}

// scoresOver scores what was said of each job, NaN for nothing.
func scoresOver(jobs []workload.Job, said func(*workload.Job) float64) (s scores) {
	var misses []float64
	for i := range jobs {
		x := said(&jobs[i])
		if math.IsNaN(x) {
			continue
		}
		s.Predicted++
		s.Accuracy += stats.Accuracy(x, jobs[i].Run)
		misses = append(misses, math.Abs(x-jobs[i].Run))
	}
	slices.Sort(misses)
	s.Accuracy /= float64(s.Predicted)
	for _, m := range misses {
		s.Mean += m / float64(len(misses))
	}
	s.Median = stats.Quantile(misses, 0.5)
	return s
}
