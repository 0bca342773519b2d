package reshape

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// In a log whose header gets the names only at its end, conditions by name
// hold from the first job that bears one. Which jobs they take out, by hand.
func TestConditionOnNames(t *testing.T) {
	const log = "job_id,submit_time_s,run_time_s,allocated_processors,user_id,queue_id\n" +
		"11,0,1,1,alice,short\n12,1,1,1,bob,long and slow\n13,2,1,1,,short\n14,3,1,1,bob,short\n15,4,1,1,carol,\n"
	for _, c := range []struct{ filter, removed string }{
		{"user=bob", "12 14"},
		{"user=carol,alice", "11 15"},
		{"user=2,carol", "12 14 15"}, // bob is number 2
		{"user=2..3,alice", "11 12 14 15"},
		{"user=unknown,alice", "11 13"},
		{"user!=bob", "11 15"},
		{"user!=bob,unknown", "11 15"},
		{"user!=bob,3", "11"},
		{"keep user=bob", "11 13 15"},
		{"not user=bob", "11 13 15"},
		{"queue='long and slow' or user=alice", "11 12"},
		{"user=3", "15"},
	} {
		got, err := tryClean(t, log, c.filter)
		if err != nil {
			t.Errorf("%s: %v", c.filter, err)
			continue
		}
		var removed []string
		for _, r := range reasons(got.removed) {
			removed = append(removed, strings.Split(r, "/")[0])
		}
		if s := strings.Join(removed, " "); s != c.removed {
			t.Errorf("%s takes out %q, want %q", c.filter, s, c.removed)
		}
	}
	for filter, want := range map[string]string{
		"user=dave":            `no user "dave" among the log's names`,
		"user=bob or user=ali": `no user "ali"`,
		"user<bob":             `no user "bob"`,
		"user=alice..bob":      `no user "alice"`,
	} {
		if _, err := tryClean(t, log, filter); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", filter, err, want)
		}
	}
	if l, err := logfile.OpenReader("test", strings.NewReader(five), workload.Options{}); err != nil || l.Names() != nil {
		t.Errorf("a log of numbers has names of its own: %v", err)
	}
}
