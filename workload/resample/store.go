package resample

import "github.com/loadstone-hpc/loadstone/workload"

// kept is how many jobs are in memory, 190 MB; more are in a temporary file.
const kept = 1 << 20

// store holds the jobs of a log, read in any order.
type store struct {
	jobs []workload.Job
	rest workload.JobFile
}

func (s *store) append(j *workload.Job) error {
	if len(s.jobs) < kept {
		s.jobs = append(s.jobs, *j)
		return nil
	}
	return s.rest.Append(j)
}

// at returns a job, which is valid until the next call.
func (s *store) at(row int32) (*workload.Job, error) {
	if int(row) < len(s.jobs) {
		return &s.jobs[row], nil
	}
	return s.rest.At(int64(row) - kept)
}

// Close frees the file.
func (s *store) Close() error { return s.rest.Close() }
