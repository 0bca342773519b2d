package judge

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Verdict is what a schedule and the structure of a workload are like.
type Verdict struct {
	Mean, P90, Slowdown                   float64 // s, s, bounded at 10 s; EASY with perfect estimates, open
	ClosedMean, ClosedP90, ClosedSlowdown float64 // closed
	Load, Lag1, SameUser                  float64
	FiveMin, Hour, Day                    float64   // dispersion of arrivals
	Serial, PowerOfTwo                    float64   // shares of the jobs
	Weekly                                []float64 // processor seconds
	Runs, Sizes, Gaps                     []float64 // sorted
}

const (
	day  = 86400.0 // s
	week = 7 * day
)

// Judge measures jobs by submission on a machine. Closed needs before and think
// (see EASY); they may be nil.
func Judge(jobs []workload.Job, processors int64, before []int, think []float64) (v Verdict) {
	v.Mean, v.P90, v.Slowdown = waits(jobs, EASY(jobs, processors, nil, nil))
	if before != nil {
		v.ClosedMean, v.ClosedP90, v.ClosedSlowdown = waits(jobs, EASY(jobs, processors, before, think))
	}
	work, same, sized := 0.0, 0, 0.0
	var x []float64
	first := jobs[0].Submit
	span := jobs[len(jobs)-1].Submit - first
	v.Weekly = make([]float64, int(span/week)+1)
	for i := range jobs {
		j := &jobs[i]
		if j.Size > 0 && j.Run > 0 {
			work += float64(j.Size) * j.Run
			v.Weekly[int((j.Submit-first)/week)] += float64(j.Size) * j.Run
		}
		if i > 0 {
			v.Gaps = append(v.Gaps, j.Submit-jobs[i-1].Submit)
			if j.User == jobs[i-1].User {
				same++
			}
		}
		if j.Run >= 0 {
			x = append(x, math.Log(max(1, j.Run)))
			v.Runs = append(v.Runs, j.Run)
		}
		if j.Size > 0 {
			sized++
			v.Sizes = append(v.Sizes, float64(j.Size))
			if j.Size == 1 {
				v.Serial++
			} else if j.Size&(j.Size-1) == 0 {
				v.PowerOfTwo++
			}
		}
	}
	v.Serial, v.PowerOfTwo = v.Serial/sized, v.PowerOfTwo/sized
	v.Load = work / span / float64(processors)
	v.SameUser = float64(same) / float64(len(jobs)-1)
	v.Lag1 = Correlation(x[1:], x[:len(x)-1])
	v.FiveMin, v.Hour, v.Day = Dispersion(jobs, 300), Dispersion(jobs, 3600), Dispersion(jobs, day)
	for _, s := range [][]float64{v.Runs, v.Sizes, v.Gaps} {
		slices.Sort(s)
	}
	return v
}

// D is the largest difference of the distribution functions of two sorted
// samples.
func D(x, y []float64) (d float64) {
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		at := min(x[i], y[j])
		for i < len(x) && x[i] == at {
			i++
		}
		for j < len(y) && y[j] == at {
			j++
		}
		d = max(d, math.Abs(float64(i)/float64(len(x))-float64(j)/float64(len(y))))
	}
	return d
}

func waits(jobs []workload.Job, wait []float64) (mean, p90, slowdown float64) {
	var known []float64
	for i, w := range wait {
		if !math.IsNaN(w) {
			known = append(known, w)
			mean += w
			slowdown += max(1, (w+jobs[i].Run)/max(10, jobs[i].Run))
		}
	}
	slices.Sort(known)
	n := float64(len(known))
	return mean / n, known[int(.9*n)], slowdown / n
}

// Dispersion is the variance of counts of arrivals over their mean.
func Dispersion(jobs []workload.Job, width float64) float64 {
	counts := make([]float64, int((jobs[len(jobs)-1].Submit-jobs[0].Submit)/width)+1)
	for i := range jobs {
		counts[int((jobs[i].Submit-jobs[0].Submit)/width)]++
	}
	mean := float64(len(jobs)) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		sum += (c - mean) * (c - mean)
	}
	return sum / float64(len(counts)) / mean
}

// Correlation is Pearson's, over as many pairs as there are.
func Correlation(x, y []float64) float64 {
	n := float64(min(len(x), len(y)))
	var sx, sy, xx, yy, xy float64
	for i := range int(n) {
		sx, sy = sx+x[i], sy+y[i]
	}
	for i := range int(n) {
		a, b := x[i]-sx/n, y[i]-sy/n
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	return xy / math.Sqrt(xx*yy)
}

// Linked is what each job waits for, from Preceding and Think.
func Linked(jobs []workload.Job) (before []int, think []float64) {
	place := map[int64]int{}
	for i := range jobs {
		place[jobs[i].ID] = i
	}
	for i := range jobs {
		p, ok := place[jobs[i].Preceding]
		if !ok || p >= i {
			p = -1
		}
		before, think = append(before, p), append(think, jobs[i].Think)
	}
	return before, think
}

// Median is the middle value, the upper one of two.
func Median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}
