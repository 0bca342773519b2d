package sessions

import "github.com/loadstone-hpc/loadstone/workload"

// LinkedWindow is the number of jobs that Linked reads to find out whether the log has dependencies
// of its own.
const LinkedWindow = 1 << 17

// Links describes the dependencies that Linked used.
type Links struct {
	Own  bool  // they are the log's own, else those of Dependencies
	Jobs int64 // number of jobs with a preceding job so far
}

// Linked yields the jobs with the dependencies for a closed simulation: the log's own if one of its
// first LinkedWindow jobs has a preceding job, else those of Dependencies, with its warnings. A
// think time without a preceding job is dropped. The jobs read ahead are held in memory. found is
// updated as jobs are yielded; it must not be nil.
func Linked(jobs workload.JobSeq, w *workload.Warnings, found *Links) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		*found = Links{}
		tracker := NewTracker()
		pass := func(j workload.Job) bool {
			if !found.Own {
				tracker.link(&j, w)
			}
			if j.Preceding != workload.Unknown {
				found.Jobs++
			}
			return yield(j, nil)
		}
		var ahead []workload.Job
		isDecided := false
		flush := func() bool {
			isDecided = true
			for _, j := range ahead {
				if !pass(j) {
					return false
				}
			}
			ahead = nil
			return true
		}
		for j, err := range jobs {
			switch {
			case err != nil:
				if flush() {
					yield(j, err)
				}
				return
			case isDecided:
				if !pass(j) {
					return
				}
			default:
				ahead = append(ahead, j)
				found.Own = j.Preceding != workload.Unknown
				if (found.Own || len(ahead) == LinkedWindow) && !flush() {
					return
				}
			}
		}
		flush()
	}
}
