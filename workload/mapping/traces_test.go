package mapping_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Texts come in pages of every layout; they are numbered by first appearance.
func TestTraceTexts(t *testing.T) {
	const n = 20_000
	rec := logtest.MadeUpWTA(1, n)
	dict := func(on bool) parquet.WriterProperty { return parquet.WithDictionaryDefault(on) }
	for _, c := range []struct {
		name  string
		props []parquet.WriterProperty
	}{
		{"plain", []parquet.WriterProperty{dict(false)}},
		{"dictionary", []parquet.WriterProperty{dict(true), parquet.WithCompression(compress.Codecs.Snappy)}},
		{"dictionary-falls-back", []parquet.WriterProperty{dict(true), parquet.WithDictionaryPageSizeLimit(100), parquet.WithCompression(compress.Codecs.Zstd)}},
		{"version-2-pages", []parquet.WriterProperty{dict(true), parquet.WithDataPageVersion(parquet.DataPageV2)}},
		{"version-2-plain-gzip", []parquet.WriterProperty{dict(false), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Gzip)}},
	} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s,workers=%d", c.name, workers), func(t *testing.T) {
				mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
				defer mem.AssertSize(t, 0)
				l, jobs := logtest.ReadTrace(t, logtest.TempFile(t, "x.parquet", logtest.ForeignParquet(t, rec, 7000, c.props...)), workload.Options{Workers: workers, Allocator: mem})
				if len(jobs) != n {
					t.Fatalf("%d jobs", len(jobs))
				}
				var seen []string
				in := rec.Column(4).(*array.String)
				for i, j := range jobs {
					want := workload.Unknown
					if in.IsValid(i) {
						at := slices.Index(seen, in.Value(i))
						if at < 0 {
							at = len(seen)
							seen = append(seen, in.Value(i))
						}
						want = int64(at + 1)
					}
					user := int64(rec.Column(3).(*array.Int32).Value(i))
					if user == -1 {
						user = workload.Unknown
					}
					if j.Application != want || j.User != user || j.ID != int64(i) || j.Submit != float64(i) || j.Run != float64(rec.Column(2).(*array.Int64).Value(i))/1000 {
						t.Fatalf("row %d: %+v", i, j)
					}
				}
				for i, text := range seen {
					if want := fmt.Sprintf(" Application: %d %s", i+1, text); l.Header.Lines[i] != want {
						t.Errorf("header line %q, want %q", l.Header.Lines[i], want)
					}
				}
			})
		}
	}
}

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
			nil, nil, nil, "row 3: requested_processors: saw +Inf, want a whole number of at most 9.2e18"},
		{"float times", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", logtest.Float64s(1.5, nan, -1)),
			func(j *workload.Job) float64 { return j.Run }, []float64{0.0015, nan, nan}, map[string]int64{}, ""},
		{"negative", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", logtest.Int64s(-2, -1, 3)),
			func(j *workload.Job) float64 { return j.Run }, []float64{-0.002, nan, 0.003}, map[string]int64{"negative-run-time": 1}, ""},
		{"infinite", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", logtest.Float64s(1, 2, math.Inf(1))),
			nil, nil, nil, `row 3: runtime (run_time_s): saw "+Inf", want a finite number`},
		{"text time", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", logtest.Texts("1", "2h", "3")),
			nil, nil, nil, `row 2: runtime (run_time_s): saw "2h", want a number`},
		{"text users", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", submit, "user_id", logtest.Texts("bob", "", "bob")),
			func(j *workload.Job) float64 { return known(j.User) }, []float64{1, nan, 1}, map[string]int64{}, ""},
		{"not UTF-8", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", submit, "user_id", logtest.Texts("bob", "Jos\xe9", "bob")),
			nil, nil, nil, `user_id, row group 1: saw "Jos\xe9", want UTF-8 text`},
		{"long text", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", submit, "runtime", submit, "user_id", logtest.Texts("bob", strings.Repeat("x", parse.MaxText+1), "bob")),
			nil, nil, nil, "user_id, row group 1: a text of 65537 bytes; at most 65536 can be read"},
		{"text ids", logtest.Table("id", logtest.Texts("b", "7", "\x00"), "ts_submit", submit, "runtime", submit),
			func(j *workload.Job) float64 { return known(j.ID) }, []float64{1, 2, 3}, map[string]int64{"text-job-id": 1}, ""},
		{"number, then text ids", logtest.Table("id", logtest.Texts("7", "b", "9"), "ts_submit", submit, "runtime", submit),
			func(j *workload.Job) float64 { return known(j.ID) }, []float64{1, 2, 3}, map[string]int64{"text-job-id": 1}, ""},
		{"from 1970", logtest.Table("id", logtest.Int64s(1, 2, 3), "ts_submit", logtest.Int64s(1.5e12+1250, 1.5e12+250, -1), "runtime", submit),
			func(j *workload.Job) float64 { return j.Submit }, []float64{1.25, 0.25, nan}, map[string]int64{"submit-order": 1}, ""},
		{"year 50000", logtest.Table("id", logtest.Int64s(1, 2, 3), "submission_time", logtest.Int64s(1.5e15, 1.5e15, 1.5e15), "duration", submit),
			nil, nil, nil, "submission: saw 1500000000000 s since 1970 as the first, want a time before the year 10000"},
		{"before 1970", logtest.Table("id", logtest.Int64s(1, 2, 3), "submission_time", logtest.Int64s(-62167219200000, 0, 5), "duration", submit),
			func(j *workload.Job) float64 { return j.Submit }, []float64{-62167219200, 0, 0.005}, map[string]int64{"negative-submit-time": 1}, ""},
		{"memory", logtest.Table("id", logtest.Int64s(1, 2, 3), "submission_time", logtest.Int64s(0, 0, 0), "duration", submit, "cpu_count", logtest.Int32s(4, -1, 2), "mem_capacity", logtest.Int64s(10, 10, -1)),
			func(j *workload.Job) float64 { return j.Memory }, []float64{2.5, nan, nan}, map[string]int64{"no-divisor-requested_memory_kb": 1}, ""},
		{"no rows", logtest.Table("id", logtest.Int64s(), "ts_submit", logtest.Int64s(), "runtime", logtest.Int64s()), nil, nil, map[string]int64{}, ""},
		{"other tables", logtest.Table("load", logtest.Int64s(1)), nil, nil, nil, `columns: saw "load", want columns of the job table`},
	} {
		t.Run(c.name, func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
			defer mem.AssertSize(t, 0)
			l, err := logtest.OpenTraceBytes(logtest.ForeignParquet(t, c.table, 1000), workload.Options{Allocator: mem})
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

// Parts of a table are read in the order of their numbers.
func TestTraceFolder(t *testing.T) {
	dir := t.TempDir()
	tasks := filepath.Join(dir, "tasks", "schema-1.0")
	if err := os.MkdirAll(tasks, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string, b []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(tasks, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wantDirectory := func() {
		t.Helper()
		_, err := logfile.Open(dir, workload.Options{})
		var input *workload.InputError
		if want := dir + ": saw a folder, want a job log: name a file in it"; !errors.As(err, &input) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	wantDirectory() // of no files
	part := func(id int64, user string) []byte {
		return logtest.ForeignParquet(t, logtest.Table("id", logtest.Int64s(id), "ts_submit", logtest.Int64s(id*1000), "runtime", logtest.Int64s(1), "user_id", logtest.Texts(user)), 10)
	}
	write("part.10.parquet", part(3, "ann"))
	write("part.2.parquet", part(2, "bob"))
	write("part.0.parquet", part(1, "ann"))
	write("_SUCCESS", nil)
	write(".part.0.parquet.crc", nil)
	write("_metadata.parquet", []byte("PAR1"))
	l, jobs := logtest.ReadTrace(t, dir, workload.Options{})
	var ids, users []int64
	for _, j := range jobs {
		ids, users = append(ids, j.ID), append(users, j.User)
	}
	if !slices.Equal(ids, []int64{1, 2, 3}) || !slices.Equal(users, []int64{1, 2, 1}) || l.Name != dir {
		t.Errorf("jobs %v of users %v in %s", ids, users, l.Name)
	}
	if got := strings.Join(l.Header.Lines, "|"); got != " User: 1 ann| User: 2 bob" {
		t.Errorf("header %q", got)
	}
	if logtest.Counts(l)["missing-column"] != 5 {
		t.Errorf("warnings %v", l.Warnings())
	}
	// A part that is something else is named.
	write("part.3.parquet", logtest.ForeignParquet(t, logtest.Table("load", logtest.Int64s(1)), 10))
	_, err := logfile.Open(dir, workload.Options{})
	if want := filepath.Join(tasks, "part.3.parquet") + ": id: saw no such column, want whole numbers (INT_64), as " + filepath.Join(tasks, "part.0.parquet") + " has"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	write("part.3.parquet", []byte("PAR1 and no more"))
	if _, err = logfile.Open(dir, workload.Options{}); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(tasks, "part.3.parquet")+": footer: ") {
		t.Errorf("error %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "tasks")); err != nil {
		t.Fatal(err)
	}
	wantDirectory()
}

// A footer that claims what is not there, and pages that grow to more than
// they may, end in one error.
func TestTraceLies(t *testing.T) {
	b := logtest.ForeignParquet(t, logtest.MadeUpWTA(1, 2000), 5000)
	for _, n := range []int64{1, 1 << 40, -1, -5000} {
		_, err := logtest.Drain(logtest.OpenTraceBytes(logtest.Recount(t, b, n, n, n), workload.Options{}))
		var input *workload.InputError
		if !errors.As(err, &input) {
			t.Errorf("%d rows more: %v", n, err)
		}
	}
	// 20 MiB of texts in one page, from a file of some kilobytes.
	long := make([]string, 20<<20/parse.MaxText)
	zeros := make([]int64, len(long))
	for i := range long {
		long[i] = strings.Repeat("a", parse.MaxText)
	}
	bomb := logtest.ForeignParquet(t, logtest.Table("id", logtest.Int64s(zeros...), "ts_submit", logtest.Int64s(zeros...), "runtime", logtest.Int64s(zeros...), "user_id", logtest.Texts(long...)), 1<<20,
		parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<30), parquet.WithCompression(compress.Codecs.Zstd))
	if len(bomb) > 64<<10 {
		t.Fatalf("%d bytes are no bomb", len(bomb))
	}
	_, err := logtest.Drain(logtest.OpenTraceBytes(bomb, workload.Options{}))
	if want := "user_id, row group 1: a page of 20972800 bytes of texts; at most 16777216 can be read"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
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

func TestDamagedTraces(t *testing.T) {
	trials := 300
	if testing.Short() {
		trials = 30
	}
	wta := logtest.MadeUpWTA(2, 2000)
	opendc := logtest.Table("id", logtest.Texts("1", "2"), "submission_time", logtest.Int64s(0, 5), "duration", logtest.Int64s(0, 5), "cpu_count", logtest.Int32s(1, 2), "mem_capacity", logtest.Int64s(1, 2))
	for name, b := range map[string][]byte{
		"wta":        logtest.ForeignParquet(t, wta, 1000, parquet.WithCompression(compress.Codecs.Snappy)),
		"wta-plain":  logtest.ForeignParquet(t, wta, 1000, parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV2)),
		"opendc-raw": logtest.ForeignParquet(t, opendc, 1000),
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, 1))
			mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
			defer mem.AssertSize(t, 0)
			for trial := range trials {
				_, err := logtest.Drain(logtest.OpenTraceBytes(logtest.Damage(rng, b), workload.Options{Allocator: mem}))
				var input *workload.InputError
				if err != nil && !errors.As(err, &input) {
					t.Errorf("trial %d: %T %v", trial, err, err)
				}
			}
		})
	}
}

func FuzzTrace(f *testing.F) {
	var seeds [][]byte
	for _, rec := range []arrow.Record{
		logtest.MadeUpWTA(1, 20),
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
