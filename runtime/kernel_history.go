package runtime

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// How many of the last jobs a Kernel keeps of a kind and of a class of jobs, and of a
// user, of a group and of all.
const (
	kernelOfKind = 20
	kernelOfUser = 40
)

// kernelKind is what jobs of one kind agree in.
type kernelKind struct {
	user, application, queue, partition, size int64
	time                                      float64
	asked                                     int32 // of the Kernel's askedPool
}

// kernelClass is what jobs of one class agree in: it has those of several kinds, for
// users who change the request or the queue from job to job.
type kernelClass struct{ user, application, partition, size int64 }

func (k *kernelKind) class() kernelClass {
	return kernelClass{k.user, k.application, k.partition, k.size}
}

// kernelJob is a job that ended, or a request.
type kernelJob struct {
	kind           kernelKind
	lbSize, lbTime float64 // binary logarithms; NaN where unknown
	run, inverse   float64 // s, and 1/s
	length         float64 // (1 + run)^0.75
}

func (k *Kernel) job(r *workload.Request) kernelJob {
	x := kernelJob{kind: kernelKind{user: r.User, application: r.Application, queue: r.Queue, partition: r.Partition, size: r.Size, asked: k.asked.number(r)}, lbSize: math.NaN(), lbTime: math.NaN()}
	if r.Size > 0 {
		x.lbSize = math.Log2(float64(r.Size))
	}
	if t, ok := limit(r); ok {
		x.kind.time, x.lbTime = t, math.Log2(t)
	}
	return x
}

// unlikeness is 0 for jobs of one kind. A factor of two in size counts 2, another
// request 2 and 1 more for a factor of two, another application 2, another
// queue or partition 1 each; askedColumns count as sizes and queues do. What only one of the two has counts as another.
func (x *kernelJob) unlikeness(y *kernelJob, asked *askedPool) float64 {
	d := 0.0
	if x.kind.size != y.kind.size {
		d += 2 * gap(x.lbSize, y.lbSize)
	}
	if x.kind.time != y.kind.time {
		d += 2 + gap(x.lbTime, y.lbTime)
	}
	if x.kind.application != y.kind.application {
		d += 2
	}
	if x.kind.queue != y.kind.queue {
		d++
	}
	if x.kind.partition != y.kind.partition {
		d++
	}
	if x.kind.asked != y.kind.asked {
		d += asked.far(x.kind.asked, y.kind.asked, 2)
	}
	return d
}

// kernelHistory is the last jobs of a kind, a user, a group or of all.
type kernelHistory struct {
	jobs  []kernelJob // a ring, once it is full
	next  int         // where the next one goes then
	order []uint8     // places in jobs, by ascending run time
}

// add enters a job, and drops the oldest where there would be more than most.
func (h *kernelHistory) add(x *kernelJob, most int) {
	at := len(h.jobs)
	if at < most {
		h.jobs = append(h.jobs, *x)
	} else {
		at = h.next
		h.next = (h.next + 1) % most
		i := slices.Index(h.order, uint8(at))
		h.order = slices.Delete(h.order, i, i+1)
		h.jobs[at] = *x
	}
	i, _ := slices.BinarySearchFunc(h.order, x.run, func(place uint8, run float64) int {
		if h.jobs[place].run <= run {
			return -1
		}
		return 1
	})
	h.order = slices.Insert(h.order, i, uint8(at))
}

// newest returns the place of the job that i others followed.
func (h *kernelHistory) newest(i int) int {
	at := h.next - 1 - i
	if at < 0 {
		at += len(h.jobs)
	}
	return at
}
