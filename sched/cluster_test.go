package sched

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// wants makes a job with an estimate that asks for memory too, in KB.
func wants(submit, run float64, size, memory int64) workload.Job {
	j := asked(submit, run, run, size)
	j.Memory = float64(memory) / float64(size)
	return j
}

// gpus makes a job ask for GPUs in thousandths, and for nodes unless they are 0.
func gpus(j workload.Job, thousandths, nodes int64) workload.Job {
	a := workload.NoAsked
	a.TakesGPUs = (thousandths + 999) / 1000
	if thousandths < 1000 {
		a.GPUShare = thousandths
	}
	if nodes > 0 {
		a.TakesNodes = nodes
	}
	j.Asked = &a
	return j
}

// kind makes a job ask for a kind of GPU.
func kind(number int64, j workload.Job) workload.Job {
	a := *j.Asked
	a.GPUType = number
	j.Asked = &a
	return j
}

// in puts a job into a partition.
func in(partition int64, j workload.Job) workload.Job {
	j.Partition = partition
	return j
}

func TestClusterByHand(t *testing.T) {
	// 4 processors and 8 KB. A (2, 6 KB) runs to 10. B (1, 7 KB) waits for its memory
	// until then, and C (3, 2 KB) for B's until 20. D (1, 1 KB) delays B in neither
	// resource: 7 KB are left at 10. E (1, no memory, 30 s) delays C alone.
	one := &Cluster{Pools: []Pool{{Processors: 4, Memory: 8}}}
	memory := []workload.Job{wants(0, 10, 2, 6), wants(1, 10, 1, 7), wants(2, 20, 3, 2), wants(3, 20, 1, 1), wants(5, 30, 1, 0)}
	// The same, but D takes 5 s, and is the shortest.
	short := slices.Clone(memory)
	short[3] = wants(3, 5, 1, 1)
	urgent := slices.Clone(memory)
	urgent[4].Queue = 7
	// Pools a and b of 2 processors. Partition 1 is a, 2 is b, 3 is both. J1 fills a to
	// 10, where J2 waits. J3 has half of b to 12. J4 could run in both.
	two := &Cluster{Pools: []Pool{{Name: "a", Processors: 2}, {Name: "b", Processors: 2}}, Partitions: []Partition{{"1", []int{0}}, {"2", []int{1}}, {"3", []int{0, 1}}}}
	overlap := []workload.Job{in(1, wants(0, 10, 2, 0)), in(1, wants(1, 10, 1, 0)), in(2, wants(2, 10, 1, 0)), in(3, wants(3, 10, 1, 0)), in(2, wants(4, 10, 1, 0))}
	// 3 whole nodes of 4 processors and 8 KB. A (5 processors) has two of them to 10, B
	// (1, but 9 KB) needs two, C and D one each.
	whole := &Cluster{Pools: []Pool{{Nodes: 3, Processors: 4, Memory: 8}}, WholeNodes: true}
	nodes := []workload.Job{wants(0, 10, 5, 0), wants(1, 10, 1, 9), wants(2, 8, 1, 0), wants(3, 5, 1, 0)}
	// 8 processors and 2 GPUs. A and B have one and a half of them to 10, where C wants
	// both. D (a half, 20 s) would delay it, E (a half, 5 s) does not. F wants 6
	// processors, of which 5 are free until E ends.
	gpu := &Cluster{Pools: []Pool{{Processors: 8, GPUs: 2}}}
	fractions := []workload.Job{gpus(wants(0, 10, 1, 0), 1000, 0), gpus(wants(0, 10, 1, 0), 500, 0), gpus(wants(1, 10, 1, 0), 2000, 0),
		gpus(wants(2, 20, 1, 0), 500, 0), gpus(wants(3, 5, 1, 0), 500, 0), wants(4, 50, 6, 0)}
	for _, c := range []struct {
		name    string
		cluster *Cluster
		jobs    []workload.Job
		policy  Policy
		want    []float64
	}{
		{"memory", one, memory, FCFS{}, []float64{0, 10, 20, 20, 40}},
		{"memory", one, memory, EASY{}, []float64{0, 10, 23, 3, 5}},
		{"memory", one, memory, Conservative{}, []float64{0, 10, 20, 3, 23}},
		// D goes before B, E does not.
		{"memory", one, short, SJF{}, []float64{0, 10, 20, 3, 20}},
		// E does not wait for B. At 20 C and, D needing the fourth processor, no more:
		// D when E ends.
		{"memory", one, urgent, Priority{Queues: []int64{7}}, []float64{0, 10, 20, 35, 5}},
		// J4 waits for J2 and holds up J5, which could run in b.
		{"overlap", two, overlap, FCFS{}, []float64{0, 10, 2, 10, 10}},
		// J4 goes to b, where J5 waits for J3.
		{"overlap", two, overlap, EASY{}, []float64{0, 10, 2, 3, 12}},
		{"overlap", two, overlap, Conservative{}, []float64{0, 10, 2, 3, 12}},
		{"overlap", two, overlap, SJF{}, []float64{0, 10, 2, 10, 10}},
		{"overlap", two, overlap, Priority{Queues: []int64{1}}, []float64{0, 10, 2, 10, 10}},
		{"GPUs", gpu, fractions, FCFS{}, []float64{0, 0, 10, 20, 20, 20}},
		{"GPUs", gpu, fractions, EASY{}, []float64{0, 0, 10, 20, 3, 8}},
		// At 10 B has two nodes and C one; D has C's at 18.
		{"whole", whole, nodes, FCFS{}, []float64{0, 10, 10, 18}},
		// C ends when B starts, and has the third node; D would end at 15, but three
		// nodes are free at 10, of which B leaves one.
		{"whole", whole, nodes, EASY{}, []float64{0, 10, 2, 10}},
		{"whole", whole, nodes, Conservative{}, []float64{0, 10, 2, 10}},
	} {
		t.Run(c.name+"/"+c.policy.Name(), func(t *testing.T) {
			if got := starts(t, c.jobs, Config{Cluster: c.cluster, Policy: c.policy}, nil); !equal(got, c.want) {
				t.Errorf("starts %v, want %v", got, c.want)
			}
		})
	}
}

