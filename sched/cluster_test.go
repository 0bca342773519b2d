package sched

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A job demands the resources given in the log; a value missing there is no demand.
func TestDemand(t *testing.T) {
	for _, c := range []struct {
		name   string
		memory float64 // KB per processor
		asked  func(*workload.Job)
		want   amounts
	}{
		{"size alone", nan, nil, amounts{4}},
		{"memory a processor", 2.6, nil, amounts{4, 0, 11}},
		{"memory in all, GPUs, nodes", 2, func(a *workload.Job) { a.MemoryTotal, a.TakesGPUs, a.TakesNodes = 7, 2, 3 }, amounts{4, 2000, 7, 3}},
		{"a share of GPUs", nan, func(a *workload.Job) { a.TakesGPUs, a.GPUShare = 2, 250 }, amounts{4, 500}},
		{"memory a processor beside GPUs", 2, func(a *workload.Job) { a.TakesGPUs = 1 }, amounts{4, 1000, 8}},
		{"a share without GPUs", nan, func(a *workload.Job) { a.GPUShare = 250 }, amounts{4}},
		{"infinite", math.Inf(1), func(a *workload.Job) { a.TakesGPUs = math.MaxInt64 }, amounts{4, 2000 * mostAmount, 2 * mostAmount}},
	} {
		j := job(0, 1, 4)
		j.Memory = c.memory
		if c.asked != nil {
			c.asked(&j)
		}
		if got := needs(&j); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDecodeCluster(t *testing.T) {
	good := `{"schema": "loadstone.machine/1", "whole_nodes": true,
 "pools": [{"name": "thin", "nodes": 96, "processors": 64, "memory_gb": 0.5}, {"name": "gpu", "nodes": 4, "processors": 64, "gpus": 8, "gpu_type": "a100"}],
 "partitions": [{"name": "short", "pools": ["gpu", "thin"]}]}`
	c := jobtest.Must(DecodeCluster("m.json", []byte(good)))
	if c.Pools[0] != (Pool{"thin", 96, 64, 0, "", 0.5}) || c.Pools[1] != (Pool{"gpu", 4, 64, 8, "a100", 0}) || !c.WholeNodes || !slices.Equal(c.Partitions[0].Pools, []string{"gpu", "thin"}) {
		t.Errorf("got %+v", c)
	}
	if want := "100 whole nodes with 6400 processors, 32 GPUs and 48 GB of memory in 2 pools"; c.String() != want {
		t.Errorf("it prints as %q, want %q", c, want)
	}
	faulty := func(text, want string) {
		t.Helper()
		if _, err := DecodeCluster("m.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	for _, c := range longtest.Rows(`
"gpus": 8 | "gpu": 8 | m.json:2: pools[1].gpu: saw an unknown key, want one of name, nodes, processors, gpus, gpu_type, memory_gb
"nodes": 96 | "nodes": 0 | m.json:2: pools[0].nodes: saw 0, want a whole number of 1 or more, or no nodes
"name": "thin",  |  | m.json:2: pools[0].name: saw nothing, want a name
"name": "short" | "name": "" | m.json:3: partitions[0].name: saw "", want a name
, "pools": ["gpu", "thin"] |  | m.json:3: partitions[0].pools: saw nothing, want a list of names of pools
"memory_gb": 0.5 | "memory_gb": -1 | m.json:2: pools[0].memory_gb: saw -1, want 
machine/1 | machine/2 | m.json:1: schema: saw "loadstone.machine/2", want one of loadstone.machine/1
["gpu", "thin"] | ["gpu", "fat"] | m.json:3: partitions[0].pools[1]: saw "fat", want the name of one of the pools
["gpu", "thin"] | ["gpu", "gpu"] | m.json:3: partitions[0].pools[1]: saw "gpu" twice, want each once
"name": "gpu" | "name": "thin" | m.json:2: pools[1].name: saw "thin", want each pool once
"partitions": [ | "partitions": [{"name": "short", "pools": ["gpu"]},  | m.json:3: partitions[1].name: saw "short", want each partition once
, "gpus": 8, "gpu_type": "a100" | , "memory_gb": 1073741824 | m.json:2: pools: saw 
`) {
		faulty(strings.Replace(good, c[0], c[1], 1), c[2])
	}
	for text, want := range map[string]string{
		`"pools": [{"name": "a", "processors": -1}]`:                              "processors: saw -1, want ",
		`"pools": [{"name": "a", "processors": 9223372036854775807}]`:             "processors: saw 9223372036854775807, want ",
		`"pools": [{"name": "a", "nodes": 1099511627776, "gpus": 1099511627776}]`: "gpus in all, want at most",
		`"pools": [{"name": "a", "nodes": 3}]`:                                    "pools[0]: saw no resource",
		`"pools": [{"name": "a", "processors": 3}], "whole_nodes": true`:          "pools[0].nodes: saw none",
	} {
		faulty(`{"schema": "loadstone.machine/1", `+text+`}`, want)
	}
	if err := (&Cluster{}).Validate(); err == nil || !strings.Contains(err.Error(), "pools: 0 pools, want 1 to 64") {
		t.Errorf("no pools: %v", err)
	}
	for _, pools := range [][]string{nil, {"a", "a"}} {
		c := Cluster{Pools: []Pool{{Name: "a", Processors: 1}}, Partitions: []Partition{{"x", pools}}}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "partitions[0].pools") {
			t.Errorf("a partition of %q: %v", pools, err)
		}
	}
}
