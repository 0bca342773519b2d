package logtest

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Counts are a log's warnings by rule.
func Counts(l *workload.Log) map[string]int64 {
	n := map[string]int64{}
	for _, w := range l.Warnings() {
		n[w.Rule] += w.Count
	}
	return n
}

func WantCounts(t *testing.T, l *workload.Log, want map[string]int64) {
	t.Helper()
	got := Counts(l)
	for rule, n := range want {
		if got[rule] != n {
			t.Errorf("%s: %d, want %d", rule, got[rule], n)
		}
	}
	for rule, n := range got {
		if _, ok := want[rule]; !ok {
			t.Errorf("%s: %d, want none", rule, n)
		}
	}
}
