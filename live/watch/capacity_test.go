package watch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// Capacity is what jobs can get now. The states are those that Slurm's scontrol
// prints: node n2 was drained, n3 does not answer, n4 belongs to a reservation of
// 16 of its 64 processors, n5 is powered down, from where jobs wake it.
func TestCapacity(t *testing.T) {
	s := testSource(&answers{
		nodesText: `NodeName=n1 CPUAlloc=10 CPUTot=64 State=MIXED Partitions=batch,short
NodeName=n2 CPUAlloc=20 CPUTot=64 State=MIXED+DRAIN Partitions=batch
NodeName=n3 CPUAlloc=0 CPUTot=64 State=IDLE* Partitions=batch
NodeName=n4 CPUAlloc=8 CPUTot=64 State=MIXED+RESERVED Partitions=batch
NodeName=n5 CPUAlloc=0 CPUTot=64 State=IDLE+CLOUD+POWERED_DOWN Partitions=batch
`,
		partitionsText: `PartitionName=batch Default=YES DefaultTime=01:00:00 MaxNodes=2 MaxTime=2-00:00:00 MaxCPUsPerNode=32 State=UP TotalCPUs=320
PartitionName=short Default=NO DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=00:05:00 MaxCPUsPerNode=UNLIMITED State=DOWN TotalCPUs=64
`,
		reservationsText: `ReservationName=r1 NodeCnt=1 CoreCnt=16 TRES=cpu=16 State=ACTIVE
ReservationName=r2 NodeCnt=9 CoreCnt=576 TRES=cpu=576 State=INACTIVE
`,
	})
	lost := Unavailable{Down: 64, Draining: 64, Reserved: 16}
	want := Capacity{Processors: 64 + 48 + 64, Total: 320, Used: 38, Free: 54 + 40 + 64, Unavailable: lost, Partitions: []Partition{
		{Name: "batch", Number: 1, Processors: 64 + 48 + 64, Total: 320, MaxProcessors: 64, MaxTime: 172800, DefaultTime: 3600, Unavailable: lost, State: Up, Default: true},
		{Name: "short", Number: 2, Processors: 64, Total: 64, MaxTime: 300, DefaultTime: nan, State: Down},
	}}
	if err := s.readCapacity(context.Background()); err != nil {
		t.Error(err)
	}
	if d := gocmp.Diff(want, s.capacity, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
		t.Error(d)
	}
}

func TestMachineFaults(t *testing.T) {
	for _, text := range []string{"", "  \n", "slurm_load_node error: x", "{}", "NodeName= State=IDLE", "NodeName=" + strings.Repeat("x", maxMachineLine+1)} {
		if nodes, err := readNodes(strings.NewReader(text)); err == nil {
			t.Errorf("%.30q: %v, want an error", text, nodes)
		}
	}
	for text, want := range map[string]float64{"UNLIMITED": nan, "1-02:03:04": 93784, "00:05:00": 300, "x-00:05:00": nan, "": nan} {
		if got := duration(text); got != want && !(got != got && want != want) {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := oneLine([]byte("a\n\x1b[31mb\xff \t c")); got != "a [31mb? c" {
		t.Errorf("%q", got)
	}
	if _, err := io.ReadAll(limit(bytes.NewReader(make([]byte, 11)), 10)); err == nil {
		t.Error("no limit")
	}
	if text, err := io.ReadAll(limit(bytes.NewReader(make([]byte, 9)), 10)); err != nil || len(text) != 9 {
		t.Error(len(text), err)
	}
}

// Processors in use that no job shown accounts for are hidden jobs, if two polls in a row
// show them.
func TestHiddenJobs(t *testing.T) {
	a := realAnswers(t)
	a.nodesText = strings.NewReplacer("CPUTot=64", "CPUTot=256", "CPUEfctv=64", "CPUEfctv=250", "CPUAlloc=0", "CPUAlloc=164", "State=IDLE", "State=MIXED").Replace(a.nodesText)
	s := testSource(a)
	for i, want := range []int64{0, 100} {
		p, err := s.Poll(context.Background())
		if err != nil || p.Hidden != want {
			t.Fatalf("poll %d: %d hidden, want %d: %v", i, p.Hidden, want, err)
		}
		if warned := strings.Contains(fmt.Sprint(codes(p.Warnings)), "hidden-jobs"); warned != (want > 0) {
			t.Errorf("poll %d: %v", i, p.Warnings)
		}
		if p.Capacity.Total != 250 || p.Capacity.Free != 86 {
			t.Errorf("%+v", p.Capacity)
		}
	}
}

// Slurm's four states of a partition, and a drained node without jobs, as each form has
// them.
func TestPartitionStates(t *testing.T) {
	for state, want := range map[PartitionState][2]bool{Up: {true, true}, Down: {false, true}, Drain: {true, false}, Inactive: {false, false}, "": {false, false}} {
		s := testSource(&answers{
			nodesText:        "NodeName=n1 CPUAlloc=0 CPUTot=64 State=IDLE+DRAIN Partitions=p\n",
			partitionsText:   "PartitionName=p State=" + strings.ToUpper(string(state)) + " TotalCPUs=64\n",
			reservationsText: "No reservations in the system\n",
		})
		if err := s.readCapacity(context.Background()); err != nil {
			t.Fatal(err)
		}
		p := s.capacity.Partitions[0]
		if p.State != state || p.State.Starts() != want[0] || p.State.Accepts() != want[1] {
			t.Errorf("state %q, starts %v, accepts %v; want %q, %v", p.State, p.State.Starts(), p.State.Accepts(), state, want)
		}
		if lost := (Unavailable{Drained: 64}); p.Unavailable != lost || s.capacity.Unavailable != lost || p.Processors != 0 {
			t.Errorf("%d processors, unavailable %+v, want 64 drained", p.Processors, p.Unavailable)
		}
	}
}
