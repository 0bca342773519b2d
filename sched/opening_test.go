package sched

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// openings are those of a simulation, in order.
type openings struct {
	at   []float64
	list []Opening
}

func (o *openings) Blocked(*workload.Request, *State) {}
func (o *openings) Started(Task, *State)              {}
func (o *openings) Settled(s *State) {
	if x, ok := s.Opening(); ok {
		o.at, o.list = append(o.at, s.Now()), append(o.list, x)
	}
}

// A job that is submitted last starts at the first opening that it fits, of a simulation
// without it.
func TestOpeningIsWhereALastJobStarts(t *testing.T) {
	for _, policy := range []Policy{FCFS{}, EASY{}} {
		rapid.Check(t, func(t *rapid.T) {
			const processors = 8
			var jobs []workload.Job
			job := func() workload.Job {
				j := workload.UnknownJob()
				j.Row, j.Submit = int64(len(jobs)), 0
				j.Size = rapid.Int64Range(1, processors).Draw(t, "size")
				j.Run = float64(rapid.IntRange(0, 30).Draw(t, "run"))
				j.Time = max(1, j.Run*rapid.SampledFrom([]float64{0.5, 1, 1, 2, 5}).Draw(t, "over"))
				return j
			}
			for range rapid.IntRange(0, 20).Draw(t, "jobs") {
				jobs = append(jobs, job())
			}
			last := job()
			var o openings
			run := func(jobs []workload.Job, observer Observer) (wait float64) {
				wait = math.NaN()
				for j, err := range Simulate(workload.JobsOf(jobs), Config{Processors: processors, Policy: policy}, observer) {
					if err != nil {
						t.Fatal(err)
					}
					if j.Row == last.Row {
						wait = j.Wait
					}
				}
				return wait
			}
			got := 0.0
			if len(jobs) > 0 {
				run(jobs, &o)
				got = math.NaN()
			}
			for i, x := range o.list {
				if x.Starts(last.Size, o.at[i]+last.Time) {
					got = o.at[i]
					break
				}
			}
			if want := run(append(jobs, last), nil); got != want {
				t.Fatalf("%s: the first opening is at %g s, the job starts at %g s", policy.Name(), got, want)
			}
		})
	}
}

// Policies that do not serve jobs in the order of submission have no place at the end.
func TestOpeningOfOtherPolicies(t *testing.T) {
	for _, policy := range []Policy{Conservative{}, SJF{}, Priority{}} {
		s, err := NewSimulation(Config{Processors: 1, Policy: policy}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Machines()[0].Opening(); ok {
			t.Errorf("%s has an opening", policy.Name())
		}
	}
}
