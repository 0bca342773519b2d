package grid

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// job returns a job of user 1; jobs are numbered from 1 by their place in a list.
func job(submit float64, size int64, run float64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Size, j.Run, j.User, j.Application = submit, size, run, 1, 1
	return j
}

func numbered(jobs ...workload.Job) []workload.Job {
	for i := range jobs {
		jobs[i].ID, jobs[i].Row = int64(i+1), int64(i)
	}
	return jobs
}

// twoClusters returns a grid of two clusters: "slow" with 4 processors at speed 1, and "fast" with
// 2 at speed 2.
func twoClusters() *Grid {
	return &Grid{Name: "two", Clusters: []Cluster{{"slow", 4, 1, nil}, {"fast", 2, 2, nil}}}
}

// schedule returns "cluster start-end" of each job, in order of the jobs.
func schedule(t *testing.T, jobs []workload.Job, g *Grid, policy string) []string {
	t.Helper()
	var out []string
	for i, x := range run(t, jobs, g, policy) {
		start := jobs[i].Submit + x.Wait
		out = append(out, fmt.Sprintf("%s %g-%g", g.Clusters[x.Cluster].Name, start, start+x.Run))
	}
	return out
}

func expect(t *testing.T, policy string, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %q, want %q", policy, got, want)
	}
}

// Five jobs, worked by hand. Run times at speed 1; on fast half of them.
//
//	job  submit  size  run
//	1    0       2     100
//	2    0       2     100
//	3    10      1     40
//	4    20      4     20
//	5    30      1     10
func fiveJobs() []workload.Job {
	return numbered(job(0, 2, 100), job(0, 2, 100), job(10, 1, 40), job(20, 4, 20), job(30, 1, 10))
}

func TestPoliciesByHand(t *testing.T) {
	// ECT-Perfect. 1: fast 50 < slow 100. 2: slow at 0 ends at 100, fast at 50
	// ends at 100: equal, the first. 3: slow at 10 ends at 50, fast at 50 ends
	// at 70. 4: only slow is large enough, from 100, when job 2 ends, to 120.
	// 5: slow after job 4, from 120; fast from 50 to 55.
	expect(t, ectPerfect, schedule(t, fiveJobs(), twoClusters(), ectPerfect),
		"fast 0-50", "slow 0-100", "slow 10-50", "slow 100-120", "fast 50-55")
	// LB. 1: both loads 0, the first: slow, load 2/4. 2: fast (0), load 2/2.
	// 3: slow, load 3/4. 4: slow, load 7/4, waits for 1 and 3: 100. 5: fast, load
	// 1 < 7/4: waits for job 2, which ends at 50.
	expect(t, lb, schedule(t, fiveJobs(), twoClusters(), lb),
		"slow 0-100", "fast 0-50", "slow 10-50", "slow 100-120", "fast 50-55")
	// FPF. 1: fast. 2: slow. 3: slow, since fast is full. 4 waits for four idle
	// processors, 100. 5 is a candidate too, and takes slow's fourth at 30.
	expect(t, fpf, schedule(t, fiveJobs(), twoClusters(), fpf),
		"fast 0-50", "slow 0-100", "slow 10-50", "slow 100-120", "slow 30-40")
	// In order, 5 waits for 4, which starts at 100: by then fast is idle.
	expect(t, fpfInOrder, schedule(t, fiveJobs(), twoClusters(), fpfInOrder),
		"fast 0-50", "slow 0-100", "slow 10-50", "slow 100-120", "fast 100-105")
}

// A job of 8 s at speed 1 is submitted every 10 s, then one of the same class of 80 s; the
// placements of the last jobs show which run time was predicted for it.
//
// No job has ended at 0: with the job's own estimate (100 s) fast would end at 50. Last2 is 8 at
// 10, (8+8)/2 at 20.
func TestLast2ByHand(t *testing.T) {
	jobs := numbered(job(0, 2, 8), job(10, 2, 8), job(20, 2, 80), job(21, 2, 80), job(22, 2, 80), job(30, 2, 8))
	jobs[0].Time = 100
	var got []string
	for _, x := range run(t, jobs, twoClusters(), "ect-last2") {
		got = append(got, fmt.Sprintf("%s wait %g/%g run %g/%g", twoClusters().Clusters[x.Cluster].Name, x.PredictedWait, x.Wait, x.PredictedRun, x.Run))
	}
	// 1: fast, 100/2. 2: fast, 8/2. 3: fast at 20, predicted to end at 24.
	// 4 at 21: slow from 21 ends at 29; fast from 24 ends at 28: fast.
	// 5 at 22: slow from 22 ends at 30; fast after job 4, from 28 to 32: slow.
	// 6 at 30: job 3 has run 10 s, its prediction of 4 is doubled to 8 and 16: it
	// ends at 36; fast after job 4 (36 to 40) ends at 44. On slow job 5 has run 8 s,
	// its prediction of 8 is doubled to 16, but two processors are free: slow from
	// 30 ends at 38.
	// The actual run of job 3 is 20-60, of job 4 60-100.
	expect(t, "ect-last2", got,
		"fast wait 0/0 run 50/4", "fast wait 0/0 run 4/4", "fast wait 0/0 run 4/40",
		"fast wait 3/39 run 4/40", "slow wait 0/0 run 8/80", "slow wait 0/0 run 8/8")
}

