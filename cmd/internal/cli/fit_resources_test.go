package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gpuLog is a table of jobs of five users for six weeks without processors: those of
// users 1 and 2 on 8 GPUs of kind 2 in two nodes, the others on one of kind 1. The last
// column is of small whole numbers.
func gpuLog(t *testing.T, last string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("job_id,submit_time_s,run_time_s,user_id,requested_gpus,gpu_type_id,requested_nodes," + last + "\n")
	for i := range 1200 {
		gpus, kind, nodes := 1, 1, 1
		if user := i%5 + 1; user <= 2 {
			gpus, kind, nodes = 8, 2, 2
		}
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d,%d\n", i+1, 3000*i+i*i%997, 100+i%7*50, i%5+1, gpus, kind, nodes, 1+i%4)
	}
	path := filepath.Join(t.TempDir(), "gpus.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A site without processors is fitted by its GPUs: the messages, the model, what is
// drawn from it and how that compares.
func TestFitGPUs(t *testing.T) {
	log, dir := gpuLog(t, "energy_j"), t.TempDir()
	model, twin := filepath.Join(dir, "site.json"), filepath.Join(dir, "twin.csv")
	got := loadstone(t, "", "fit", log, "-o", model, "--procs", "32")
	for _, want := range []string{
		"the log has no processors: the sizes of the model are GPUs, and so are the machine's (size-unit)",
		"columns of the log that a model does not have: energy_j (left-out-columns)",
		"on 32 GPUs",
	} {
		if got.code != exitDone || !strings.Contains(got.err, want) {
			t.Errorf("%d %s, want %q", got.code, got.err, want)
		}
	}
	if text := mustRead(t, model); !strings.Contains(text, `"unit": "gpus"`) {
		t.Errorf("no unit in %.300s", text)
	}
	if got = loadstone(t, "", "generate", "--model", model, "-o", twin); got.code != exitDone || !strings.Contains(got.err, "on 32 GPUs; the log's is") {
		t.Errorf("%d %s", got.code, got.err)
	}
	lines := strings.Split(mustRead(t, twin), "\n")
	if head := lines[0]; !strings.HasSuffix(head, ",requested_nodes,requested_gpus,gpu_type_id") || len(lines) < 1000 {
		t.Errorf("%d lines: %s", len(lines), head)
	}
	for _, line := range lines[1 : len(lines)-1] {
		if !strings.HasSuffix(line, ",2,8,2") && !strings.HasSuffix(line, ",1,1,1") {
			t.Fatalf("no combination of the log: %s", line)
		}
	}
	if got = loadstone(t, "", "-q", "compare", log, twin); got.code != exitDone || !strings.Contains(got.out, "\ngpus ") || !strings.Contains(got.out, "\nnodes ") {
		t.Errorf("%d %s%s, want rows of GPUs and nodes", got.code, got.out, got.err)
	}
	// The model of laws says what it does not keep.
	got = loadstone(t, "", "fit", gpuLog(t, "requested_processors"), "--form", "lublin2003", "-o", model)
	if want := "columns of the log that a model of distributions does not have: requested_nodes, requested_gpus, gpu_type_id (--form users keeps nodes, GPUs, memory and quality of service)"; got.code != exitDone || !strings.Contains(got.err, want) {
		t.Errorf("%d %s, want %q", got.code, got.err, want)
	}
	// It keeps the column of its classes.
	got = loadstone(t, "", "fit", gpuLog(t, "requested_processors"), "--form", "lublin2003", "--by", "gpu_type_id", "-o", model)
	if want := "does not have: requested_nodes, requested_gpus (--form"; got.code != exitDone || !strings.Contains(got.err, want) {
		t.Errorf("%d %s, want %q", got.code, got.err, want)
	}
}
