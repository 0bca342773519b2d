package allocate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Grid contains the values of HEUR's parameters of which a search tries all
// combinations.
type Grid struct{ LThresh, AThresh, F, K []float64 }

// DefaultGrid returns a coarse grid that includes the paper's values.
func DefaultGrid() Grid {
	return Grid{
		LThresh: []float64{0, 60, 600, 3600, 6 * 3600},
		AThresh: []float64{1, 2, 4, 8, 16, 32},
		F:       []float64{0.25, 0.5, 0.75, 1},
		K:       []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6},
	}
}

// Trial is the result at one point of a search.
type Trial struct {
	Heuristic
	SavedPerJob stats.Number `json:"saved_per_job_s" show:"saved/job,s"`   // s, from the application's side, the mean over the workloads
	LoserShare  stats.Share  `json:"losers_pct" show:"losers of rebels,%"` // of the rebels, over all workloads; 0 if there are none
}

// Tune tries every point of the grid on AVG's schedules of the workloads, and
// returns them in order of time saved, the best first: the paper's
// "semi-systematic exploration of parameter-space" (section 5.5), from the
// application's side. Equals keep the grid's order. workers and stop are as
// Study.Workers and Study.Stop.
func (m Machine) Tune(workloads [][]Job, g Grid, workers int, stop func() error) ([]Trial, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if len(workloads) == 0 {
		return nil, fmt.Errorf("no workloads to tune by")
	}
	var trials []Trial
	for _, l := range g.LThresh {
		for _, a := range g.AThresh {
			for _, f := range g.F {
				for _, k := range g.K {
					h := Heuristic{l, a, f, k}
					if err := (Strategy{Name: "heur", Foresight: Tuned, Heuristic: h}).Validate(); err != nil {
						return nil, err
					}
					trials = append(trials, Trial{Heuristic: h})
				}
			}
		}
	}
	if len(trials) == 0 {
		return nil, fmt.Errorf("the grid has no point: want a value of each parameter")
	}
	situations := make([][]situation, len(workloads))
	for i, jobs := range workloads {
		if err := checkJobs(jobs); err != nil {
			return nil, err
		}
		var err error
		if situations[i], err = m.situations(jobs, stop); err != nil {
			return nil, err
		}
	}
	ends := make([]error, len(trials))
	par.Each(workers, len(trials), func(i int) {
		ends[i] = trials[i].try(workloads, situations, stop)
	})
	for _, err := range ends {
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(trials, func(a, b Trial) int { return cmp.Compare(b.SavedPerJob, a.SavedPerJob) })
	return trials, nil
}

func (t *Trial) try(workloads [][]Job, situations [][]situation, stop func() error) error {
	c := tuned{t.Heuristic}
	s := stopper{ask: stop}
	rebels, losers := 0, 0
	for i, all := range situations {
		saved := 0.0
		for k := range all {
			if s.stopped() {
				return s.err
			}
			x := &all[k]
			v := x.view
			p := alone(&x.task, &v, c, whatIf{stop: &s})
			if !p.Rebel() {
				continue
			}
			s := x.task.run(v.free) - p.Run - (p.Start - v.now)
			saved += s
			rebels++
			if s < 0 {
				losers++
			}
		}
		t.SavedPerJob += stats.Number(saved / float64(len(workloads[i])) / float64(len(workloads)))
	}
	if rebels > 0 {
		t.LoserShare = stats.Share(float64(losers) / float64(rebels))
	}
	return s.err
}

// situation is a job that found fewer processors than it can use.
type situation struct {
	task task
	view view
}

// situations are those of AVG's schedule.
func (m Machine) situations(jobs []Job, stop func() error) ([]situation, error) {
	s := newSimulation(jobs, m)
	s.stop.ask = stop
	var all []situation
	s.offered = func(i int, v *view) {
		c := *v
		c.running = slices.Clone(v.running)
		all = append(all, situation{s.tasks[i], c})
	}
	s.run()
	return all, s.stop.err
}
