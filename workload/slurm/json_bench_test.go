package slurm_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	goruntime "runtime"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// sacctJSONStream writes what sacct --json of the newest form prints of so many jobs,
// one step each, as Slurm indents it; some 7 KB a job.
type sacctJSONStream struct {
	jobs, done int
	indent     bool
	buf        bytes.Buffer
}

func (s *sacctJSONStream) Read(b []byte) (int, error) {
	for s.buf.Len() < len(b) && s.done <= s.jobs {
		switch s.done {
		case 0:
			s.buf.WriteString(`{"jobs": [`)
		case s.jobs:
			s.job()
			s.buf.WriteString(newMeta)
		default:
			s.job()
			s.buf.WriteByte(',')
		}
		s.done++
	}
	return s.buf.Read(b)
}

func (s *sacctJSONStream) job() {
	i := int64(s.done)
	submit := 1717200000 + 7*i
	number := func(n int64) string { return num(n) }
	times := func(cpu int64) string {
		return fmt.Sprintf(`"system": {"seconds": 4, "microseconds": 500}, "total": {"seconds": %d, "microseconds": 120000}, "user": {"seconds": %d, "microseconds": 119500}`, cpu, cpu-4)
	}
	tres := func(cpus int64) string {
		return fmt.Sprintf(`[{"type": "cpu", "name": "", "id": 1, "count": %d}, {"type": "mem", "name": "", "id": 2, "count": 131072}, {"type": "energy", "name": "", "id": 3, "count": -2}, {"type": "node", "name": "", "id": 4, "count": 2}, {"type": "billing", "name": "", "id": 5, "count": %d}, {"type": "gres", "name": "gpu", "id": 1001, "count": 4}]`, cpus, cpus)
	}
	exit := `{"status": ["SUCCESS"], "return_code": ` + num(0) + `, "signal": {"id": ` + unset + `, "name": ""}}`
	cpus := 1 + i*i%64
	usage := `[{"type": "cpu", "name": "", "id": 1, "count": 360000, "task": 0, "node": "node0017"}, {"type": "mem", "name": "", "id": 2, "count": 81920000, "task": 0, "node": "node0017"}, {"type": "fs", "name": "disk", "id": 6, "count": 4096, "task": 0, "node": "node0017"}, {"type": "vmem", "name": "", "id": 7, "count": 99999744, "task": 0, "node": "node0017"}]`
	text := fmt.Sprintf(`{"account": "physics%d", "comment": {"administrator": "", "job": "", "system": ""}, "allocation_nodes": 2, "array": {"job_id": 0, "limits": {"max": {"running": {"tasks": 0}}}, "task_id": %s, "task": ""},
"association": {"account": "physics%d", "cluster": "c", "partition": "", "user": "user%d", "id": 16}, "block": "", "cluster": "c", "constraints": "", "container": "", "derived_exit_code": %s,
"time": {"elapsed": 361, "eligible": %d, "end": %d, "planned": %s, "start": %d, "submission": %d, "suspended": 0, "limit": %s, %s},
"exit_code": %s, "extra": "", "failed_node": "", "flags": ["STARTED_ON_SCHEDULE", "START_RECEIVED"], "group": "scientists", "het": {"job_id": 0, "job_offset": %s}, "job_id": %d, "name": "simulation_%d", "licenses": "",
"mcs": {"label": ""}, "nodes": "node[0017-0018]", "partition": "normal", "hold": false, "priority": %s, "qos": "normal", "qosreq": "", "required": {"CPUs": %d, "memory_per_cpu": %s, "memory_per_node": %s},
"kill_request_user": "", "restart_cnt": 0, "reservation": {"id": 0, "name": ""}, "script": "", "stdin_expanded": "\/dev\/null", "stdout_expanded": "\/home\/user\/slurm-%d.out", "state": {"current": ["COMPLETED"], "reason": "None"},
"steps": [{"time": {"elapsed": 361, "end": %s, "start": %s, "suspended": 0, %s}, "exit_code": %s, "nodes": {"count": 1, "range": "node0017", "list": ["node0017"]}, "tasks": {"count": 1}, "pid": "",
"CPU": {"requested_frequency": {"min": %s, "max": %s}, "governor": "0"}, "kill_request_user": "", "state": ["COMPLETED"], "statistics": {"CPU": {"actual_frequency": 0}, "energy": {"consumed": %s}},
"step": {"id": "%d.batch", "name": "batch", "stderr": "", "stdin": "", "stdout": ""}, "task": {"distribution": "Unknown"}, "tres": {"requested": {"max": %s, "min": %s, "average": %s, "total": %s}, "consumed": {"max": [], "min": [], "average": [], "total": []}, "allocated": %s}}],
"submit_line": "sbatch --qos normal --partition normal --time 1:0:0 job.sh", "tres": {"allocated": %s, "requested": %s}, "used_gres": "", "user": "user%d", "wckey": {"wckey": "", "flags": []}, "working_directory": "\/home\/user%d"}`,
		i%40, unset, i%40, i%300, exit, submit, submit+500, number(139), submit+139, submit, number(60+i%7), times(320),
		exit, unset, i, i%19, number(1000+i%97), cpus, unset, number(65536),
		i, number(submit+500), number(submit+139), times(319), exit,
		number(0), number(0), number(0),
		i, usage, usage, usage, usage, tres(cpus), tres(cpus), tres(cpus), i%300, i%300)
	if !s.indent {
		s.buf.WriteString(text)
	} else if err := json.Indent(&s.buf, []byte(text), "    ", "  "); err != nil {
		panic(err)
	}
}

