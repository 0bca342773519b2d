package sched

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A cluster of one pool of processors is the plain machine.
func TestOnePoolIsThePlainMachine(t *testing.T) {
	for _, p := range battery() {
		for _, s := range settings {
			t.Run(p.Name()+"/"+s.name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					processors := rapid.Int64Range(1, 12).Draw(t, "processors")
					jobs := randomLog(t, processors)
					cfg := Config{Processors: processors, Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill}
					want := starts(t, jobs, cfg, nil)
					cfg.Estimator, cfg.Processors = s.estimator(), 0
					cfg.Cluster = &Cluster{Pools: []Pool{{Processors: processors}}}
					if got := starts(t, jobs, cfg, nil); !slices.Equal(got, want) {
						t.Fatalf("starts %v, want %v", got, want)
					}
				})
			})
		}
	}
}

// randomCluster draws a small machine: pools that may lack a resource, partitions
// that overlap.
func randomCluster(t *rapid.T) *Cluster {
	c := &Cluster{WholeNodes: rapid.Bool().Draw(t, "whole")}
	for i := range rapid.IntRange(1, 3).Draw(t, "pools") {
		p := Pool{Name: string(rune('a' + i)), Nodes: rapid.Int64Range(1, 4).Draw(t, "nodes"), Processors: rapid.Int64Range(1, 4).Draw(t, "processors"),
			GPUs: rapid.Int64Range(0, 2).Draw(t, "gpus"), GPUType: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "kind"), Memory: rapid.Int64Range(0, 5).Draw(t, "memory")}
		if !c.WholeNodes && rapid.IntRange(0, 4).Draw(t, "nodes told") == 0 {
			p.Nodes = 0
		}
		c.Pools = append(c.Pools, p)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "partitions") {
		order := rapid.Permutation([]int{0, 1, 2}[:len(c.Pools)]).Draw(t, "order")
		c.Partitions = append(c.Partitions, Partition{string(rune('1' + i)), order[:rapid.IntRange(1, len(order)).Draw(t, "among")]})
	}
	return c
}

// randomNeeds gives jobs of a random log needs of each resource.
func randomNeeds(t *rapid.T, jobs []workload.Job) {
	for i := range jobs {
		j := &jobs[i]
		j.Row, j.Partition = int64(i), rapid.Int64Range(1, 3).Draw(t, "partition")
		if rapid.Bool().Draw(t, "memory told") {
			j.Memory = float64(rapid.IntRange(0, 8).Draw(t, "memory")) / 2
		}
		if rapid.Bool().Draw(t, "more told") {
			a := workload.NoAsked
			a.TakesGPUs, a.GPUShare = rapid.Int64Range(0, 4).Draw(t, "gpus"), rapid.SampledFrom([]int64{workload.Unknown, 500, 1000}).Draw(t, "share")
			a.TakesNodes = rapid.SampledFrom([]int64{workload.Unknown, 1, 2}).Draw(t, "nodes")
			a.GPUType = rapid.SampledFrom([]int64{workload.Unknown, 1, 2}).Draw(t, "kind")
			j.Asked = &a
			if rapid.IntRange(0, 3).Draw(t, "size unknown") == 0 {
				j.Size = workload.Unknown
			}
		}
	}
}

// poolWatch notes the pool of each job, and holds every moment against what there
// is: nothing is held twice, and what runs holds all that is not free.
type poolWatch struct {
	t     *rapid.T
	pools []int
	last  *State
}

func (w *poolWatch) Blocked(*workload.Request, *State) {}

func (w *poolWatch) Started(t Task, s *State) {
	r := t.Request
	w.last = s
	x := s.machine.pools
	free := make([]amounts, len(x.all))
	for i := range free {
		free[i] = x.cluster.capacity(i)
	}
	var held amounts
	for i := range s.machine.running {
		slot := s.machine.running[i].Value.slot
		o := x.running(slot)
		free[o.pool].subtract(&o.take)
		held.add(&o.take)
		if s.jobs.At(slot).job.Row == r.Row {
			w.pools[r.Row] = int(o.pool)
		}
	}
	for i := range free {
		if free[i] != x.all[i].free || !free[i].covers(&amounts{}) {
			w.t.Fatalf("at %g: %v free in pool %d, counted %v", s.Now(), x.all[i].free, i, free[i])
		}
	}
	for r := range held {
		if resource := Resource(r); held[r] != s.Held(resource) || held[r] > s.Capacity(resource) {
			w.t.Fatalf("at %g: %d %s held, counted %d, of %d", s.Now(), s.Held(resource), resource.Name(), held[r], s.Capacity(resource))
		}
	}
}

// Every policy starts the jobs of a cluster when and where its definition does, and
// at the end all is given back.
func TestClusterAgainstReference(t *testing.T) {
	estimators := []struct {
		name string
		Estimator
		of func(*workload.Job) float64
	}{
		{"user", UserEstimates{}, func(j *workload.Job) float64 { return j.Time }},
		{"perfect", Perfect{}, func(j *workload.Job) float64 { return j.Run }},
	}
	for _, p := range battery() {
		for _, e := range estimators {
			t.Run(p.Name()+"/"+e.name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					cluster := randomCluster(t)
					jobs := randomLog(t, 6)
					randomNeeds(t, jobs)
					want, pools := (&plainCluster{cluster: cluster, policy: p, estimate: e.of}).starts(jobs)
					w := &poolWatch{t: t, pools: slices.Repeat([]int{-1}, len(jobs))}
					got := slices.Repeat([]float64{math.NaN()}, len(jobs))
					for j, err := range Simulate(stream(jobs), Config{Cluster: cluster, Policy: p, Estimator: e.Estimator}, w) {
						switch {
						case errors.Is(err, workload.ErrNoJobs):
						case err != nil:
							t.Fatal(err)
						default:
							got[j.Row] = j.Submit + j.Wait
						}
					}
					if !equal(got, want) || !slices.Equal(w.pools, pools) {
						t.Fatalf("starts %v in %v, want %v in %v", got, w.pools, want, pools)
					}
					if w.last == nil {
						return
					}
					for i, x := range w.last.machine.pools.all {
						if x.free != cluster.capacity(i) {
							t.Fatalf("at the end pool %d has %v free", i, x.free)
						}
					}
				})
			})
		}
	}
}

// Queues that the structures hold in several chunks.
func TestLongQueuesOfAClusterAgainstReference(t *testing.T) {
	jobs := madeUp(400, 64, 10)
	madeUpNeeds(jobs)
	for _, whole := range []bool{false, true} {
		cluster := &Cluster{
			Pools:      []Pool{{Name: "a", Nodes: 2, Processors: 16, Memory: 128}, {Name: "b", Nodes: 2, Processors: 16, Memory: 64}, {Name: "c", Nodes: 4, Processors: 16, Memory: 128, GPUs: 4}},
			Partitions: []Partition{{"1", []int{0, 1}}, {"2", []int{2}}, {"3", []int{2, 1}}}, WholeNodes: whole,
		}
		for _, p := range battery() {
			if p == (Conservative{}) {
				continue // the reference would take too long
			}
			var q queueLength
			got := starts(t, jobs, Config{Cluster: cluster, Policy: p}, &q)
			if q.most < entriesPerChunk*3/2 {
				t.Errorf("%s: at most %d jobs are queued", p.Name(), q.most)
			}
			if want, _ := (&plainCluster{cluster: cluster, policy: p, estimate: func(j *workload.Job) float64 { return j.Time }}).starts(jobs); !equal(got, want) {
				t.Errorf("%s: starts differ from the reference", p.Name())
			}
		}
	}
}
