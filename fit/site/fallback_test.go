package site

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// bursts returns the jobs of four users over a hundred days: two whose jobs come in bursts
// between long silences, one whose jobs are all alike, and one with few jobs.
func bursts() (jobs []workload.Job) {
	rng := rand.New(rand.NewPCG(16, 3))
	add := func(user int64, at, size, run float64) {
		j := workload.Job{}
		j.Submit, j.User, j.Size, j.Run = at, user, int64(size), run
		j.Queue, j.Partition, j.Group, j.Application = workload.Unknown, workload.Unknown, workload.Unknown, workload.Unknown
		jobs = append(jobs, j)
	}
	const days = 100
	for day := range days {
		at := float64(day) * 86400
		for user := range int64(2) {
			if day%(5+3*int(user)) != 0 {
				continue
			}
			for n := range 40 {
				add(user, at+9*3600+float64(n)*(2+20*rng.Float64()), math.Exp2(float64(rng.IntN(6))), math.Ceil(math.Exp(3+5*rng.Float64())))
			}
		}
		add(2, at+12*3600, 8, 3600)
		add(2, at+13*3600, 8, 3600)
		if day%10 == 0 {
			add(3, at+14*3600, 16, 100+1000*rng.Float64())
		}
	}
	return jobs
}

// Each class has its own rate: the number of its jobs over the time from the first submission of
// the log to the last.
func TestClassesKeepTheirRates(t *testing.T) {
	jobs, clock := bursts(), workload.Clock{}
	count, first, last := map[int64]float64{}, math.Inf(1), 0.0
	for _, j := range jobs {
		count[j.User]++
		first, last = min(first, j.Submit), max(last, j.Submit)
	}
	site, r, err := fitOf(t, workload.JobsOf(jobs), clock, Options{Processors: 64}, workload.ClassColumn{Column: "user_id"})
	if err != nil {
		t.Fatal(err)
	}
	if len(site.Classes) != 4 {
		t.Fatalf("%d classes, want 4", len(site.Classes))
	}
	for _, c := range site.Classes {
		if got, want := c.Arrivals.Gap(), (last-first)/count[c.Value]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("user %d submits every %g s, want %g s", c.Value, got, want)
		}
	}
	// User 2 has one size and one run time, user 3 too few jobs.
	if len(r.Fallbacks) != 2 || len(r.Skipped) != 0 {
		t.Fatalf("fallbacks %+v, skipped %+v", r.Fallbacks, r.Skipped)
	}
	for _, f := range r.Fallbacks {
		want := FromPool
		if f.Label == "user_id=2" {
			want = FromJobs
		}
		if f.Sizes != FromJobs || f.RunTimes != want || f.Why == "" {
			t.Errorf("%+v, want its own sizes and run times of %s", f, want)
		}
	}
	for _, c := range site.Classes {
		if times, _ := c.RunTimes.(*model.LawRunTimes); c.Value == 2 && (times == nil || times.First.Law != (dist.Uniform{Low: 3600, High: 3601})) {
			t.Errorf("run times of user 2: %v, want an hour", c.RunTimes)
		}
		if want := map[int64]float64{2: 8, 3: 16}[c.Value]; want > 0 && c.Means(64).Size != want {
			t.Errorf("user %d has a mean size of %g, want %g", c.Value, c.Means(64).Size, want)
		}
	}
}
