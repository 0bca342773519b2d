package slurm

import "bytes"

// taskID is the number of a job as sacct and squeue print it: that of a task of an
// array, 41_3, of all tasks that wait, 41_[1-6], or of a component of a heterogeneous
// job, 12+1.
func (r *jsonReader) taskID(job, array, task, tasks, het, offset []byte) []byte {
	switch {
	case len(array) > 0 && len(task) > 0:
		return r.join(array, []byte("_"), task)
	case len(array) > 0 && len(tasks) > 0:
		if bytes.HasPrefix(tasks, []byte("0x")) { // sacct's bits
			tasks = []byte("...")
		}
		return r.join(array, []byte("_["), tasks, []byte("]"))
	case len(het) > 0 && len(offset) > 0:
		return r.join(het, []byte("+"), offset)
	}
	return job
}
