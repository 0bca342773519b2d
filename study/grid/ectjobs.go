package grid

import (
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ectJob is what ECT knows of a job from its submission to its end.
type ectJob struct {
	request                     *workload.Request
	estimate                    estimate
	start                       float64 // s
	queued                      int64   // its number in the cluster's queue
	running                     int32   // its place in the heap of the cluster, -1 before it runs
	cluster                     int32
	predictedWait, predictedRun float64
}

// ectJobs are by Task.Key, on pages that do not move: see internal/slots.
type ectJobs struct{ pages []*[256]ectJob }

func (x *ectJobs) at(key int32) *ectJob { return &x.pages[uint32(key)/256][uint32(key)%256] }

func (x *ectJobs) enter(t sched.Task) *ectJob {
	for int(t.Key)/256 >= len(x.pages) {
		x.pages = append(x.pages, new([256]ectJob))
	}
	j := x.at(t.Key)
	*j = ectJob{request: t.Request, running: -1}
	return j
}
