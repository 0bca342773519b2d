package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		if got := strings.Contains(reportOf(t, path, "--without", "predict,runtime,compare"), `<caption class="hidden">Waits by queue</caption>`); got != want {
			t.Errorf("%.80s: queues %t, want %t", log, got, want)
		}
	}
}

// A queue has one name on the page: that of the header, where it is one, else
// its number. Those are the queues 1, named 7, 2, named "night run", and 3, without a name.
func TestReportNamesQueuesOnce(t *testing.T) {
	text := "; MaxProcs: 4\n; Queue: 1 7\n; Queue: 2 night run\n"
	for i := range 6 {
		text += fmt.Sprintf("%d %d 60 600 1 -1 -1 1 -1 -1 1 1 -1 -1 %d -1 -1 -1\n", i+1, 3600*i, 1+i%3)
	}
	tables := tablesOf(t, reportOf(t, writeLog(t, text), "--without", "predict,runtime,compare"))
	for _, caption := range []string{"Waits by queue"} {
		var names []string
		for _, row := range tables[caption] {
			names = append(names, row[0])
		}
		slices.Sort(names)
		if want := []string{"1", "3", "night run"}; !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", caption, names, want)
		}
	}
}
