package logfile_test

import (
	"errors"
	"io"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// blanks yields so many line ends.
type blanks struct{ left int }

func (b *blanks) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n := min(b.left, len(p))
	for i := range p[:n] {
		p[i] = '\n'
	}
	b.left -= n
	return n, nil
}

// TestBlankLines: a chunk of line ends takes no room for as many jobs, and
// there is an end to how many are read.
func TestBlankLines(t *testing.T) {
	const bound = 72 << 20
	job := strings.Repeat("1 ", 17) + "1\n"
	for name, log := range map[string][3]string{
		"a.swf": {"", job, "more than 64 MiB of blank lines"},
		"a.gwf": {"", strings.Repeat("1\t", 28) + "1\n", "more than 64 MiB of blank lines"},
		"a.csv": {"job_id,submit_time_s,run_time_s,user_id\n", "1,2,3,4\n", "more than 64 MiB of blank lines"},
		"a.log": {"JobID|Submit|Start|ElapsedRaw|State|User\n", "1|2024-01-01T00:00:00|2024-01-01T00:00:00|1|COMPLETED|u\n", "more than 4 MiB"},
	} {
		for _, mib := range []int{2, 80} {
			if mib > 2 && testing.Short() {
				continue
			}
			goruntime.GC()
			before := logtest.HeapInUse()
			r := io.MultiReader(strings.NewReader(log[0]+log[1]), &blanks{left: mib << 20}, strings.NewReader(log[1]))
			l, err := logfile.OpenReader(name, r, workload.Options{Workers: 2})
			jobs, most := int64(0), int64(0)
			batches := func(func(*workload.Batch, error) bool) {}
			if err == nil {
				batches = l.Batches()
			}
			for rec, e := range batches {
				if err = e; e == nil {
					jobs += int64(rec.Rows)
				}
				most = max(most, logtest.HeapInUse()-before)
			}
			var fault *workload.InputError
			switch tooMany := errors.As(err, &fault) && strings.Contains(err.Error(), log[2]); {
			case mib == 2 && (err != nil || jobs != 2), mib == 80 && !tooMany:
				t.Errorf("%s, %d MiB: %d jobs, %v", name, mib, jobs, err)
			case most > bound:
				t.Errorf("%s, %d MiB: %d MB in use, want at most %d", name, mib, most>>20, bound>>20)
			}
		}
	}
}