// BenchmarkReadSacctJSON reads 50 MB from memory, as Slurm indents them and in one line.
// input=unmarshal is the obvious program in Go: encoding/json into a struct of the
// members that a table of five columns needs.
func BenchmarkReadSacctJSON(b *testing.B) {
	for _, indent := range []bool{true, false} {
		text, err := io.ReadAll(&sacctJSONStream{jobs: 5000, indent: indent})
		if err != nil {
			b.Fatal(err)
		}
		logtest.BenchRead(b, fmt.Sprintf("input=loadstone/indent=%v", indent), len(text), func(workers int) (*workload.Log, error) {
			return slurm.OpenSacctJSON("made-up.json", bytes.NewReader(text), workload.Options{Workers: workers}, parse.ChunkSize)
		})
		logtest.BenchOther(b, fmt.Sprintf("input=unmarshal/indent=%v", indent), len(text), func() error {
			var d struct {
				Jobs []struct {
					ID    int64 `json:"job_id"`
					Time  struct{ Submission, Start, Elapsed int64 }
					State struct{ Current []string }
				}
			}
			return json.Unmarshal(text, &d)
		})
	}
}

func BenchmarkReadSqueueJSON(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(`{"jobs": [`)
	for i := int64(1); text.Len() < 50<<20; i++ {
		if i > 1 {
			text.WriteByte(',')
		}
		job := squeueJob(false, i, "PENDING", "Priority", 1717200000, 1717300000, 0, 60, 8, "", `, "flags": ["EXACT_TASK_COUNT_REQUESTED"], "tres_req_str": "cpu=2,mem=128G,node=1,billing=2"`)
		if err := json.Indent(&text, []byte(job), "    ", "  "); err != nil {
			b.Fatal(err)
		}
	}
	text.WriteString("], " + squeueMeta)
	logtest.BenchRead(b, "input=loadstone", text.Len(), func(workers int) (*workload.Log, error) {
		return slurm.SqueueJSON.Open("made-up.json", bufio.NewReader(bytes.NewReader(text.Bytes())), workload.Options{Workers: workers})
	})
}

// TestSacctJSONMemoryIsBounded reads 200 MB in one line.
func TestSacctJSONMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 200 MB")
	}
	const bound = 120 << 20
	goruntime.GC()
	before := logtest.HeapInUse()
	r := &counted{r: &sacctJSONStream{jobs: 35000}}
	l, err := slurm.OpenSacctJSON("made-up.json", r, workload.Options{Workers: 2}, parse.ChunkSize)
	if err != nil {
		t.Fatal(err)
	}
	most, jobs := int64(0), int64(0)
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		jobs += rec.NumRows()
		most = max(most, logtest.HeapInUse()-before)
	}
	if jobs != 35000 || r.n < 190<<20 {
		t.Errorf("%d jobs in %d MB", jobs, r.n>>20)
	}
	t.Logf("at most %d MB in use", most>>20)
	if most > bound {
		t.Errorf("%d MB in use, want at most %d", most>>20, bound>>20)
	}
}

// counted counts the bytes of a reader.
type counted struct {
	r io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += n
	return n, err
}

// TestSqueueIsBounded reads a listing of 200,000 jobs: few of them are in memory.
func TestSqueueIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 140 MB")
	}
	const bound, jobs = 12 << 20, 200_000
	goruntime.GC()
	before := logtest.HeapInUse()
	r := &listing{jobs: jobs}
	l, err := slurm.SqueueJSON.Open("made-up.json", bufio.NewReader(r), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	goruntime.GC()
	opened := logtest.HeapInUse() - before
	rows := int64(0)
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if rows++; j.ID != rows || j.Processors != 8 {
			t.Fatalf("job %+v in row %d", j, rows)
		}
	}
	t.Logf("%d MB in use when opened", opened>>20)
	if rows != jobs || opened > bound {
		t.Errorf("%d jobs, %d MB in use, want %d and at most %d", rows, opened>>20, jobs, bound>>20)
	}
}

// listing is what squeue --json prints of so many jobs that wait.
type listing struct {
	jobs, done int64
	buf        bytes.Buffer
}

func (l *listing) Read(b []byte) (int, error) {
	for l.buf.Len() < len(b) && l.done <= l.jobs {
		switch l.done++; l.done {
		case 1:
			l.buf.WriteString(`{"jobs": [` + squeueJob(false, 1, "PENDING", "Priority", 1717200000, 0, 0, 60, 8, "", ""))
		case l.jobs + 1:
			l.buf.WriteString("], " + squeueMeta)
		default:
			l.buf.WriteString("," + squeueJob(false, l.done, "PENDING", "Priority", 1717200000, 0, 0, 60, 8, "", ""))
		}
	}
	return l.buf.Read(b)
}
