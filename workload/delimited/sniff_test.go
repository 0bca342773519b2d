package delimited_test

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/delimited"
)

func TestIsCSV(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       bool
	}{
		{"log", "Submitted,Elapsed\n1,2", true},
		{"log", "\xef\xbb\xbfSubmitted, Elapsed\r\n1,2", true},
		{"log", "Submitted,Ela", true},
		{"log", "Submitted,1\n", false},
		{"log", "1,2\n", false},
		{"log", "Submitted\n1\n", false},
		{"log", "; a, b\n1 2", false},
		{"log", "# a, b\n1 2", false},
		{"log", "JobID|User|Name, really\n", false},
		{"log.csv", "1 2 3\n", true},
		{"log.CSV.gz", "x\n", true},
		{"log.csv.swf", "x\n", false},
		{"log", "", false},
	} {
		if got := delimited.Sniff(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s with %q: %v", c.name, c.head, got)
		}
	}
}
