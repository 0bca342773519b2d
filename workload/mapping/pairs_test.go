package mapping_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// Pairs name the columns of Parquet of other programs too, whose types tell dates from
// numbers and names from numbers.
func TestPairsOfParquet(t *testing.T) {
	table := logtest.Table("n", logtest.Int64s(7, 8), "came", stamps(arrow.Millisecond, 1_500_000_000_000, 1_500_000_001_500), "took", logtest.Int64s(60, 5),
		"who", logtest.Texts("12", "ann"), "Cores", logtest.Int32s(4, 2))
	l, jobs := readTrace(t, logtest.TempFile(t, "x.parquet", logtest.ForeignParquet(t, table, 10)), workload.Options{
		Map: map[string]string{"job_id": "n", "submit_time": "came", "run_time": "took", "user": "who", "requested_processors": "cores"}})
	wantJob(t, jobs[1], func(j *workload.Job) {
		j.ID, j.Submit, j.Run, j.User, j.Processors = 8, 1.5, 5, 2, 2
	})
	if got := strings.Join(l.Header.Lines, "|"); got != " UnixStartTime: 1500000000| User: 1 12| User: 2 ann" {
		t.Errorf("header %q", got)
	}
}

// A value of the header with several lines is a line of the header for each.
func TestHeaderLines(t *testing.T) {
	m := write(t, "m.json", `{"schema": "loadstone.mapping/1", "header": {"MaxProcs": "64\n128", "Note": "one\ntwo: three"}, "columns": {"run_time_s": "a"}}`)
	l, _ := readTrace(t, write(t, "x.csv", "a,b\n1,2\n"), workload.Options{MapFile: m})
	if got := strings.Join(l.Header.Lines, "|"); got != " MaxProcs: 64| MaxProcs: 128| Note: one| Note: two: three" {
		t.Errorf("header %q", got)
	}
}
