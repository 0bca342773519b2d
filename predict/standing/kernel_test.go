package standing

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelJobs are jobs of two users, one of short and one of long run times.
func kernelJobs(n int) []workload.Job {
	var jobs []workload.Job
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Wait = int64(i+1), int64(i), float64(100*i), 0
		j.User, j.Size = int64(i%2), 4
		j.Run = float64(10+i%7) * []float64{1, 100}[i%2]
		jobs = append(jobs, j)
	}
	return jobs
}

// learned has learned from jobs.
func learned(t *testing.T, jobs []workload.Job) *past {
	t.Helper()
	p, err := newPast(&Options{Lifetimes: predict.LifetimesConfig{Family: KernelLaw}})
	for e, fault := range workload.Timeline(workload.JobsOf(jobs)) {
		if err = errors.Join(err, fault); err == nil {
			err = p.Learn(e)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKernelLifetimes: each job has the lifetimes of its user, given its age;
// without history they repeat the past.
func TestKernelLifetimes(t *testing.T) {
	jobs := kernelJobs(200)
	k := learned(t, jobs)
	l, _ := k.lifetimes()
	for user, scale := range []float64{1, 100} {
		r := jobs[user].Request
		of := l
		if s := of.Survival(&r, 0, 9*scale); s < 0.8 {
			t.Errorf("user %d: %g survive %g s, want most", user, s, 9*scale)
		}
		if s := l.Survival(&r, 0, 17*scale); s > 0.2 {
			t.Errorf("user %d: %g survive %g s, want few", user, s, 17*scale)
		}
		for _, age := range []float64{0, 5 * scale, 12 * scale, 1e7} {
			before := 1.0
			for _, x := range []float64{0, 0.1, 1, 3, 10, 100, 1e5} {
				s := of.Survival(&r, age, x*scale)
				if !(s >= 0 && s <= before+1e-12) {
					t.Fatalf("user %d, age %g: survival rises from %g to %g", user, age, before, s)
				}
				before = s
			}
		}
	}
	none := learned(t, nil)
	if l, why := none.lifetimes(); l != nil {
		t.Error(why)
	}
	if s := KernelLifetimes(none.kernel).Survival(&jobs[0].Request, 10, 10); s != 0.5 {
		t.Errorf("without history half outlive their age again, and not %g", s)
	}
	if _, ok := none.runs[0].Predict(jobs[0].Request); ok {
		t.Error("a run time without history")
	}
	if p, ok := k.runs[0].Predict(jobs[0].Request); !ok || math.Abs(p.Seconds-13) > 3 {
		t.Errorf("a run time of %v, %t, want 10 to 16 s", p, ok)
	}
}
