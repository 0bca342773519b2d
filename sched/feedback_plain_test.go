package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// plainClosedEASY is EASY with perfect estimates and feedback as a plain loop. It
// returns submissions and starts. before are positions in jobs, -1 for none.
func plainClosedEASY(jobs []workload.Job, processors int64, before []int, think []float64) (submits, starts []float64) {
	type running struct {
		end float64
		job int
	}
	submits, starts = make([]float64, len(jobs)), make([]float64, len(jobs))
	waiting := map[int][]int{}
	var arrivals heap.Heap[int]
	for i := range jobs {
		submits[i] = jobs[i].Submit
		if before[i] >= 0 {
			waiting[before[i]] = append(waiting[before[i]], i)
		} else {
			arrivals.Push(heap.Item[int]{At: submits[i], Seq: int64(i), Value: i})
		}
	}
	var runs []running // by end
	var queue []int
	free := processors
	start := func(i int, now float64) {
		starts[i] = now
		free -= jobs[i].Size
		r := running{now + jobs[i].Run, i}
		at := len(runs)
		for at > 0 && runs[at-1].end > r.end {
			at--
		}
		runs = slices.Insert(runs, at, r)
	}
	for len(arrivals) > 0 || len(runs) > 0 {
		now := math.Inf(1)
		if len(arrivals) > 0 {
			now = arrivals[0].At
		}
		if len(runs) > 0 {
			now = min(now, runs[0].end)
		}
		for len(runs) > 0 && runs[0].end <= now {
			i := runs[0].job
			runs = runs[1:]
			free += jobs[i].Size
			for _, k := range waiting[i] {
				submits[k] = max(submits[k], now+think[k])
				arrivals.Push(heap.Item[int]{At: submits[k], Seq: int64(k), Value: k})
			}
		}
		for len(arrivals) > 0 && arrivals[0].At <= now {
			queue = append(queue, arrivals.Pop().Value)
		}
		for len(queue) > 0 && jobs[queue[0]].Size <= free {
			start(queue[0], now)
			queue = queue[1:]
		}
		if len(queue) == 0 {
			continue
		}
		// The head's reservation, and what it leaves over then.
		shadow, extra := math.Inf(1), free-jobs[queue[0]].Size
		for _, r := range runs {
			if extra >= 0 && r.end > shadow {
				break
			}
			if extra += jobs[r.job].Size; extra >= 0 {
				shadow = r.end
			}
		}
		for k := 1; k < len(queue); k++ {
			i := queue[k]
			if size := jobs[i].Size; size <= free && (now+jobs[i].Run <= shadow || size <= extra) {
				if now+jobs[i].Run > shadow {
					extra -= size
				}
				start(i, now)
				queue = slices.Delete(queue, k, k+1)
				k--
			}
		}
	}
	return submits, starts
}

// waited gives jobs the waits of an open schedule of theirs.
func waited(t testing.TB, jobs []workload.Job, processors int64) []workload.Job {
	jobs = slices.Clone(jobs)
	for j, err := range Simulate(stream(jobs), Config{Processors: processors}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		jobs[j.Row].Wait = j.Wait
	}
	return jobs
}

// linked gives jobs the dependencies that sessions finds by their waits.
func linked(t testing.TB, jobs []workload.Job) (linked []workload.Job, before []int, think []float64) {
	at := map[int64]int{}
	for j, err := range sessions.Dependencies(stream(jobs), sessions.Defaults(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		p := -1
		if i, ok := at[j.Preceding]; ok {
			p = i
		}
		at[j.ID] = len(linked)
		linked, before, think = append(linked, j), append(before, p), append(think, j.Think)
	}
	return linked, before, think
}

// ofUsers gives the jobs to so many users.
func ofUsers(jobs []workload.Job, users int64) []workload.Job {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range jobs {
		jobs[i].User = int64(math.Pow(float64(users), rng.Float64()))
	}
	return jobs
}

func checkPlain(t *testing.T, jobs []workload.Job, processors int64) {
	t.Helper()
	jobs, before, think := linked(t, jobs)
	wantSubmits, wantStarts := plainClosedEASY(jobs, processors, before, think)
	submits, starts := closed(t, jobs, Config{Processors: processors, Policy: EASY{}, Estimator: Perfect{}}, nil)
	n, late, last := 0, 0, 0.0
	for i := range jobs {
		if submits[i] > jobs[i].Submit {
			late++
		}
		if submits[i] != wantSubmits[i] || starts[i] != wantStarts[i] {
			if n++; n <= 5 {
				t.Errorf("job %d submitted at %g, started at %g, want %g and %g", jobs[i].ID, submits[i], starts[i], wantSubmits[i], wantStarts[i])
			}
		}
		last = max(last, starts[i]+jobs[i].Run)
	}
	t.Logf("%d of %d jobs submitted late; %d differ; last end %.0f s", late, len(jobs), n, last)
	if late == 0 {
		t.Error("no job was submitted late: nothing is tested")
	}
}

func TestFeedbackAgainstPlainEASY(t *testing.T) {
	for _, load := range []float64{.7, 1, 1.5} {
		t.Run(fmt.Sprint(load), func(t *testing.T) {
			// Waits are those of a machine of twice the size.
			checkPlain(t, waited(t, ofUsers(madeUp(20000, 128, load), 200), 256), 128)
		})
	}
}

// Real logs, whose dependencies are found by their own waits.
func TestFeedbackAgainstPlainEASYOnLogs(t *testing.T) {
	reallogs.Path(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz")
	for _, c := range []struct {
		log        string
		processors int64
	}{{"KTH-SP2-1996-2.1-cln.swf.gz", 100}, {"SDSC-SP2-1998.simulated-waits.swf.gz", 128}} {
		t.Run(c.log, func(t *testing.T) {
			jobs := slices.DeleteFunc(jobtest.InOrder(t, c.log), func(j workload.Job) bool {
				rule, _ := Unfit(&j)
				return rule != "" || j.Size > c.processors
			})
			checkPlain(t, jobs, c.processors)
		})
	}
}
