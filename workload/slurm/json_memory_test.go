package slurm_test

import (
	"bytes"
	"fmt"
	"io"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// jobStream writes a document of so many jobs as it is read.
type jobStream struct {
	jobs, done int64
	job        func(id int64) string
	meta       string
	buf        bytes.Buffer
}

func (s *jobStream) Read(b []byte) (int, error) {
	for s.buf.Len() < len(b) && s.done <= s.jobs {
		switch s.done++; s.done {
		case 1:
			s.buf.WriteString(`{"jobs": [` + s.job(1))
		case s.jobs + 1:
			s.buf.WriteString(s.meta)
		default:
			s.buf.WriteString("," + s.job(s.done))
		}
	}
	return s.buf.Read(b)
}

// TestSacctJSONMemoryIsBounded reads 200 MB in one line.
func TestSacctJSONMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 200 MB")
	}
	const bound = 120 << 20
	goruntime.GC()
	before := logtest.HeapInUse()
	step := `{"time": {"elapsed": 1, "total": {"seconds": 1, "microseconds": 0}}, "tasks": {"count": 1}, "step": {"id": "1.0", "name": "x"}, "tres": {"requested": {"max": [{"type": "mem", "count": 40960}]}}}`
	steps := step + strings.Repeat(", "+step, 27)
	r := &counted{r: &jobStream{jobs: 35000, meta: newMeta, job: func(id int64) string {
		return fmt.Sprintf(`{"job_id": %d, "name": "simulation_%d", "user": "user%d", "required": {"CPUs": 8}, "state": {"current": ["COMPLETED"]}, "time": {"submission": %d, "start": %d, "end": %d, "elapsed": 361}, "steps": [%s]}`,
			id, id%19, id%300, 1717200000+7*id, 1717200139+7*id, 1717200500+7*id, steps)
	}}}
	l, err := slurm.OpenSacctJSON("made-up.json", r, workload.Options{Workers: 2}, parse.ChunkSize)
	if err != nil {
		t.Fatal(err)
	}
	most, jobs := int64(0), int64(0)
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		jobs += int64(rec.Rows)
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