// A kind of GPU is one of those that a request names; a pool without one serves all.
func TestKindsOfGPU(t *testing.T) {
	c := &Cluster{Pools: []Pool{{Name: "a", Processors: 9, GPUs: 1, GPUType: "T4"}, {Name: "b", Processors: 9, GPUs: 1, GPUType: "V100"}, {Name: "c", Processors: 9, GPUs: 1}}}
	names := func(col int, n int64) (string, bool) {
		return []string{"T4", "V100", "T4|V100", "A10"}[n-1], col == workload.ColGPUType
	}
	var jobs []workload.Job
	for _, k := range []int64{1, 1, 1, 2, 3, 4} { // the second T4 is the unnamed, the third waits
		jobs = append(jobs, kind(k, gpus(wants(0, 10, 1, 0), 1000, 0)))
	}
	jobs = append(jobs, gpus(wants(0, 10, 1, 0), 1000, 0), kind(4, gpus(wants(0, 10, 1, 0), 0, 0)))
	got := starts(t, jobs, Config{Cluster: c, Named: names, Policy: EASY{}, Estimator: Perfect{}}, nil)
	// The V100 has job 4 at once and job 5 at 10; the unnamed job 6 at 10 and job 7 at
	// 20. The last wants no GPU.
	if want := []float64{0, 0, 10, 0, 10, 10, 20, 0}; !equal(got, want) {
		t.Errorf("starts %v, want %v", got, want)
	}
	c.Pools = c.Pools[:2]
	var odd workload.Warnings
	if got := starts(t, jobs[5:], Config{Cluster: c, Named: names, Warnings: &odd}, nil); !math.IsNaN(got[0]) || !odd.Has("larger-than-machine-gpus") {
		t.Errorf("an A10 that is not there: starts %v, %v", got, odd.List())
	}
}

