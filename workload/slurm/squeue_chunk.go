package slurm

import (
	"io"
	"iter"

	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// chunksOf yields the chunks of an array.
func chunksOf(array *jsontext.Array) iter.Seq2[jsontext.Chunk, error] {
	return func(yield func(jsontext.Chunk, error) bool) {
		for {
			c, err := array.Next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// squeueChunk is some jobs as the values that lines of squeue have.
type squeueChunk struct {
	r     jsonReader
	text  jsontext.Chunk
	jobs  []squeueJSONJob
	fault error // behind them
}

type squeueJSONJob struct {
	at jsonAt
	v  squeueValues
}

// decode finds the values of the jobs of a text.
func (c *squeueChunk) decode(file string, text jsontext.Chunk) {
	r := &c.r
	c.text, c.jobs = text, c.jobs[:0]
	r.begin(nil)
	c.fault = r.jobs(file, text, func(at jsonAt) error {
		c.jobs = append(c.jobs, squeueJSONJob{at: at})
		v := &c.jobs[len(c.jobs)-1].v
		r.values(squeueJSONJobs, 0, v[:])
		if r.Fault() != nil {
			c.jobs = c.jobs[:len(c.jobs)-1] // jobs knows the place
			return nil
		}
		if len(v[squeueUser]) == 0 {
			v[squeueUser] = v[squeueUID]
		}
		v[squeueJobID] = r.taskID(v[squeueOwnID], v[squeueArrayID], v[squeueArrayTask], v[squeueArrayTasks], v[squeueHetID], v[squeueHetOffset])
		return nil
	})
}
