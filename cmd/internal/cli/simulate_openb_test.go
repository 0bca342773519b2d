package cli

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// rowsOf reads a CSV file, with the first line's names of the columns.
func rowsOf(t *testing.T, r io.Reader) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = values[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func numberIn(t *testing.T, row map[string]string, column string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// openbMachine describes the nodes of Alibaba's GPU cluster: a pool for each kind, of
// one in so many of its nodes.
func openbMachine(t *testing.T, nodes []map[string]string, one int) string {
	t.Helper()
	type pool struct {
		Name       string  `json:"name"`
		Nodes      int     `json:"nodes"`
		Processors float64 `json:"processors"`
		GPUs       float64 `json:"gpus"`
		GPUType    string  `json:"gpu_type"`
		MemoryGB   float64 `json:"memory_gb"`
	}
	var pools []*pool
	byName := map[string]*pool{}
	for _, row := range nodes {
		name := fmt.Sprint(row["model"], " ", row["gpu"], " ", row["cpu_milli"], " ", row["memory_mib"])
		if byName[name] == nil {
			p := &pool{name, 0, numberIn(t, row, "cpu_milli") / 1000, numberIn(t, row, "gpu"), row["model"], numberIn(t, row, "memory_mib") / 1024}
			byName[name] = p
			pools = append(pools, p)
		}
		byName[name].Nodes++
	}
	for _, p := range pools {
		p.Nodes = (p.Nodes + one - 1) / one
	}
	text, err := json.Marshal(map[string]any{"schema": "loadstone.machine/1", "pools": pools})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "machine.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The pods of a real GPU cluster hold what they ask for, summed up from the file; on a
// smaller machine of the same kinds some wait, fewer where they may be backfilled.
func TestSimulateRealGPUs(t *testing.T) {
	pods := reallogs.Path(t, "gpu/alibaba-openb-2023-pods.csv.gz")
	read := func(file string, packed bool) []map[string]string {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var r io.Reader = f
		if packed {
			if r, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		return rowsOf(t, r)
	}
	nodes := read(reallogs.Path(t, "gpu/alibaba-openb-2023-nodes.csv"), false)
	var jobs int
	var processors, gpus, memory, capacity float64
	first, last := math.Inf(1), 0.0
	for _, row := range read(pods, true) {
		if row["scheduled_time"] == "" || row["deletion_time"] == "" {
			continue
		}
		jobs++
		run, submit := numberIn(t, row, "deletion_time")-numberIn(t, row, "scheduled_time"), numberIn(t, row, "creation_time")
		first, last = min(first, submit), max(last, submit+run)
		processors += math.Ceil(numberIn(t, row, "cpu_milli")/1000) * run
		gpus += numberIn(t, row, "num_gpu") * numberIn(t, row, "gpu_milli") / 1000 * run
		memory += numberIn(t, row, "memory_mib") * 1024 * run
	}
	for _, row := range nodes {
		capacity += numberIn(t, row, "gpu")
	}
	var s evaluate.ScheduleResult
	decode(t, &s, "-q", "simulate", pods, "--machine", openbMachine(t, nodes, 1))
	if s.Whole.Jobs != jobs || s.Resources[1].Capacity != capacity || s.Whole.Wait.Max != 0 {
		t.Errorf("%d jobs, %g GPUs, longest wait %g s; want %d, %g and none", s.Whole.Jobs, s.Resources[1].Capacity, s.Whole.Wait.Max, jobs, capacity)
	}
	for i, work := range []float64{processors, gpus, memory} {
		r := s.Resources[i]
		if want := work / (r.Capacity * (last - first)); !near(r.Utilisation, want) || !near(r.Held, want) {
			t.Errorf("%s: asked for %g, held %g, want %g", r.Name, r.Utilisation, r.Held, want)
		}
	}
	waits := map[string]float64{}
	for _, policy := range []string{"fcfs", "easy", "conservative"} {
		var s evaluate.ScheduleResult
		decode(t, &s, "-q", "simulate", pods, "--machine", openbMachine(t, nodes, 200), "--policy", policy, "--estimates", "perfect")
		waits[policy] = float64(s.Whole.Wait.Mean)
		t.Logf("one node in 200, %s: %d jobs wait %.0f s, GPUs held %.3f", policy, s.Whole.Jobs, s.Whole.Wait.Mean, s.Resources[1].Held)
	}
	if !(waits["fcfs"] > waits["easy"] && waits["easy"] > 0) {
		t.Errorf("mean waits %v", waits)
	}
}
