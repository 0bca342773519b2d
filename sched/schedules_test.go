package sched

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The start times in docs/reference/schedules.md, which an independent program has confirmed
// (docs/reference/schedules.py).
func TestReferenceSchedules(t *testing.T) {
	page := jobtest.Must(os.ReadFile("../docs/reference/schedules.md"))
	checked := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 8 || !strings.Contains(line, "`") { // | log | policy | estimates | jobs | mean wait | `hash` |
			continue
		}
		for i := range cells {
			cells[i] = strings.Trim(cells[i], " `\n")
		}
		name, policy, estimates := cells[1], cells[2], cells[3]
		small := strings.HasPrefix(name, "KTH") || strings.HasPrefix(name, "NASA")
		if !small && longtest.Size(0, 1) == 0 {
			continue
		}
		t.Run(name+"/"+policy+"/"+estimates, func(t *testing.T) {
			if got := scheduleOf(t, name+".swf.gz", policy, estimates); !slices.Equal(got, cells[4:7]) {
				t.Errorf("jobs, mean wait and hash are %q, want %q", got, cells[4:7])
			}
		})
		checked++
	}
	if checked < 8 {
		t.Errorf("%d rows of the page were checked", checked)
	}
}

// scheduleOf simulates a log and returns the number of jobs, their mean wait in seconds, and the
// hash of their start times as defined on the page.
func scheduleOf(t *testing.T, name, policy, estimates string) []string {
	log := jobtest.Open(t, name)
	processors, _ := log.Header.Processors()
	config := Config{Processors: processors}
	config.Policy, _ = PolicyNamed(policy, Policies())
	if estimates == "perfect" {
		config.Estimator = Perfect{}
	}
	all, sum := jobtest.Collect(t, Simulate(workload.InOrder(log.Jobs(), nil), config, nil)), 0.0
	slices.SortFunc(all, func(a, b workload.Job) int { return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(a.Row, b.Row)) })
	h := sha256.New()
	for i := range all {
		fmt.Fprintf(h, "%d %.0f\n", all[i].ID, all[i].Start())
		sum += all[i].Wait
	}
	return []string{fmt.Sprint(len(all)), fmt.Sprintf("%.2f", sum/float64(len(all))), fmt.Sprintf("%x", h.Sum(nil))}
}
