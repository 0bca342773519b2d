package sched

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// tieRules are how a plain EASY treats what happens at one instant.
type tieRules struct {
	// each says that jobs start after each finish and each submission, as if it
	// were alone; else after all of the instant, which is our rule.
	each bool
	// strict says that a job that is expected to end exactly when the head can
	// start may not overtake it; else it may, which is our rule.
	strict bool
}

// plainEASY is EASY with a choice of tie rules, from lists: for jobs that end
// by their estimates. It returns the starts.
func plainEASY(jobs []workload.Job, processors int64, rules tieRules) []float64 {
	type running struct {
		end, expected float64
		size          int64
		seq           int
	}
	starts := make([]float64, len(jobs))
	var runs []running // by expected end
	var queue []int
	free, started := processors, 0
	start := func(i int, now float64) {
		j := &jobs[i]
		starts[i] = now
		free -= j.Size
		r := running{now + j.Run, now + j.Time, j.Size, started}
		started++
		at, _ := slices.BinarySearchFunc(runs, r, func(a, b running) int {
			return cmp.Or(cmp.Compare(a.expected, b.expected), cmp.Compare(a.seq, b.seq))
		})
		runs = slices.Insert(runs, at, r)
	}
	pass := func(now float64) {
		for len(queue) > 0 && jobs[queue[0]].Size <= free {
			start(queue[0], now)
			queue = queue[1:]
		}
		if len(queue) == 0 {
			return
		}
		need := jobs[queue[0]].Size
		shadow, extra := math.Inf(1), int64(0)
		for then, k := free, 0; k < len(runs); k++ {
			if then >= need && runs[k].expected > shadow {
				break
			}
			if then += runs[k].size; then >= need {
				shadow, extra = runs[k].expected, then-need
			}
		}
		kept := queue[:1]
		for _, i := range queue[1:] {
			j := &jobs[i]
			intime := now+j.Time < shadow || !rules.strict && now+j.Time == shadow
			if j.Size > free || !intime && j.Size > extra {
				kept = append(kept, i)
				continue
			}
			if !intime {
				extra -= j.Size
			}
			start(i, now)
		}
		queue = kept
	}
	for next := 0; next < len(jobs) || len(runs) > 0; {
		now := math.Inf(1)
		if next < len(jobs) {
			now = jobs[next].Submit
		}
		for _, r := range runs {
			now = min(now, r.end)
		}
		for { // the job that started first ends first
			first := -1
			for k, r := range runs {
				if r.end == now && (first < 0 || r.seq < runs[first].seq) {
					first = k
				}
			}
			if first < 0 {
				break
			}
			free += runs[first].size
			runs = slices.Delete(runs, first, first+1)
			if rules.each {
				pass(now)
			}
		}
		for ; next < len(jobs) && jobs[next].Submit == now; next++ {
			queue = append(queue, next)
			if rules.each {
				pass(now)
			}
		}
		pass(now)
	}
	return starts
}

// Which tie rules are ours, by hand. 10 processors; jobs 1 and 2 (5 each) end at
// 10, job 2 long before its estimate. The head is job 3 (10); job 4 (5, 20 s) is
// behind it. After both finishes the head starts, at 10. After job 1's alone it
// cannot, job 4 ends before job 2's estimate, 100, and overtakes: the head
// starts when it has ended, at 30.
func TestEASYTiesByHand(t *testing.T) {
	jobs := []workload.Job{job(0, 10, 5), job(0, 10, 5), job(1, 10, 10), job(2, 20, 5)}
	for i, estimate := range []float64{10, 100, 10, 20} {
		jobs[i].Time = estimate
	}
	cfg := Config{Processors: 10, Policy: EASY{}}
	if got := starts(t, jobs, cfg, nil); !slices.Equal(got, []float64{0, 0, 10, 20}) {
		t.Errorf("starts at %v, want 0, 0, 10 and 20", got)
	}
	if got := plainEASY(jobs, 10, tieRules{each: true}); !slices.Equal(got, []float64{0, 0, 30, 10}) {
		t.Errorf("after each finish: starts at %v, want 0, 0, 30 and 10", got)
	}
	// Job 4 is expected to end exactly when the head can start: it may go.
	jobs[0].Run, jobs[1].Run, jobs[1].Size, jobs[3].Time, jobs[3].Run = 10, 10, 1, 8, 8
	jobs[1].Time, jobs[3].Size = 10, 4
	if got := starts(t, jobs, cfg, nil); !slices.Equal(got, []float64{0, 0, 10, 2}) {
		t.Errorf("starts at %v, want 0, 0, 10 and 2", got)
	}
	if got := plainEASY(jobs, 10, tieRules{strict: true}); !slices.Equal(got, []float64{0, 0, 10, 20}) {
		t.Errorf("where it may not: starts at %v, want 0, 0, 10 and 20", got)
	}
}

// tied draws jobs with many ties, which end by their estimates.
func tied(seed uint64) []workload.Job {
	rng := rand.New(rand.NewPCG(seed, 4))
	var jobs []workload.Job
	now := 0.0
	for range 300 {
		now += float64(10 * rng.IntN(3))
		j := job(now, float64(10*(1+rng.IntN(6))), 1+rng.Int64N(20))
		j.Time = j.Run + float64(10*rng.IntN(5))
		jobs = append(jobs, j)
	}
	return jobs
}

// The plain EASY with our rules gives our schedule, and each other rule another.
func TestEASYTies(t *testing.T) {
	var others [2]int
	for seed := range uint64(20) {
		jobs := tied(seed)
		want := starts(t, jobs, Config{Processors: 24, Policy: EASY{}}, nil)
		if !slices.Equal(plainEASY(jobs, 24, tieRules{}), want) {
			t.Fatalf("seed %d: another schedule by the same rules", seed)
		}
		for i, rules := range []tieRules{{each: true}, {strict: true}} {
			if !slices.Equal(plainEASY(jobs, 24, rules), want) {
				others[i]++
			}
		}
	}
	if others[0] == 0 || others[1] == 0 {
		t.Errorf("%v schedules differ by the other rules: the logs test nothing", others)
	}
}
