package sched

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUpNeeds gives jobs of madeUp memory, a quarter of them GPUs, and one of three
// partitions, of which the third overlaps the two others.
func madeUpNeeds(jobs []workload.Job) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range jobs {
		j := &jobs[i]
		j.Partition = 1
		a := workload.NoAsked
		a.Memory = float64(j.Size * (1 + rng.Int64N(8)))
		if rng.IntN(4) == 0 {
			a.TakesGPUs, j.Partition = 1+rng.Int64N(4), 2
		}
		if rng.IntN(4) == 0 {
			j.Partition = 3
		}
		j.Asked = &a
	}
}

// The same jobs on like processors, on a cluster of them alone, and on one of four
// pools with memory and GPUs, shared and whole.
func BenchmarkCluster(b *testing.B) {
	for _, policy := range []Policy{FCFS{}, EASY{}, Conservative{}} {
		for _, load := range []float64{0.5, 0.7} {
			n := 300_000
			if policy == (Conservative{}) {
				n = 30_000
			}
			jobs := madeUp(n, 1024, load)
			madeUpNeeds(jobs)
			four := Cluster{
				Pools:      []Pool{{Name: "a", Nodes: 24, Processors: 16, Memory: 128}, {Name: "b", Nodes: 24, Processors: 16, Memory: 64}, {Name: "c", Nodes: 12, Processors: 16, Memory: 128, GPUs: 4}, {Name: "d", Nodes: 12, Processors: 16, Memory: 128, GPUs: 8}},
				Partitions: []Partition{{"1", []int{0, 1}}, {"2", []int{2, 3}}, {"3", []int{0, 1, 2, 3}}},
			}
			whole := four
			whole.WholeNodes = true
			for _, m := range []struct {
				name string
				cfg  Config
			}{
				{"processors", Config{Processors: 1024}},
				{"pool", Config{Cluster: &Cluster{Pools: []Pool{{Processors: 1024}}}}},
				{"shared", Config{Cluster: &four}},
				{"whole", Config{Cluster: &whole}},
			} {
				b.Run(fmt.Sprintf("policy=%s/load=%g/machine=%s", policy.Name(), load, m.name), func(b *testing.B) {
					m.cfg.Policy = policy
					benchmark(b, jobs, m.cfg)
				})
			}
		}
	}
}
