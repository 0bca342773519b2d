package inspect

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// jobOf is a job of some values by the names or words of their columns: "run=100 wait=50". A
// dash is unknown.
func jobOf(t *testing.T, text string) workload.Job {
	t.Helper()
	j := workload.UnknownJob()
	for _, value := range strings.Fields(text) {
		name, number, _ := strings.Cut(value, "=")
		c := workload.FindColumn(name)
		x, err := strconv.ParseFloat(number, 64)
		switch {
		case c == nil || err != nil && number != "-":
			t.Fatalf("no value: %s", value)
		case c.Float() && err != nil:
			c.SetNumber(&j, math.NaN())
		case c.Float():
			c.SetNumber(&j, x)
		case err != nil:
			c.SetInt(&j, workload.Unknown)
		default:
			c.SetInt(&j, int64(x))
		}
	}
	return j
}

// Each rule of optional columns is broken by one job, and kept by its neighbour,
// which lies on the bound.
func TestOptionalRules(t *testing.T) {
	const good = "job=1 submit=100 wait=50 run=100 allocated=16 requested_nodes=4 requested_gpus=32 gpu_share=1000 memory_total=4000 " +
		"allocated_nodes=4 allocated_gpus=32 used_memory_total=4000 energy=8000000 eligible=150 "
	const cases = `
 |  | |
nodes-over-machine | allocated_nodes=9 energy=200 | 9 | 8 at most
nodes-over-processors | allocated=3 | 4 | 3 at most
gpus-over-machine | allocated_gpus=33 | 33 | 32 at most
requested-gpus-over-machine | requested_gpus=33 | 33 | 32 at most
gpu-share-range | gpu_share=1001 | 1001 | 0 to 1000
memory-over-node | memory_total=3996 allocated_nodes=3 used_memory_total=3990 energy=200 | 1330 | 1000 at most
requested-memory-over-node | memory_total=4004 | 1001 | 1000 at most
total-memory-over-requested | memory_total=3999 | 4000 | 3999 at most
power-high | energy=9000000 | 90000 W | 80000 W at most
power-high | requested_nodes=- requested_gpus=- gpu_share=- memory_total=- allocated_nodes=- allocated=2 energy=4100000 | 41000 W | 40000 W at most
power-low | energy=50 | 0.5 W | 1 W or more
eligible-before-submit | eligible=99 | 99 | 100 or more
eligible-after-start | eligible=151 | 151 | 150 at most
negative-energy | energy=-2 | -2 | 0 or more
`
	header := workload.Header{Lines: []string{" MaxProcs: 64", " MaxNodes: 8", " MaxGPUs: 32", " MaxNodeMemory: 1000"}}
	for _, line := range strings.Split(strings.Trim(cases, "\n"), "\n") {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		log := workload.LogOf("x", header, []workload.Job{jobOf(t, good+cells[1])})
		v, err := Validate(t.Context(), log, ValidateOptions{First: 1, Rules: []string{"!*-unknown"}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range v.Findings {
			got += f.Rule + "|" + f.Places[0].Saw + "|" + f.Places[0].Want
		}
		if want := cells[0] + "|" + cells[2] + "|" + cells[3]; got != strings.Trim(want, "|") {
			t.Errorf("%s: got %s", line, got)
		}
	}
}

// What a log does not have is not said to be left unchecked; what it has and the
// header gives no limit for is.
func TestOptionalRulesNotChecked(t *testing.T) {
	for columns, want := range map[string]string{
		"job=1": "",
		"requested_gpus=1 used_memory_total=1 allocated_nodes=1": "nodes-over-machine MaxNodes, requested-gpus-over-machine MaxGPUs, memory-over-node MaxNodeMemory",
	} {
		v, err := Validate(t.Context(), logOf(jobOf(t, columns)), ValidateOptions{Rules: []string{"nodes-over-machine", "*gpus-over-machine", "*memory-over-node"}})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, n := range v.NotChecked {
			names = append(names, n.Rule+" "+n.Missing)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%s: %s, want %s", columns, got, want)
		}
	}
}
