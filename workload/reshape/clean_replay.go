package reshape

import (
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// replay keeps a stream of jobs in a temporary file, to be read again. A
// table does not hold the rows that the jobs had in their log: they are kept
// as runs of consecutive ones.
type replay struct {
	spool *columnar.Spool
	batch *workload.Builder
	n     int64
	runs  []run
}

// run reports that job number at of the stream, from 0, and those behind it have
// the rows from row on.
type run struct{ at, row int64 }

func newReplay() (*replay, error) {
	s, err := columnar.NewSpool()
	if err != nil {
		return nil, err
	}
	return &replay{spool: s, batch: workload.NewBuilder(nil)}, nil
}

func (r *replay) add(j *workload.Job) error {
	if last := len(r.runs) - 1; last < 0 || j.Row-r.runs[last].row != r.n-r.runs[last].at {
		r.runs = append(r.runs, run{r.n, j.Row})
	}
	r.n++
	r.batch.Append(j)
	if r.batch.Len() < workload.DefaultBatchRows {
		return nil
	}
	return r.flush()
}

func (r *replay) flush() error {
	rec := r.batch.Record()
	defer rec.Release()
	return r.spool.Write(rec)
}

// jobs yields what was added. It is called once.
func (r *replay) jobs() workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		if err := r.flush(); err != nil {
			yield(workload.Job{}, err)
			return
		}
		for j, err := range workload.Jobs(r.spool.Batches()) {
			if err == nil {
				i := sort.Search(len(r.runs), func(i int) bool { return r.runs[i].at > j.Row }) - 1
				j.Row += r.runs[i].row - r.runs[i].at
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

func (r *replay) close() {
	r.batch.Release()
	r.spool.Close()
}
