package runtime

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// aheadJobs is how many jobs a replay looks ahead.
const aheadJobs = 64

// ahead passes jobs on, some behind, and has looked at what is known of their
// classes by then. A long log's classes outgrow the caches, and a replay that
// waits for memory job by job spends most of its time so; of jobs in a row the
// processor fetches many at once. It alters nothing
// but next: a job's submission is replayed as soon as it is passed on.
func (r *replay) ahead(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	if len(r.groups) == 0 {
		return jobs
	}
	return func(yield func(workload.Job, error) bool) {
		held := make([]workload.Job, 0, aheadJobs)
		release := func() bool {
			for _, g := range r.groups {
				r.touched += g.touch(held)
			}
			for i := range held {
				r.at = i
				if !yield(held[i], nil) {
					return false
				}
			}
			held = held[:0]
			return true
		}
		for j, err := range jobs {
			if err != nil {
				if release() {
					yield(j, err)
				}
				return
			}
			if held = append(held, j); len(held) == aheadJobs && !release() {
				return
			}
		}
		release()
	}
}

// next are the classes of the jobs that a replay looks ahead to.
type next struct {
	keys   [aheadJobs]Key
	hashes [aheadJobs]uint32
}

// touch fetches what is known of the classes of some jobs, step by step for
// all of them: each step's memory depends on the one before. What it returns
// only keeps the compiler from leaving it out.
func (g *group) touch(jobs []workload.Job) (sum float64) {
	var classes [aheadJobs]int32
	for i := range jobs {
		g.next.keys[i] = g.classes.Key(&jobs[i].Request)
		g.next.hashes[i] = g.index.hash(&g.next.keys[i])
	}
	for i := range jobs {
		classes[i] = g.index.first(g.next.hashes[i])
	}
	for i := range jobs {
		if c := classes[i]; c >= 0 {
			s := g.state(c)
			sum += float64(g.index.keys[c][0]) + s[0] + s[len(s)-1]
		}
	}
	return sum
}
