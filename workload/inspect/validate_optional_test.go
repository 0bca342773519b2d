package inspect

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Each rule of optional columns is broken by one job, and kept by its neighbour,
// which lies on the bound.
func TestOptionalRules(t *testing.T) {
	header := workload.Header{Lines: []string{" MaxProcs: 64", " MaxNodes: 8", " MaxGPUs: 32", " MaxNodeMemory: 1000"}}
	good := workload.UnknownJob()
	good.ID, good.Submit, good.Wait, good.Run, good.Allocated, good.Size = 1, 100, 50, 100, 16, 16
	good.Nodes, good.GPUs, good.GPUShare, good.MemoryTotal, good.TakesNodes = 4, 32, 1000, 4000, 4
	good.AllocatedNodes, good.AllocatedGPUs, good.UsedMemoryTotal, good.Energy, good.Eligible = 4, 32, 4000, 4*20_000*100, 150
	for _, c := range []struct {
		rule      string
		change    func(j *workload.Job)
		saw, want string
	}{
		{"", func(*workload.Job) {}, "", ""},
		{"nodes-over-machine", func(j *workload.Job) { j.AllocatedNodes = 9; j.Energy = 200 }, "9", "8 at most"},
		{"nodes-over-processors", func(j *workload.Job) { j.Allocated = 3 }, "4", "3 at most"},
		{"gpus-over-machine", func(j *workload.Job) { j.AllocatedGPUs = 33 }, "33", "32 at most"},
		{"requested-gpus-over-machine", func(j *workload.Job) { j.GPUs = 33 }, "33", "32 at most"},
		{"gpu-share-range", func(j *workload.Job) { j.GPUShare = 1001 }, "1001", "0 to 1000"},
		{"memory-over-node", func(j *workload.Job) {
			j.MemoryTotal = 3996
			j.TakesNodes = 3
			j.UsedMemoryTotal, j.Energy = 3990, 200
		}, "1330", "1000 at most"},
		{"requested-memory-over-node", func(j *workload.Job) { j.MemoryTotal = 4004 }, "1001", "1000 at most"},
		{"total-memory-over-requested", func(j *workload.Job) { j.MemoryTotal = 3999 }, "4000", "3999 at most"},
		{"power-high", func(j *workload.Job) { j.Energy = 9_000_000 }, "90000 W", "80000 W at most"},
		{"power-high", func(j *workload.Job) {
			j.Nodes, j.GPUs, j.GPUShare, j.MemoryTotal, j.TakesNodes = workload.Unknown, workload.Unknown, workload.Unknown, math.NaN(), workload.Unknown
			j.AllocatedNodes, j.Size, j.Energy = workload.Unknown, 2, 4_100_000
		}, "41000 W", "40000 W at most"},
		{"power-low", func(j *workload.Job) { j.Energy = 50 }, "0.5 W", "1 W or more"},
		{"eligible-before-submit", func(j *workload.Job) { j.Eligible = 99 }, "99", "100 or more"},
		{"eligible-after-start", func(j *workload.Job) { j.Eligible = 151 }, "151", "150 at most"},
		{"negative-energy", func(j *workload.Job) { j.Energy = -2 }, "-2", "0 or more"},
	} {
		j := good
		c.change(&j)
		log, read := workload.NewLog("x", "test")
		read.Declare(workload.OptionalColumns)
		log.Header = header
		v := newValidator(log, ValidateOptions{First: 1, Rules: []string{"!*-unknown"}})
		v.row.Job = j
		v.job(slices.DeleteFunc(slices.Clone(v.checks), func(k *check) bool { return !k.on || k.test == nil }))
		var broken []string
		for _, k := range v.checks {
			if k.on && len(k.places) > 0 {
				broken = append(broken, k.Name+" "+k.places[0].Saw+" "+k.places[0].Want)
			}
		}
		want := []string{c.rule + " " + c.saw + " " + c.want}
		if c.rule == "" {
			want = nil
		}
		if !slices.Equal(broken, want) {
			t.Errorf("%s: %q, want %q", c.rule, broken, want)
		}
	}
}

// What a log does not have is not said to be left unchecked; what it has and the
// header gives no limit for is.
func TestOptionalRulesNotChecked(t *testing.T) {
	missing := func(has workload.ColumnSet) string {
		log, read := workload.NewLog("x", "test")
		read.Declare(has)
		v := newValidator(log, ValidateOptions{})
		var names []string
		for _, n := range v.skip {
			if strings.Contains("nodes-over-machine gpus-over-machine requested-gpus-over-machine memory-over-node requested-memory-over-node", n.Rule) {
				names = append(names, n.Rule+" "+n.Missing)
			}
		}
		return strings.Join(names, ", ")
	}
	if got := missing(0); got != "" {
		t.Errorf("without the columns: %s", got)
	}
	if got, want := missing(workload.ColumnSetOf(workload.ColRequestedGPUs, workload.ColUsedMemoryTotal, workload.ColAllocatedNodes)),
		"nodes-over-machine MaxNodes, requested-gpus-over-machine MaxGPUs, memory-over-node MaxNodeMemory"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
