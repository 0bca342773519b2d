package fit

import (
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// bursts are the jobs of four users over a hundred days: two whose jobs come in
// bursts between long silences, one whose jobs are all alike, and one with few.
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

func sequence(jobs []workload.Job) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
	}
}

// Each class has its rate, and the model offers the load of the log: the work
// of the jobs over what 64 processors could do from the first submission to
// the last.
func TestClassesKeepTheLoad(t *testing.T) {
	jobs := bursts()
	clock, _ := (&workload.Header{}).Clock()
	work, first, last := 0.0, math.Inf(1), 0.0
	for _, j := range jobs {
		work += float64(j.Size) * j.Run
		first, last = min(first, j.Submit), max(last, j.Submit)
	}
	site, r, err := Site(workloadInOrder(jobs), clock, SiteOptions{CollectOptions: CollectOptions{By: "user_id"}, Name: "bursts", Processors: 64})
	if err != nil {
		t.Fatal(err)
	}
	want := work / (64 * (last - first))
	if got := site.OfferedLoad(); math.Abs(got-want) > 1e-9*want {
		t.Errorf("the model's load is %g, want %g", got, want)
	}
	if len(site.Classes) != 4 {
		t.Fatalf("%d classes, want 4", len(site.Classes))
	}
	// The shares of the jobs are the log's.
	rates, all := map[int64]float64{}, 0.0
	for _, c := range site.Classes {
		rates[c.Value] = 1 / c.Arrivals.Mean(1)
		all += rates[c.Value]
		own := 0.0
		for _, j := range jobs {
			if j.User == c.Value {
				own++
			}
		}
		rates[c.Value] /= own / float64(len(jobs))
	}
	for user, rate := range rates {
		if math.Abs(rate-all) > 1e-9*all {
			t.Errorf("user %d has %g times its share of the jobs", user, rate/all)
		}
	}
	// User 2 has one size and one run time, user 3 too few jobs.
	if len(r.Fallbacks) != 2 || len(r.Skipped) != 0 {
		t.Fatalf("fallbacks %+v, skipped %+v", r.Fallbacks, r.Skipped)
	}
	for _, f := range r.Fallbacks {
		want := Source(FromPool)
		if f.Jobs == 200 {
			want = FromJobs
		}
		if f.Sizes != FromJobs || f.RunTimes != want || f.Why == "" {
			t.Errorf("%+v, want run times %s", f, want)
		}
	}
	for _, c := range site.Classes {
		switch c.Value {
		case 2:
			if m := c.Means(64); m.Size != 8 || math.Abs(m.RunTime-3600.5) > 1e-6 {
				t.Errorf("user 2 has means %+v", m)
			}
		case 3:
			if m := c.Means(64); m.Size != 16 {
				t.Errorf("user 3 has means %+v", m)
			}
		}
	}
}

func workloadInOrder(jobs []workload.Job) iter.Seq2[workload.Job, error] {
	return workload.InOrder(sequence(jobs), nil)
}

// On real logs the laws of a class are beyond what a model takes, and others
// have few jobs: the model has every class, and the load of the log.
func TestUsersOfRealLogsKeepTheLoad(t *testing.T) {
	for _, name := range []string{"CTC-SP2-1996.simulated-waits.swf", "KTH-SP2-1996-2.1-cln.swf"} {
		log := openLog(t, name)
		clock, _ := log.Header.Clock()
		processors, _ := log.Header.Processors()
		classes, err := Collect(log.Jobs(), clock, CollectOptions{By: "user_id"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		site, _, err := SiteOf(classes, clock, SiteOptions{CollectOptions: CollectOptions{By: "user_id"}, Name: "log", Processors: processors})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		work := 0.0
		for _, c := range classes {
			s := c.Sample(Work)
			for i, v := range s.Values {
				work += v * s.Counts[i]
			}
		}
		want := work / (float64(processors) * spanOf(classes))
		if got := site.OfferedLoad(); math.Abs(got-want) > 1e-9*want || len(site.Classes) != len(classes) {
			t.Errorf("%s: %d of %d classes with load %g, want %g", name, len(site.Classes), len(classes), got, want)
		}
	}
}
