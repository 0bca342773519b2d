//go:build long

package resample

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// sites are the logs with users, and the processors that they are scheduled on.
var sites = []struct {
	name, file string
	processors int64
}{
	{"KTH", "KTH-SP2-1996-2.1-cln.swf.gz", 100},
	{"SDSC-Par-96", "SDSC-Par-1996-3.1-cln.swf.gz", 400},
	{"CTC", "CTC-SP2-1996.simulated-waits.swf.gz", 338},
	{"SDSC-SP2", "SDSC-SP2-1998.simulated-waits.swf.gz", 128},
	{"Gaia", "UniLu-Gaia-2014-1.swf.gz", 2004},
	{"RICC", "RICC-2010-2.swf.gz", 8192},
}

func readLog(t testing.TB, file string) ([]workload.Job, workload.Header) {
	log, err := logfile.Open(reallogs.Path(t, "swf/"+file), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var jobs []workload.Job
	for j, err := range workload.InOrder(log.Jobs(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	return jobs, log.Header
}

// verdict is what a schedule and the structure of a workload are like.
type verdict struct {
	mean, p90, slowdown                      float64 // open
	closedMean, closedP90, closedSlowdown    float64
	load, lag1, sameUser, fiveMin, hour, day float64
	weekly                                   []float64
}

func judge(jobs []workload.Job, processors int64, before []int, think []float64) (v verdict) {
	v.mean, v.p90, v.slowdown = waits(jobs, easy(jobs, processors, nil, nil))
	if before != nil {
		v.closedMean, v.closedP90, v.closedSlowdown = waits(jobs, easy(jobs, processors, before, think))
	}
	work, same := 0.0, 0
	var x []float64
	span := jobs[len(jobs)-1].Submit - jobs[0].Submit
	v.weekly = make([]float64, int(span/week)+1)
	for i := range jobs {
		j := &jobs[i]
		if j.Size > 0 && j.Run > 0 {
			work += float64(j.Size) * j.Run
			v.weekly[int((j.Submit-jobs[0].Submit)/week)] += float64(j.Size) * j.Run
		}
		if i > 0 && j.User == jobs[i-1].User {
			same++
		}
		if j.Run >= 0 {
			x = append(x, math.Log(max(1, j.Run)))
		}
	}
	v.load = work / span / float64(processors)
	v.sameUser = float64(same) / float64(len(jobs)-1)
	v.lag1 = correlation(x[1:], x[:len(x)-1])
	v.fiveMin, v.hour, v.day = dispersion(jobs, 300), dispersion(jobs, 3600), dispersion(jobs, day)
	return v
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

// dispersion is the variance of counts of arrivals over their mean.
func dispersion(jobs []workload.Job, width float64) float64 {
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

func correlation(x, y []float64) float64 {
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

// linked is what each job waits for, from Preceding and Think.
func linked(jobs []workload.Job) (before []int, think []float64) {
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

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}

// TestSites prints how far twins are from their logs: SEEDS and SITES narrow it.
func TestSites(t *testing.T) {
	seeds, _ := strconv.Atoi(os.Getenv("SEEDS"))
	if seeds == 0 {
		seeds = 5
	}
	tries, _ := strconv.Atoi(os.Getenv("TRIES"))
	passes, _ := strconv.Atoi(os.Getenv("PASSES"))
	for _, site := range sites {
		if s := os.Getenv("SITES"); s != "" && !slices.Contains(strings.Split(s, ","), site.name) || s == "" && site.name == "RICC" {
			continue
		}
		jobs, header := readLog(t, site.file)
		for i := range jobs {
			jobs[i].ID = int64(i + 1)
		}
		real := collect(t, sessions.Dependencies(stream(jobs), sessions.Defaults(), nil))
		before, think := linked(real)
		log := judge(jobs, site.processors, before, think)
		fmt.Printf("%-12s log: load %.3f open %.0f %.0f %.1f closed %.0f %.0f %.1f | lag1 %.2f same %.2f disp %.1f %.1f %.1f\n", site.name, log.load,
			log.mean, log.p90, log.slowdown, log.closedMean, log.closedP90, log.closedSlowdown, log.lag1, log.sameUser, log.fiveMin, log.hour, log.day)
		columns := map[string][]float64{}
		names := []string{}
		add := func(name string, x float64) {
			if columns[name] == nil {
				names = append(names, name)
			}
			columns[name] = append(columns[name], x)
		}
		var at map[[3]float64]bool
		for seed := range seeds {
			twin, err := New(context.Background(), stream(jobs), header, Options{Seed: uint64(seed + 1), tries: tries, passes: passes, Weeks: Weeks(os.Getenv("WEEKS"))})
			if err != nil {
				t.Fatal(err)
			}
			made := collect(t, twin.Jobs(context.Background()))
			before, think := linked(made)
			v := judge(made, site.processors, before, think)
			add("mean", (v.mean+60)/(log.mean+60))
			add("p90", (v.p90+60)/(log.p90+60))
			add("bsld", v.slowdown/log.slowdown)
			add("c.mean", (v.closedMean+60)/(log.closedMean+60))
			add("c.p90", (v.closedP90+60)/(log.closedP90+60))
			add("c.bsld", v.closedSlowdown/log.closedSlowdown)
			add("load", v.load/log.load)
			add("lag1", v.lag1-log.lag1)
			add("same", v.sameUser-log.sameUser)
			add("d5m", v.fiveMin/log.fiveMin)
			add("dh", v.hour/log.hour)
			add("dd", v.day/log.day)
			add("weekly", correlation(v.weekly, log.weekly))
			shared := 0
			now := map[[3]float64]bool{}
			for _, j := range made {
				key := [3]float64{j.Submit, float64(j.Size), j.Run}
				if at[key] {
					shared++
				}
				now[key] = true
			}
			at = now
			add("shared", float64(shared)/float64(len(made)))
			links := 0
			for _, b := range before {
				if b >= 0 {
					links++
				}
			}
			add("linked", float64(links)/float64(len(made)))
		}
		for _, n := range names {
			x := columns[n]
			fmt.Printf("  %s %.2f(%.2f-%.2f)", n, median(x), slices.Min(x), slices.Max(x))
		}
		fmt.Println()
	}
}
