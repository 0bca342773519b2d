package judge

import (
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

// EASY is EASY backfilling with perfect estimates as a plain loop, beside package
// sched: it returns waits, NaN for a job that cannot run. With before, a job is submitted no earlier than think
// after the end of the job before[i], where there is one (else -1).
func EASY(jobs []workload.Job, processors int64, before []int, think []float64) []float64 {
	wait := make([]float64, len(jobs))
	submit := make([]float64, len(jobs))
	ended := make([]float64, len(jobs))
	waiting := map[int][]int{}
	var arrivals, ends heap.Heap[int]
	for i := range jobs {
		wait[i], ended[i], submit[i] = math.NaN(), math.NaN(), jobs[i].Submit
		if !(jobs[i].Run >= 0) || jobs[i].Size <= 0 || jobs[i].Size > processors {
			ended[i] = math.Inf(-1)
			continue
		}
		if before != nil && before[i] >= 0 {
			waiting[before[i]] = append(waiting[before[i]], i)
			continue
		}
		arrivals.Push(heap.Item[int]{At: submit[i], Seq: int64(i), Value: i})
	}
	for i := range jobs { // what cannot run holds nobody back
		if math.IsInf(ended[i], -1) {
			for _, k := range waiting[i] {
				arrivals.Push(heap.Item[int]{At: submit[k], Seq: int64(k), Value: k})
			}
		}
	}
	var queue []int
	type end struct {
		at  float64
		job int
	}
	var running []end // by time
	free := processors
	start := func(i int, now float64) {
		wait[i] = now - submit[i]
		free -= jobs[i].Size
		e := end{now + jobs[i].Run, i}
		at := sort.Search(len(running), func(k int) bool { return running[k].at > e.at })
		running = append(running, end{})
		copy(running[at+1:], running[at:])
		running[at] = e
		ends.Push(heap.Item[int]{At: e.at, Seq: int64(i), Value: i})
	}
	for len(arrivals) > 0 || len(ends) > 0 {
		now := math.Inf(1)
		if len(arrivals) > 0 {
			now = arrivals[0].At
		}
		if len(ends) > 0 {
			now = min(now, ends[0].At)
		}
		for len(ends) > 0 && ends[0].At <= now {
			i := ends.Pop().Value
			ended[i] = now
			free += jobs[i].Size
			for k := range running {
				if running[k].job == i {
					running = append(running[:k], running[k+1:]...)
					break
				}
			}
			for _, k := range waiting[i] {
				submit[k] = max(submit[k], now+think[k])
				arrivals.Push(heap.Item[int]{At: submit[k], Seq: int64(k), Value: k})
			}
			delete(waiting, i)
		}
		for len(arrivals) > 0 && arrivals[0].At <= now {
			queue = append(queue, arrivals.Pop().Value)
		}
		for len(queue) > 0 && jobs[queue[0]].Size <= free {
			start(queue[0], now)
			queue = queue[1:]
		}
		if len(queue) == 0 || free == 0 {
			continue
		}
		shadow, extra := math.Inf(1), free
		for _, e := range running {
			if extra += jobs[e.job].Size; extra >= jobs[queue[0]].Size {
				shadow = e.at
				break
			}
		}
		extra -= jobs[queue[0]].Size
		kept := queue[:1]
		for n, i := range queue[1:] {
			size := jobs[i].Size
			if free == 0 {
				kept = append(kept, queue[1+n:]...)
				break
			}
			if size <= free && (now+jobs[i].Run <= shadow || size <= extra) {
				if now+jobs[i].Run > shadow {
					extra -= size
				}
				start(i, now)
				continue
			}
			kept = append(kept, i)
		}
		queue = kept
	}
	return wait
}
