package sched

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// Equal nodes of the same partitions form a pool. Memory is in MB; a node without partitions runs
// no job.
func TestMachineOfSlurmNodes(t *testing.T) {
	const text = `NodeName=n1 Arch=x86_64 CPUAlloc=3 CPUTot=64 RealMemory=262144 Gres=(null) State=IDLE Partitions=batch,short
NodeName=g1 CPUTot=32 RealMemory=524288 Gres=nic:2,gpu:a100:4(S:0-1) Partitions=gpu,short
NodeName=n2 CPUTot=64 RealMemory=262144 Partitions=batch,short
   Reason=Low RealMemory (reported:257000 < 100.00% of configured:262144) Partitions= [slurm@2024-05-31T10:00:00]
NodeName=spare CPUTot=64 RealMemory=262144
NodeName=g2
   CPUTot=32 RealMemory=524288
   Gres=gpu:8
   Partitions=gpu`
	got := jobtest.Must(DecodeCluster("nodes.txt", []byte(text)))
	want := &Cluster{
		Pools: []Pool{
			{Name: "n1", Nodes: 2, Processors: 64, MemoryGB: 256},
			{Name: "g1", Nodes: 1, Processors: 32, GPUs: 4, GPUType: "a100", MemoryGB: 512},
			{Name: "g2", Nodes: 1, Processors: 32, GPUs: 8, MemoryGB: 512},
		},
		Partitions: []Partition{{"batch", []string{"n1"}}, {"short", []string{"n1", "g1"}}, {"gpu", []string{"g1", "g2"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for text, says := range map[string]string{
		"NodeName=n1 CPUTot=many Partitions=a":            `nodes.txt:1: CPUTot: saw "many", want a whole number of 0 or more`,
		"NodeName=n1\nRealMemory=-1\nPartitions=batch":    `nodes.txt:2: RealMemory`,
		"NodeName=n1 CPUTot=4":                            "nodes.txt: saw no node with Partitions, want what 'scontrol show nodes' prints",
		"NodeName=n1 CPUTot=4 Gres=gpu:a100:4,gpu:v100:2": "nodes.txt:1: Gres: saw \"gpu:a100:4,gpu:v100:2\", want one kind of GPUs on a node",
	} {
		if _, err := DecodeCluster("nodes.txt", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want %s", text, err, says)
		}
	}
}