// The prediction for a waiting or running job uses what has been observed of its class since it was
// sent. Run times are at speed 1; all jobs are of user 1 except jobs 2 and 5.
func TestCorrection(t *testing.T) {
	other := func(j workload.Job) workload.Job { j.User = 2; return j }
	jobs := numbered(
		job(0, 2, 200),          // no history: its estimate, 10. To fast, actually 0 to 100
		other(job(1, 2, 20)),    // its estimate, 20: slow 1 to 21; fast after job 1, predicted to end at 5: to 15. To fast
		job(2, 4, 50),           // only slow is large enough: 2 to 52
		job(90, 2, 200),         // see below
		other(job(120, 2, 300)), // see below
	)
	for i, e := range []float64{10, 20, 10, 10, 300} {
		jobs[i].Time = e
	}
	// At 90 job 4's class (size 2) has no history, and its user's job 3 took 50:
	// slow from 90, to 140. On fast, job 1 is predicted to take the same, 50/2,
	// doubled to 100 because it is still running; job 2, predicted from all jobs,
	// takes 25 from then on; so fast from 125, to 150. To slow, where it actually
	// runs from 90 to 290.
	// At 100 job 1 ends after 200 at speed 1, and its class is job 4's; job 2 runs
	// from 100 to 110. At 120 job 5 is of job 2's class, 20: slow, where two
	// processors are free, from 120 to 140; fast from 120 to 130. To fast.
	// A sixth job of four processors can only wait on slow for job 4, which is
	// predicted to end at 90+200, since job 1 has ended.
	got := run(t, numbered(append(jobs, job(130, 4, 1))...), twoClusters(), "ect-last2")
	if x := got[4]; x.Cluster != 1 || x.PredictedRun != 10 {
		t.Errorf("job 5: %+v", x)
	}
	if x := got[5]; x.PredictedWait != 160 || x.Wait != 160 {
		t.Errorf("job 6 is believed to wait %g s and waits %g, want 160", x.PredictedWait, x.Wait)
	}
}

// The run time in the log of a job of site 7 was measured at speed 2: 100 s there are 200 s at
// speed 1. Home sends it there, and job 2 to slow.
func TestSites(t *testing.T) {
	g := twoClusters()
	g.Clusters[0].Partition, g.Clusters[1].Partition = new(int64(3)), new(int64(7))
	jobs := numbered(job(0, 1, 100), job(0, 1, 100), job(0, 3, 5))
	jobs[0].Partition, jobs[1].Partition, jobs[2].Partition = 7, 3, 7
	out := jobtest.Must(simulated(jobs, g, home))
	for i, want := range []Placement{{Cluster: 1, Run: 100}, {Cluster: 0, Run: 100}, {Cluster: -1}} {
		if got := out.Placements[i]; got.Cluster != want.Cluster || got.Run != want.Run {
			t.Errorf("job %d: %+v, want %+v", i+1, got, want)
		}
	}
	if all := out.warnings; len(all) != 1 || all[0].Rule != "no-cluster" || all[0].Count != 1 {
		t.Errorf("warnings %v, want one of job 3, too large for its site", all)
	}
	// Both clusters are idle, so LB sends job 1 to slow: 200 s.
	if got := run(t, jobs[:1], g, lb); got[0].Run != 200 {
		t.Errorf("on slow job 1 runs %g s, want 200", got[0].Run)
	}
}

// Any predictor of package runtime can replace Last2.
func TestEveryPredictor(t *testing.T) {
	jobs := fiveJobs()
	for i := range jobs {
		jobs[i].Time = 2 * jobs[i].Run
	}
	for _, name := range PolicyNames() {
		if name == home {
			continue
		}
		if got := run(t, jobs, twoClusters(), name); len(got) != len(jobs) || got[4].Cluster < 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// The users' estimates are twice the run times: the order of the ends is the same as with the
	// run times, and so are all decisions here (see ECT-Perfect above).
	expect(t, "ect-estimate", schedule(t, jobs[:3], twoClusters(), "ect-estimate"), "fast 0-50", "slow 0-100", "slow 10-50")
}
