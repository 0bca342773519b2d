package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Whatever the grid, the log and the policy: every job that fits somewhere
// starts once, on a cluster that holds it, not before its submission, and
// takes its run time over the cluster's speed; no processor is used twice; and
// on a cluster jobs start in the order in which they were sent there.
func TestSchedulesAreSchedules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Grid
		g.Name = "random"
		for i := range rapid.IntRange(1, 4).Draw(t, "clusters") {
			g.Clusters = append(g.Clusters, Cluster{
				Name:       fmt.Sprint(i),
				Processors: rapid.Int64Range(1, 9).Draw(t, "processors"),
				Speed:      rapid.SampledFrom([]float64{1, 0.5, 2, 1.1}).Draw(t, "speed"),
				Partition:  workload.Integer(workload.Unknown),
			})
		}
		seed := rapid.Uint64().Draw(t, "seed")
		load := rapid.SampledFrom([]float64{0.2, 1, 5}).Draw(t, "load")
		jobs := randomJobs(rand.New(rand.NewPCG(seed, 0)), rapid.IntRange(1, 80).Draw(t, "jobs"), load)
		p := rapid.SampledFrom(battery()).Draw(t, "policy")
		fits := 0
		for _, j := range jobs {
			if j.Size <= g.Largest().Processors {
				fits++
			}
		}
		var all []Placed
		for x, err := range Simulate(workload.JobsOf(jobs), Config{Grid: g, Policy: p}) {
			if err != nil {
				if fits > 0 {
					t.Fatal(err)
				}
				return
			}
			all = append(all, x)
		}
		checkSchedule(t, jobs, g, p, all, fits)
	})
}

func checkSchedule(t *rapid.T, jobs []workload.Job, g Grid, p Policy, all []Placed, fits int) {
	if len(all) != fits {
		t.Fatalf("%d jobs started, want %d", len(all), fits)
	}
	_, global := p.(FPF)
	seen := map[int64]bool{}
	for _, x := range all {
		j, c := jobs[x.Job.Row], g.Clusters[x.Cluster]
		switch {
		case seen[x.Job.Row]:
			t.Fatalf("job %d starts twice", x.Job.ID)
		case x.Job.Size != j.Size || j.Size > c.Processors:
			t.Fatalf("job %d of %d processors is on a cluster of %d", j.ID, j.Size, c.Processors)
		case !(x.Job.Wait >= 0):
			t.Fatalf("job %d waits %g s", j.ID, x.Job.Wait)
		case x.Job.Run != j.Run/c.Speed:
			t.Fatalf("job %d of %g s runs %g s at speed %g", j.ID, j.Run, x.Job.Run, c.Speed)
		case p == Policy(ECTPerfect{}) && (x.PredictedWait != x.Job.Wait || x.PredictedRun != x.Job.Run):
			t.Fatalf("perfect prediction %g and %g of wait %g and run time %g", x.PredictedWait, x.PredictedRun, x.Job.Wait, x.Job.Run)
		}
		seen[x.Job.Row] = true
	}
	for c, cluster := range g.Clusters {
		var here []Placed
		for _, x := range all {
			if x.Cluster == c {
				here = append(here, x)
			}
		}
		// Submissions are whole seconds and waits their differences from starts,
		// so that a start is known to a rounding: ends a hair after a start are
		// taken to be before it.
		const hair = 1e-6
		for _, x := range here {
			used := int64(0)
			for _, o := range here {
				if o.Job.Run > 0 && o.Job.Start() <= x.Job.Start()+hair && o.Job.End() > x.Job.Start()+hair {
					used += o.Job.Size
				}
			}
			if used > cluster.Processors {
				t.Fatalf("%d of %d processors of cluster %d are used at %g s", used, cluster.Processors, c, x.Job.Start())
			}
		}
		if global {
			continue
		}
		if !slices.IsSortedFunc(here, func(a, b Placed) int { return int(a.Job.Row - b.Job.Row) }) {
			t.Fatalf("cluster %d: a job overtakes another", c)
		}
		for i := 1; i < len(here); i++ {
			if here[i].Job.Start() < here[i-1].Job.Start()-hair {
				t.Fatalf("cluster %d: job %d starts at %g s, after one that starts at %g", c, here[i].Job.ID, here[i].Job.Start(), here[i-1].Job.Start())
			}
		}
		checkNoIdling(t, here, cluster, hair)
	}
}

// checkNoIdling: a job that waits starts when one before it does, or when one
// ends; first come, first served leaves no processor idle that the head of the
// queue could use.
func checkNoIdling(t *rapid.T, here []Placed, c Cluster, hair float64) {
	for i, x := range here {
		if x.Job.Wait == 0 {
			continue
		}
		why := i > 0 && math.Abs(here[i-1].Job.Start()-x.Job.Start()) < hair
		for _, o := range here {
			why = why || math.Abs(o.Job.End()-x.Job.Start()) < hair
		}
		if !why {
			t.Fatalf("cluster %s: job %d starts at %g s for no reason", c.Name, x.Job.ID, x.Job.Start())
		}
	}
}