// What a log says of a job is what it asks for; what it does not say is none.
func TestDemand(t *testing.T) {
	j := job(0, 1, 4)
	for _, c := range []struct {
		name   string
		memory float64 // KB a processor
		asked  func(*workload.Asked)
		want   amounts
	}{
		{"size alone", nan, nil, amounts{4}},
		{"memory a processor", 2.6, nil, amounts{4, 0, 11}},
		{"memory in all, GPUs, nodes", 2, func(a *workload.Asked) { a.Memory, a.TakesGPUs, a.TakesNodes = 7, 2, 3 }, amounts{4, 2000, 7, 3}},
		{"a share of GPUs", nan, func(a *workload.Asked) { a.TakesGPUs, a.GPUShare = 2, 250 }, amounts{4, 500}},
		{"memory a processor beside GPUs", 2, func(a *workload.Asked) { a.TakesGPUs = 1 }, amounts{4, 1000, 8}},
		{"a share without GPUs", nan, func(a *workload.Asked) { a.GPUShare = 250 }, amounts{4}},
		{"infinite", math.Inf(1), func(a *workload.Asked) { a.TakesGPUs = math.MaxInt64 }, amounts{4, 2000 * most, 2 * most}},
	} {
		j.Memory, j.Asked = c.memory, nil
		if c.asked != nil {
			a := workload.NoAsked
			c.asked(&a)
			j.Asked = &a
		}
		if got := needs(&j); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Jobs that can never start are left out, and counted by what there is too little of.
func TestClusterLeavesOut(t *testing.T) {
	c := &Cluster{Pools: []Pool{{Name: "a", Processors: 4, Memory: 8}, {Name: "b", Processors: 8, Memory: 2}}, Partitions: []Partition{{"both", []int{0, 1}}, {"2", []int{1}}}}
	names := func(col int, n int64) (string, bool) { return "both", col == workload.ColPartition && n == 1 }
	jobs := []workload.Job{in(1, wants(0, 1, 4, 8)), in(1, wants(0, 1, 9, 0)), in(1, wants(0, 1, 8, 3)), in(2, wants(0, 1, 1, 3)), in(3, wants(0, 1, 1, 1)), in(2, wants(0, 1, 8, 2))}
	var odd workload.Warnings
	got := starts(t, jobs, Config{Cluster: c, Named: names, Warnings: &odd}, nil)
	if want := []float64{0, nan, nan, nan, nan, 0}; !equal(got, want) {
		t.Errorf("starts %v, want %v", got, want)
	}
	var rules []string
	for _, w := range odd.List() {
		rules = append(rules, w.Rule)
	}
	if want := []string{"larger-than-machine-processors", "larger-than-machine", "larger-than-machine-memory_kb", "no-partition"}; !slices.Equal(rules, want) {
		t.Errorf("counted %q, want %q", rules, want)
	}
	if got, want := odd.List()[3].Saw, `job 5 of "3", and the machine has "both", "2"`; got != want {
		t.Errorf("saw %s, want %s", got, want)
	}
}

func TestClusterFaults(t *testing.T) {
	pool := Pool{Name: "a", Nodes: 1, Processors: 1}
	for _, c := range []struct {
		cluster Cluster
		want    string
	}{
		{Cluster{}, "no pool"},
		{Cluster{Pools: []Pool{pool, pool}}, `pool "a" is given twice`},
		{Cluster{Pools: []Pool{{Processors: -1}}}, "saw -1 processors"},
		{Cluster{Pools: []Pool{{Processors: math.MaxInt64}}}, "processors, want 0 to"},
		{Cluster{Pools: []Pool{{Nodes: 1 << 40, GPUs: 1 << 40}}}, "in all, want at most"},
		{Cluster{Pools: []Pool{{Nodes: 3}}}, "saw no resource"},
		{Cluster{Pools: []Pool{{Processors: 3}}, WholeNodes: true}, "saw no number of nodes"},
		{Cluster{Pools: []Pool{pool}, Partitions: []Partition{{"x", nil}}}, `partition "x": saw no pool`},
		{Cluster{Pools: []Pool{pool}, Partitions: []Partition{{"x", []int{1}}}}, "saw pool 1, want 0 to 0"},
		{Cluster{Pools: []Pool{pool}, Partitions: []Partition{{"x", []int{0, 0}}}}, `pool "a" is given twice`},
		{Cluster{Pools: []Pool{pool}, Partitions: []Partition{{"x", []int{0}}, {"x", []int{0}}}}, `partition "x" is given twice`},
	} {
		if err := c.cluster.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.cluster, err, c.want)
		}
	}
}

func TestDecodeCluster(t *testing.T) {
	good := `{"schema": "loadstone.machine/1", "whole_nodes": true,
 "pools": [{"name": "thin", "nodes": 96, "processors": 64, "memory_gb": 0.5}, {"name": "gpu", "nodes": 4, "processors": 64, "gpus": 8, "gpu_type": "a100"}],
 "partitions": [{"name": "short", "pools": ["gpu", "thin"]}]}`
	c, err := DecodeCluster("m.json", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if c.Pools[0] != (Pool{"thin", 96, 64, 0, "", 1 << 19}) || c.Pools[1] != (Pool{"gpu", 4, 64, 8, "a100", 0}) || !c.WholeNodes || !slices.Equal(c.Partitions[0].Pools, []int{1, 0}) {
		t.Errorf("got %+v", c)
	}
	if want := "100 whole nodes with 6400 processors, 32 GPUs and 48 GB of memory in 2 pools"; c.String() != want {
		t.Errorf("it prints as %q, want %q", c, want)
	}
	for _, x := range []struct{ old, new, want string }{
		{`"gpus": 8`, `"gpu": 8`, `m.json:2: pools[1].gpu: saw an unknown key, want one of name, nodes, processors, gpus, gpu_type, memory_gb`},
		{`"nodes": 96`, `"nodes": 0`, `m.json:2: pools[0].nodes: saw 0, want a whole number of 1 or more, or no nodes`},
		{`"name": "thin", `, ``, `m.json:2: pools[0].name: saw nothing, want a name`},
		{`"name": "short"`, `"name": ""`, `m.json:3: partitions[0].name: saw "", want a name`},
		{`, "pools": ["gpu", "thin"]`, ``, `m.json:3: partitions[0].pools: saw nothing, want a list of names of pools`},
		{`"memory_gb": 0.5`, `"memory_gb": -1`, `m.json:2: pools[0].memory_gb: saw -1, want `},
		{`machine/1`, `machine/2`, `m.json:1: schema: saw "loadstone.machine/2", want one of loadstone.machine/1`},
		{`["gpu", "thin"]`, `["gpu", "fat"]`, `m.json:3: partitions[0].pools[1]: saw "fat", want the name of one of the pools`},
		{`, "gpus": 8, "gpu_type": "a100"`, `, "memory_gb": 1073741824`, `m.json: the pools have `},
	} {
		if _, err := DecodeCluster("m.json", []byte(strings.Replace(good, x.old, x.new, 1))); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want %q", x.new, err, x.want)
		}
	}
}
