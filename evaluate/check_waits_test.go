package evaluate

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/generate"
	users "github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	modelusers "github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

func checkedLog(t *testing.T, jobs workload.JobSeq) *CheckWaits {
	t.Helper()
	c := new(CheckWaits)
	jobtest.Collect(t, c.Watch(jobs))
	return c
}

// madeJob returns a job for a log made by hand.
func madeJob(row int, submit, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.Submit, j.Run, j.Size, j.Processors = int64(row+1), int64(row), submit, run, size, size
	return j
}

// A log drawn from the model has the waits of one of the draws, whatever the number of workers.
func TestCheckWaitsOfADraw(t *testing.T) {
	m := jobtest.Must(model.Preset(model.Lublin1999))
	w := jobtest.Must(generate.New(m, generate.Options{Jobs: 3000, Seed: 3, Start: generate.FirstDay}))
	var first model.Check
	for _, workers := range []int{1, 3} {
		c := checkedLog(t, w.Jobs())
		c.Workers = workers
		got := jobtest.Must(c.Check(t.Context(), m))
		if got.LogWait < got.WaitMin || got.LogWait > got.WaitMax || got.LogWait == 0 || got.Jobs != 3000 || got.Estimates != "perfect" || got.About != got.String() {
			t.Errorf("got %+v", got)
		}
		if workers == 1 {
			first = *got
		} else if *got != first {
			t.Errorf("%d workers: %+v, one: %+v", workers, got, first)
		}
	}
}

// The log's waits are simulated under EASY. By hand, on 128 processors: the first job has the
// machine until 100 s, the second until 150 s, and the third, which takes half of them, can run
// together with neither. A fourth, larger than the machine, and a fifth without a run time do not
// count.
func TestCheckWaitsByHand(t *testing.T) {
	jobs := make([]workload.Job, 5)
	for i, of := range [][4]float64{{20, 10, 64, 10}, {0, 100, 128, 100}, {10, 50, 128, 50}, {11, 50, 129, 50}, {12, math.NaN(), 64, 10}} { // not in order
		jobs[i] = madeJob(i, of[0], of[1], int64(of[2]))
		jobs[i].Time = of[3]
	}
	m := jobtest.Must(model.Preset(model.Lublin1999))
	got := jobtest.Must(checkedLog(t, workload.JobsOf(jobs)).Check(t.Context(), m))
	if want := (0. + 90 + 130) / 3; got.Jobs != 3 || math.Abs(got.LogWait-want) > .05 {
		t.Errorf("%d jobs wait %g s, want 3 and %g", got.Jobs, got.LogWait, want)
	}
}

// Of a long log, the part whose load is nearest to the log's is simulated.
func TestCheckWaitsPart(t *testing.T) {
	c := &CheckWaits{most: 10}
	for i := range 60 { // a load of 1, then 3, then 10, each for 20 jobs at intervals of 1 s
		j := madeJob(i, float64(i), []float64{1, 3, 10}[i/20], 1)
		c.Add(&j)
	}
	// The log's load is 280/59 = 4.75: 7 jobs of 3 s and 3 of 10 s make 51 in 9 s, 5.67; 8 and 2
	// make 44, 4.89; 9 and 1 make 37, 4.11.
	if part := c.part(4); len(part) != 10 || part[0].Submit != 32 {
		t.Errorf("%d jobs from %g s, want 10 from 32", len(part), part[0].Submit)
	}
}

// A log drawn from a model of users has the waits of its draws. Checks that are impossible are
// reported as such.
func TestCheckWaitsOfUsers(t *testing.T) {
	m := jobtest.Must(modelusers.Demo())
	w := jobtest.Must(users.New(m, users.Options{Days: 14, Seed: 4}))
	log := checkedLog(t, w.Jobs(t.Context()))
	log.most = 500
	if got, err := log.Check(t.Context(), &m); err != nil || got.Jobs != 500 {
		t.Errorf("a part of the log: %+v, %v", got, err)
	}
	gpus := m
	gpus.Unit = modelusers.OfGPUs
	if _, err := log.Check(t.Context(), &gpus); !errors.Is(err, ErrNoCheck) {
		t.Errorf("of GPUs: %v", err)
	}
	if _, err := new(CheckWaits).Check(t.Context(), &m); !errors.Is(err, ErrNoCheck) {
		t.Errorf("without jobs: %v", err)
	}
}

// The variation between the log's months: in each of four weeks the second of two jobs waits 240
// s, in four other weeks neither waits. A mean over eight weeks, drawn as two blocks of four on a
// circle of eight, has one such week at its 5 % quantile and seven at 95 %.
func TestCheckWaitsVary(t *testing.T) {
	m := jobtest.Must(model.Preset(model.Lublin1999))
	logOf := func(weeks int) *CheckWaits {
		var jobs []workload.Job
		for i := range 2 * weeks {
			j := madeJob(i, float64(i/2*7*86400), 240, 128)
			if i%2 == 1 && i < weeks {
				j.Submit += 240
			}
			jobs = append(jobs, j)
		}
		return checkedLog(t, workload.JobsOf(jobs))
	}
	got := jobtest.Must(logOf(8).Check(t.Context(), m))
	if from, to := (60+120/8.)/120, (60+7*120/8.)/120; got.VariesFrom != from || got.VariesTo != to {
		t.Errorf("from %g to %g, want %g to %g", got.VariesFrom, got.VariesTo, from, to)
	}
	if got, err := logOf(7).Check(t.Context(), m); err != nil || got.VariesTo != 0 {
		t.Errorf("seven weeks: %+v, %v", got, err)
	}
}
