package workload_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

type simpleJob struct {
	submit, wait, run float64
	size              int64
}

// served returns random jobs with the waits of a machine of 10 processors that serves its queue in
// order, at the given load.
func served(load float64) []simpleJob {
	rng := rand.New(rand.NewPCG(1, 2))
	jobs := make([]simpleJob, 3000)
	type end struct {
		at   float64
		size int64
	}
	var running []end
	at, start, free := 0., 0., int64(10)
	for i := range jobs {
		j := &jobs[i]
		at += rng.ExpFloat64() * 250 / load // 5 processors for 500 s on average
		j.submit, j.run, j.size = at, 100+rng.Float64()*800, 1+rng.Int64N(9)
		for start = max(start, at); ; {
			slices.SortFunc(running, func(a, b end) int { return cmp.Compare(a.at, b.at) })
			for len(running) > 0 && running[0].at <= start {
				free += running[0].size
				running = running[1:]
			}
			if free >= j.size {
				break
			}
			start = running[0].at
		}
		free -= j.size
		running = append(running, end{start + j.run, j.size})
		j.wait = start - at
	}
	return jobs
}

func fitting(processors int64, jobs []simpleJob, change func(*simpleJob)) int64 {
	w := workload.NewStartsWatch(processors)
	for _, j := range jobs {
		change(&j)
		w.Add(j.submit, j.wait, j.run, j.size)
	}
	return w.Fitting()
}

func asStarts(wait float64) func(*simpleJob) {
	return func(j *simpleJob) {
		if j.wait > 0 {
			j.submit += j.wait
		}
		j.wait = wait
	}
}

func noWaits(j *simpleJob) { j.wait = math.NaN() }

func TestStartsWatch(t *testing.T) {
	busy, quiet := served(.7), served(.1)
	for _, c := range []struct {
		name       string
		processors int64
		jobs       []simpleJob
		change     func(*simpleJob)
		want       bool
	}{
		{"starts, no waits", 10, busy, asStarts(math.NaN()), true},
		{"starts, waits of 0", 10, busy, asStarts(0), true},
		{"starts, size unknown", 0, busy, asStarts(0), false},
		{"starts on a larger machine", 20, busy, asStarts(0), false},
		{"starts that waited", 10, busy, asStarts(5), false},
		{"as it was", 10, busy, func(*simpleJob) {}, false},
		{"submissions, no waits", 10, busy, noWaits, false},
		{"submissions, waits of 0", 10, busy, func(j *simpleJob) { j.wait = 0 }, false},
		{"starts at low use", 10, quiet, asStarts(0), false},
		{"few starts", 10, busy[:200], asStarts(0), false},
	} {
		if got := fitting(c.processors, c.jobs, c.change); (got > 0) != c.want {
			t.Errorf("%s: %d jobs fit, want some: %t", c.name, got, c.want)
		}
	}
}

// Real logs by measure. With real submissions, whether or not they wait, no log is recognised as
// having start times; with starts instead of submissions every busy one is. The logs of NASA and
// Thunder have no waits, and starts for submissions; LCG has no waits, and is never busy.
func TestStartsOfRealLogs(t *testing.T) {
	for name, starts := range map[string]bool{
		"KTH-SP2-1996-2.1-cln.swf.gz": true, "SDSC-Par-1996-3.1-cln.swf.gz": true, "UniLu-Gaia-2014-1.swf.gz": true,
		"CTC-SP2-1996.simulated-waits.swf.gz": true, "SDSC-SP2-1998.simulated-waits.swf.gz": true, "ANL-Theta-2023.crlf-unsorted.swf.gz": true,
		"NASA-iPSC-1993-3.1-cln.swf.gz": true, "LLNL-Thunder-2007-1.1-cln.swf.gz": true, "LCG-2005-1.swf.gz": false,
	} {
		log := jobtest.Open(t, name)
		processors, _ := log.Header.Processors()
		var jobs []simpleJob
		waits := false
		for _, j := range jobtest.Collect(t, workload.InOrder(log.Jobs(), nil)) {
			waits = waits || j.Wait > 0
			jobs = append(jobs, simpleJob{j.Submit, j.Wait, j.Run, j.Size})
		}
		as, without := fitting(processors, jobs, func(*simpleJob) {}) > 0, fitting(processors, jobs, noWaits) > 0
		order := slices.Clone(jobs)
		for i := range order {
			asStarts(0)(&order[i])
		}
		slices.SortStableFunc(order, func(a, b simpleJob) int { return cmp.Compare(a.submit, b.submit) })
		moved := fitting(processors, order, func(*simpleJob) {}) > 0
		if as != (starts && !waits) || without != (starts && !waits) || moved != starts {
			t.Errorf("%s: recognised as it is %t, without waits %t, by its starts %t; has waits: %t", name, as, without, moved, waits)
		}
	}
}
