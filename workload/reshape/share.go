package reshape

import "github.com/loadstone-hpc/loadstone/workload"

// shares finds the probability with which jobs are kept so that they have a
// share of the work, and not only on average: each job is kept if its random
// number is below it, and the work of those kept grows with it. Memory does not
// depend on the jobs.
type shares struct {
	work  [1 << 16]float64 // by random number
	total float64
}

// add counts a job with its random number, from 0 to 1.
func (s *shares) add(u float64, j *workload.Job) {
	if j.Size != workload.Unknown && j.Run > 0 {
		w := float64(j.Size) * j.Run
		s.work[int(u*float64(len(s.work)))] += w
		s.total += w
	}
}

// below returns the number below which jobs have the share of the work, as
// nearly as may be; the share itself where no number comes nearer than 0 or 1.
func (s *shares) below(share float64) float64 {
	sum := 0.0
	for i, w := range s.work {
		if next := sum + w; next >= share*s.total {
			if share*s.total-sum > next-share*s.total {
				i++
			}
			if i == 0 || i == len(s.work) {
				break
			}
			return float64(i) / float64(len(s.work))
		}
		sum += w
	}
	return share
}
