package mapping_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

func TestTraceValues(t *testing.T) {
	nan := math.NaN()
	submit := logtest.Int64s(0, 1, 2)
	for _, c := range []struct {
		name  string
		table arrow.Record
		get   func(j *workload.Job) float64
		want  []float64
		rules map[string]int64
		fault string
	}{
		{"fractions", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", submit, "resource_amount_requested", logtest.Float64s(0.5, 2, -1)),
			func(j *workload.Job) float64 { return known(j.Processors) }, []float64{nan, 2, nan}, map[string]int64{"fraction-requested_processors": 1}, ""},
		{"infinite amount", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", submit, "resource_amount_requested", logtest.Float64s(1, 2, math.Inf(1))),
			nil, nil, nil, `row 3: resource_amount_requested (requested_processors): saw "+Inf", want a finite number`},
		{"long text", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", submit, "user_id", logtest.Texts("bob", strings.Repeat("x", parse.MaxText+1), "bob")),
			nil, nil, nil, "user_id, row group 1: a text of 65537 bytes; at most 65536 can be read"},
		{"text ids", logtest.Table("id", logtest.Texts("b", "7", "\x00"), "ts_submit", submit, "runtime", submit),
			func(j *workload.Job) float64 { return known(j.ID) }, []float64{1, 2, 3}, map[string]int64{"text-job-id": 1}, ""},
		{"from 1970", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", logtest.Int64s(1.5e12+1250, 1.5e12+250, -1), "runtime", submit),
			func(j *workload.Job) float64 { return j.Submit }, []float64{1.25, 0.25, nan}, map[string]int64{"submit-order": 1}, ""},
		{"year 50000", logtest.Table("id", logtest.Int64s(1, 2, 3), "submission_time", logtest.Int64s(1.5e15, 1.5e15, 1.5e15), "duration", submit),
			nil, nil, nil, "submission: saw 1500000000000 s since 1970 as the first, want a time before the year 10000"},
		{"before 1970", logtest.Table("id", logtest.Int64s(1, 2, 3), "submission_time", logtest.Int64s(-62167219200000, 0, 5), "duration", submit),
			func(j *workload.Job) float64 { return j.Submit }, []float64{-62167219200, 0, 0.005}, map[string]int64{"negative-submit-time": 1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := logtest.OpenTraceBytes(logtest.ForeignParquet(t, c.table, 1000), workload.Options{})
			var got []float64
			if err == nil {
				defer l.Close()
				for j, e := range l.Jobs() {
					if err = e; err == nil && c.get != nil {
						got = append(got, c.get(&j))
					}
				}
			}
			if c.fault != "" {
				var input *workload.InputError
				if !errors.As(err, &input) || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("error %v, want %s", err, c.fault)
				}
				return
			}
			if err != nil || !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("values %v and error %v, want %v", got, err, c.want)
			}
			rules := logtest.Counts(l)
			delete(rules, "missing-column")
			if fmt.Sprint(rules) != fmt.Sprint(c.rules) {
				t.Errorf("warnings %v, want %v", rules, c.rules)
			}
		})
	}
}

// known is a whole number as a float64, NaN where it is Unknown.
func known(x int64) float64 {
	if x == workload.Unknown {
		return math.NaN()
	}
	return float64(x)
}

// Columns that are within bounds each are not all at once. The file's pages
// are 40 MiB of zeros each, in some hundred kilobytes.
func TestParquetBomb(t *testing.T) {
	zeros := make([]int64, 5<<20)
	column := logtest.Int64s(zeros...)
	for name, names := range map[string][]string{
		"ours": {"job_id", "user_id", "group_id", "queue_id", "status", "partition_id"},
		"wta":  {"id", "ts_submit", "runtime", "wait_time", "user_id", "group_id"},
	} {
		t.Run(name, func(t *testing.T) {
			var columns []any
			for _, n := range names {
				columns = append(columns, n, column)
			}
			bomb := logtest.ForeignParquet(t, logtest.Table(columns...), 1<<30, parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<30), parquet.WithBatchSize(1<<30), parquet.WithCompression(compress.Codecs.Zstd))
			if len(bomb) > 1<<20 {
				t.Fatalf("%d bytes are no bomb", len(bomb))
			}
			_, err := logtest.Drain(logtest.OpenTraceBytes(bomb, workload.Options{}))
			var input *workload.InputError
			if want := "the pages of a row group take more than 192 MiB together"; !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func FuzzTrace(f *testing.F) {
	var seeds [][]byte
	for _, rec := range []arrow.Record{
		madeUpWTA(1, 20),
		logtest.Table("id", logtest.Texts("1", "b"), "submission_time", stamps(arrow.Millisecond, 0, 5), "stop_time", logtest.Int64s(0, 5), "cpu_count", logtest.Int32s(1, 2), "mem_capacity", logtest.Int64s(1, 2)),
	} {
		for _, on := range []bool{true, false} {
			var b bytes.Buffer
			b.Write(logtest.ForeignParquet(f, rec, 10, parquet.WithDictionaryDefault(on)))
			seeds = append(seeds, b.Bytes())
		}
	}
	logtest.FuzzColumnar(f, func(b []byte) (*workload.Log, error) { return logtest.OpenTraceBytes(b, workload.Options{Workers: 1}) }, seeds...)
}
