package grid

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Config describes a simulation: the grid and its broker's policy.
type Config struct {
	Grid   Grid
	Policy Policy
	// Feedback closes the loop, as sched.Config.Feedback does.
	Feedback bool
	// Warnings counts the jobs that were left out, under the rules
	// "no-submit-time", "no-size", "no-run-time", "larger-than-cluster" and,
	// under Home, "no-cluster". Under Feedback it counts what sched.Config.Warnings
	// does. It may be nil.
	Warnings *workload.Warnings
}

// Placed is a job that has started.
type Placed struct {
	// Job is the job of the log, except for Submit, which is as simulated
	// under Config.Feedback; Wait, from its submission to its start on the
	// cluster; Run, its run time there; and Time, the user's estimate at speed
	// 1.
	Job     workload.Job
	Cluster int // in Grid.Clusters
	// PredictedWait and PredictedRun are what ECT expected when it sent the
	// job to the cluster, in seconds there; NaN under other policies.
	PredictedWait, PredictedRun float64
}

// Simulate yields the jobs as they start. They come by submission (see
// workload.InOrder), and memory is those that run and wait, and under
// Config.Feedback what sched.Simulate says.
//
// Left out and counted are jobs whose submission time is unknown, that have no
// size above 0 (Job.Size), whose run time is unknown or negative, and those
// that are larger than every cluster, which could never start.
//
// An error of the input is passed on. It is an error if the grid is not valid
// (*FieldError), the policy is none or not one for the grid, the jobs are not
// in order (workload.ErrOrder), or none can be simulated (workload.ErrNoJobs; ErrTooLarge where all
// are larger than every cluster). After an error nothing follows.
func Simulate(jobs iter.Seq2[workload.Job, error], cfg Config) iter.Seq2[Placed, error] {
	return func(yield func(Placed, error) bool) {
		g := &cfg.Grid
		b, err := cfg.broker()
		if err != nil {
			yield(Placed{}, err)
			return
		}
		in := &intake{Config: &cfg, largest: g.Largest()}
		in.selective, _ = cfg.Policy.(Selective)
		seen := &watched{Broker: b}
		c := sched.Config{Broker: seen, Feedback: cfg.Feedback, Warnings: cfg.Warnings}
		for _, x := range g.Clusters {
			c.Machines = append(c.Machines, sched.Machine{Processors: x.Processors, Speed: x.Speed})
		}
		if _, ok := cfg.Policy.(ECTPerfect); ok {
			c.Estimator = sched.Perfect{}
		}
		for j, err := range sched.Simulate(in.jobs(jobs), c, nil) {
			if err != nil {
				yield(Placed{}, in.fault(err))
				return
			}
			seen.last.Job = j
			if !yield(seen.last, nil) {
				return
			}
		}
	}
}

func (c *Config) broker() (sched.Broker, error) {
	if err := c.Grid.Validate(); err != nil {
		return nil, err
	}
	if c.Policy == nil {
		return nil, errors.New("grid: no policy")
	}
	return c.Policy.Broker(&c.Grid)
}

// watched notes where the job went that has started last.
type watched struct {
	sched.Broker
	last Placed
}

func (w *watched) Started(t sched.Task, m *sched.State) {
	w.Broker.Started(t, m)
	w.last = Placed{Cluster: m.Index(), PredictedWait: math.NaN(), PredictedRun: math.NaN()}
	if p, ok := w.Broker.(Predicting); ok {
		w.last.PredictedWait, w.last.PredictedRun = p.Predicted(t.Key)
	}
}

// ErrTooLarge is the error if no job fits any cluster.
var ErrTooLarge = errors.New("jobs, all larger than every cluster")

// intake passes on the jobs that can be simulated, with their times at speed 1, and
// counts the others.
type intake struct {
	*Config
	selective   Selective // nil where the policy is none
	largest     Cluster
	read, large int
	failed      bool // the input
}

func (in *intake) jobs(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			in.failed = err != nil
			if err == nil && !in.admit(&j) {
				continue
			}
			in.read++
			if !yield(j, err) {
				return
			}
		}
	}
}

func (in *intake) admit(j *workload.Job) bool {
	rule, text := sched.Unfit(j)
	saw := ""
	switch {
	case rule != "":
	case j.Size > in.largest.Processors:
		rule, text = "larger-than-cluster", "jobs left out of the simulation: they are larger than every cluster"
		saw = fmt.Sprintf(" of %d processors, the largest cluster has %d", j.Size, in.largest.Processors)
		in.large++
	case in.selective != nil && !in.selective.Takes(&in.Grid, &j.Request):
		rule, text = "no-cluster", "jobs left out of the simulation: their own site has no cluster that holds them"
	}
	if rule != "" {
		if in.Warnings != nil {
			in.Warnings.Add(rule, text, 0, j.Label()+saw)
		}
		return false
	}
	if c := in.Grid.of(j.Partition); c >= 0 {
		j.Run *= in.Grid.Clusters[c].Speed
		j.Time *= in.Grid.Clusters[c].Speed
	}
	j.Run = min(j.Run, math.MaxFloat64) // where it does not fit a float64 at speed 1
	return true
}

// fault returns the error of a simulation, which says why where no job could be
// simulated.
func (in *intake) fault(err error) error {
	switch {
	case in.failed || in.read > 0:
		return err
	case in.large > 0:
		return fmt.Errorf("%d %w: the largest of grid %s is %s of %d processors", in.large, ErrTooLarge, in.Grid.Name, in.largest.Name, in.largest.Processors)
	}
	return fmt.Errorf("nothing to simulate on grid %s: %w with a submission time, a size and a run time, and under policy home of a site with a cluster that holds them", in.Grid.Name, workload.ErrNoJobs)
}
