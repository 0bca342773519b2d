package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// Given a log of a machine reduced by a fifth of its processors, and the target that its jobs meet
// on the whole machine, the interval of the answer contains the whole machine. Jobs too large for
// the smaller machine are omitted from both. The submissions in the smaller machine's log are the
// original ones, or those of users who were slowed down by it, and who leave no record of when they
// would otherwise have submitted.
func TestWholeMachineIsFoundAgain(t *testing.T) {
	for _, name := range []string{"CTC-SP2-1996.simulated-waits", "SDSC-SP2-1998.simulated-waits", "KTH-SP2-1996-2.1-cln", "LLNL-Thunder-2007-1.1-cln", "UniLu-Gaia-2014-1"}[:longtest.Size(1, 5)] {
		log := jobtest.Must(logfile.Open(reallogs.Path(t, "swf/"+name+".swf.gz"), workload.Options{}))
		whole, _ := log.Header.Processors()
		lost := whole - whole/5
		var odd workload.Warnings
		var links sessions.Links
		var jobs []workload.Job
		for j, err := range sessions.Linked(workload.InOrder(log.Jobs(), &odd), &odd, &links) {
			if err != nil {
				t.Fatal(err)
			}
			if j.Size <= lost && len(jobs) < longtest.Size(10_000, math.MaxInt) {
				j.Row = int64(len(jobs))
				jobs = append(jobs, j)
			}
		}
		log.Close()
		waits, err := simulate(t.Context(), len(jobs), workload.JobsOf(jobs), sched.Config{Processors: whole, Policy: sched.EASY{}})
		if err != nil {
			t.Fatal(err)
		}
		target := fmt.Sprintf("wait_p95 <= %g", max(1, Target{Quantile: 0.95}.of(waits)))
		for _, slowed := range []bool{false, true} {
			var smaller []workload.Job // the log of the smaller machine
			for j, err := range sched.Simulate(workload.JobsOf(jobs), sched.Config{Processors: lost, Policy: sched.EASY{}, Feedback: true}, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if slowed {
					j.Preceding, j.Think = workload.Unknown, math.NaN()
				} else {
					j.MoveTo(jobs[j.Row].Submit)
				}
				smaller = append(smaller, j)
			}
			slices.SortStableFunc(smaller, func(a, b workload.Job) int { return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(a.Row, b.Row)) })
			r, err := Compute(t.Context(), Options{Log: workload.LogOf(name, log.Header, smaller), Processors: lost, Target: target, Twins: longtest.Size(2, 10)})
			if err != nil {
				t.Fatal(name, err)
			}
			a := r.Answers[0]
			what := fmt.Sprintf("%s: slowed %t, %s: %g processors, %g to %g, want %d in place of %d; simulated over log %.3g", name, slowed, target, a.Size, a.Low, a.High, whole, lost, a.Factor)
			t.Log(what)
			if !(float64(a.Low) <= float64(whole) && float64(whole) <= float64(a.High)) {
				t.Error(what)
			}
		}
	}
}
