//go:build long

package resample

import (
	"context"
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

// A scheduler finds in twins of a log what it finds in the log: medians of the
// ratios of waits, (x + 60 s) / (y + 60 s), and of bounded slowdowns under EASY with
// perfect estimates, open and closed, and of what else tells them apart. SEEDS (5)
// and SITES (all, by commas) choose how much is run. The table of docs/twins.md is
// this test's, with SEEDS=10.
func TestSites(t *testing.T) {
	seeds, _ := strconv.Atoi(os.Getenv("SEEDS"))
	if seeds == 0 {
		seeds = 5
	}
	for _, site := range sites {
		if s := os.Getenv("SITES"); s == "" || slices.Contains(strings.Split(s, ","), site.name) {
			t.Run(site.name, func(t *testing.T) { judgeSite(t, site.name, site.file, site.processors, seeds) })
		}
	}
}

func judgeSite(t *testing.T, name, file string, processors int64, seeds int) {
	jobs, header := readLog(t, file)
	for i := range jobs {
		jobs[i].ID = int64(i + 1)
	}
	real := collect(t, sessions.Dependencies(stream(jobs), sessions.Defaults(), nil))
	before, think := linked(real)
	log := judge(jobs, processors, before, think)
	t.Logf("log: load %.3f, open %.0f %.0f %.1f, closed %.0f %.0f %.1f, lag 1 %.2f, same user %.2f, dispersion %.1f %.1f %.1f", log.load,
		log.mean, log.p90, log.slowdown, log.closedMean, log.closedP90, log.closedSlowdown, log.lag1, log.sameUser, log.fiveMin, log.hour, log.day)
	type row struct {
		name     string
		from, to float64 // where the median is to be
		values   []float64
	}
	rows := []*row{}
	wide := 1.4
	if name == "Gaia" { // 13 weeks, in which a tenth of the jobs wait: waits say nothing
		wide = math.Inf(1)
	}
	at := -1
	add := func(name string, from, to, x float64) {
		if at++; at == len(rows) {
			rows = append(rows, &row{name, from, to, nil})
		}
		rows[at].values = append(rows[at].values, x)
	}
	var last map[[3]float64]bool
	for seed := range seeds {
		made, w := twin(t, jobs, header, Options{Seed: uint64(seed + 1)})
		before, think := linked(made)
		v := judge(made, processors, before, think)
		at = -1
		add("mean wait, open", 1/wide, wide, (v.mean+60)/(log.mean+60))
		add("90 % wait, open", 1/wide, wide, (v.p90+60)/(log.p90+60))
		add("slowdown, open", 1/max(2.3, wide), max(2.3, wide), v.slowdown/log.slowdown)
		add("mean wait, closed", 1/wide, wide, (v.closedMean+60)/(log.closedMean+60))
		add("90 % wait, closed", 1/wide, wide, (v.closedP90+60)/(log.closedP90+60))
		add("slowdown, closed", 1/wide, wide, v.closedSlowdown/log.closedSlowdown)
		add("load", .98, 1.02, v.load/log.load)
		add("lag 1 of ln run time, difference", -.1, .1, v.lag1-log.lag1)
		add("same user as before, difference", -.1, .1, v.sameUser-log.sameUser)
		add("dispersion at 5 minutes", 1/1.5, 1.5, v.fiveMin/log.fiveMin)
		add("dispersion at an hour", 1/1.5, 1.5, v.hour/log.hour)
		add("dispersion at a day", 1/1.5, 1.5, v.day/log.day)
		add("correlation of work by week", -1, 1, correlation(v.weekly, log.weekly))
		shared, now := 0, map[[3]float64]bool{}
		for _, j := range made {
			key := [3]float64{j.Submit, float64(j.Size), j.Run}
			if last[key] {
				shared++
			}
			now[key] = true
		}
		last = now
		add("shared with the seed before", 0, .05, float64(shared)/float64(len(made)))
		var m Made
		collect(t, w.Counted(context.Background(), &m))
		add("at their week and hour", 0, .05, m.Stayed())
	}
	for _, r := range rows {
		m := median(r.values)
		t.Logf("%-34s %5.2f (%.2f to %.2f)", r.name, m, slices.Min(r.values), slices.Max(r.values))
		if !(m >= r.from && m <= r.to) {
			t.Errorf("%s: %.3f, want %.2f to %.2f", r.name, m, r.from, r.to)
		}
	}
}
