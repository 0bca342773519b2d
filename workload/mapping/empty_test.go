package mapping_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A table without rows that As or MapFile names is reported as empty, not as one of another
// format.
func TestNoObjects(t *testing.T) {
	const wants = "want objects with the columns of a table, one a line or in one array"
	for text, saw := range map[string]string{
		"[]": `JSON, "[]"`, " [ ]\n": `JSON, "[ ]\n"`, "null\n": `JSON, "null\n"`, "null": `JSON, "null"`, "null\n{\"job_id\": 1}\n": `JSON, "null\n{\"job_id\": 1}\n"`, "\n\n": "blank lines",
	} {
		path := write(t, "x.jsonl", text)
		_, err := logtest.Drain(logfile.Open(path, workload.Options{As: "eagle"}))
		if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.HasSuffix(err.Error(), ": saw "+saw+", "+wants) {
			t.Errorf("%q: got  %v\nwant %s: saw %s, %s", text, err, path, saw, wants)
		}
	}
}

// A value for every row is what it says, in the unit that it says, and what is divided
// by 0 or by an unknown number is unknown and counted.
func TestValuesAndDivisors(t *testing.T) {
	m := write(t, "m.json", of(`"requested_nodes": {"value": 2}, "run_time_s": {"value": 1.5, "unit": "min"}, "requested_processors": "p", "requested_memory_kb": {"column": "mem", "over": "requested_processors"}`))
	l, jobs := readTrace(t, write(t, "x.csv", "p,mem\n4,10\n0,10\n,10\n0,\n0,0\n"), workload.Options{MapFile: m})
	for i, j := range jobs {
		if j.Run != 90 || (j.Memory == 2.5) != (i == 0) || i > 0 && j.Memory == j.Memory {
			t.Errorf("job %d: %+v", i+1, j)
		}
	}
	logtest.WantCounts(t, l, map[string]int64{"no-divisor-requested_memory_kb": 3})
}
