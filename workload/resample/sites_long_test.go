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

	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

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
	for _, site := range judge.Sites {
		if s := os.Getenv("SITES"); s == "" || slices.Contains(strings.Split(s, ","), site.Name) {
			t.Run(site.Name, func(t *testing.T) { judgeSite(t, site.Name, site.File, site.Processors, seeds) })
		}
	}
}

func judgeSite(t *testing.T, name, file string, processors int64, seeds int) {
	jobs, header := judge.ReadLog(t, file)
	real := collect(t, sessions.Dependencies(workload.JobsOf(jobs), sessions.Defaults(), nil))
	before, think := judge.Linked(real)
	log := judge.Judge(jobs, processors, before, think)
	t.Logf("log: load %.3f, open %.0f %.0f %.1f, closed %.0f %.0f %.1f, lag 1 %.2f, same user %.2f, dispersion %.1f %.1f %.1f", log.Load,
		log.Mean, log.P90, log.Slowdown, log.ClosedMean, log.ClosedP90, log.ClosedSlowdown, log.Lag1, log.SameUser, log.FiveMin, log.Hour, log.Day)
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
		before, think := judge.Linked(made)
		v := judge.Judge(made, processors, before, think)
		at = -1
		add("mean wait, open", 1/wide, wide, (v.Mean+60)/(log.Mean+60))
		add("90 % wait, open", 1/wide, wide, (v.P90+60)/(log.P90+60))
		add("slowdown, open", 1/max(2.3, wide), max(2.3, wide), v.Slowdown/log.Slowdown)
		add("mean wait, closed", 1/wide, wide, (v.ClosedMean+60)/(log.ClosedMean+60))
		add("90 % wait, closed", 1/wide, wide, (v.ClosedP90+60)/(log.ClosedP90+60))
		add("slowdown, closed", 1/wide, wide, v.ClosedSlowdown/log.ClosedSlowdown)
		add("load", .98, 1.02, v.Load/log.Load)
		add("lag 1 of ln run time, difference", -.1, .1, v.Lag1-log.Lag1)
		add("same user as before, difference", -.1, .1, v.SameUser-log.SameUser)
		add("dispersion at 5 minutes", 1/1.5, 1.5, v.FiveMin/log.FiveMin)
		add("dispersion at an hour", 1/1.5, 1.5, v.Hour/log.Hour)
		add("dispersion at a day", 1/1.5, 1.5, v.Day/log.Day)
		add("correlation of work by week", -1, 1, judge.Correlation(v.Weekly, log.Weekly))
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
		m := judge.Median(r.values)
		t.Logf("%-34s %5.2f (%.2f to %.2f)", r.name, m, slices.Min(r.values), slices.Max(r.values))
		if !(m >= r.from && m <= r.to) {
			t.Errorf("%s: %.3f, want %.2f to %.2f", r.name, m, r.from, r.to)
		}
	}
}
