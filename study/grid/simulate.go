package grid

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Config is a grid and its broker.
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
	// Job is the log's, but for Submit, which is as simulated under
	// Config.Feedback, Wait, which is from its submission to its start on the cluster, Run, which is what it takes there, and Time, the
	// user's estimate, which is at speed 1.
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
// in order, or none can be simulated (workload.ErrNoJobs; ErrTooLarge where all
// are larger than every cluster). After an error nothing follows.
func Simulate(jobs iter.Seq2[workload.Job, error], cfg Config) iter.Seq2[Placed, error] {
	return func(yield func(Placed, error) bool) {
		s, err := newSimulation(cfg, yield)
		if err != nil {
			yield(Placed{}, err)
			return
		}
		read, large := 0, 0
		for j, err := range jobs {
			if err != nil {
				yield(Placed{}, err)
				return
			}
			ok, tooLarge := s.admit(&j)
			if !ok {
				if tooLarge {
					large++
				}
				continue
			}
			read++
			if j.Submit < s.now {
				yield(Placed{}, fmt.Errorf("%s (row %d) is submitted at %g s, before the job that precedes it (%g s): sort the jobs by submission", j.Label(), j.Row+1, j.Submit, s.now))
				return
			}
			if j.Submit > s.now && !s.advance(j.Submit) {
				return
			}
			link := feedback.None
			if s.feedback != nil {
				held := false
				if link, held = s.feedback.Take(&j); held {
					continue
				}
			}
			s.submit(&j, link)
		}
		switch {
		case read > 0:
			if s.advance(math.Inf(1)) && s.feedback != nil {
				s.feedback.Close()
			}
		case large > 0:
			c := s.cfg.Grid.Largest()
			yield(Placed{}, fmt.Errorf("%d %w: the largest of grid %s is %s of %d processors", large, ErrTooLarge, s.cfg.Grid.Name, c.Name, c.Processors))
		default:
			yield(Placed{}, fmt.Errorf("nothing to simulate on grid %s: %w with a submission time, a size and a run time, and under policy home of a site with a cluster that holds them", s.cfg.Grid.Name, workload.ErrNoJobs))
		}
	}
}

// ErrTooLarge says that no job fits any cluster.
var ErrTooLarge = errors.New("jobs, all larger than every cluster")

// admit says whether a job can be simulated, counts one that cannot, and makes
// its times those at speed 1.
func (s *simulation) admit(j *workload.Job) (ok, tooLarge bool) {
	site, named := s.sites[j.Partition]
	_, home := s.cfg.Policy.(Home)
	rule, text := sched.Unfit(j)
	switch {
	case rule != "":
	case j.Size > s.largest:
		rule, text = "larger-than-cluster", "jobs left out of the simulation: they are larger than every cluster"
		tooLarge = true
	case home && (!named || j.Size > s.clusters[site].Processors):
		rule, text = "no-cluster", "jobs left out of the simulation: their own site has no cluster that holds them"
	}
	if rule != "" {
		saw := j.Label()
		if tooLarge {
			saw += fmt.Sprintf(" of %d processors, the largest cluster has %d", j.Size, s.largest)
		}
		if s.cfg.Warnings != nil {
			s.cfg.Warnings.Add(rule, text, 0, saw)
		}
		return false, tooLarge
	}
	if named {
		j.Run *= s.clusters[site].Speed
		j.Time *= s.clusters[site].Speed
	}
	if math.IsInf(j.Run, 1) { // it did not fit a float64 at speed 1
		j.Run = math.MaxFloat64
	}
	return true, false
}
