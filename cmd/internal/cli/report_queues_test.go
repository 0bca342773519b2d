package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log of one queue has no table of queues, one whose queues begin late has.
func TestReportQueues(t *testing.T) {
	job := func(queue string) string { return " 1 0 1 1 1 1 1 1 -1 1 1 1 1 " + queue + " 1 -1 -1\n" }
	one, late := strings.Repeat("1"+job("4"), 20), strings.Repeat("1"+job("-1"), 10_001)+"1"+job("5")+"1"+job("6")
	for log, want := range map[string]bool{one: false, late: true, strings.Repeat("1"+job("-1"), 20): false} {
		path := filepath.Join(t.TempDir(), "log.swf")
		if err := os.WriteFile(path, []byte(log), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(reportOf(t, path, "--without", "predict,runtime,lifetimes"), `<caption class="hidden">Queues</caption>`); got != want {
			t.Errorf("%.80s: queues %t, want %t", log, got, want)
		}
	}
}
