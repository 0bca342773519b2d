package sched

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Config describes a simulation: the machine or machines, the policy and the estimates.
type Config struct {
	Processors int64  // at least 1; a log's own number is Header.Processors
	Policy     Policy // nil is FCFS

	// Sites says that each partition of the log (Request.Partition; unknown is
	// one too) has a machine of its own, with the processors given here, else
	// with Processors. Where that is 0, jobs of other partitions are left out.
	// nil is one machine for the whole log.
	Sites map[int64]int64

	// Cluster is a machine of several resources in place of Processors, Sites, Machines
	// and Broker: with one of these it is an error. Named says what the log calls a number of an
	// identifier's column (workload.ColPartition), false where it has no name; nil
	// is for none.
	Cluster *Cluster
	Named   func(col int, number int64) (string, bool)

	// Machines are several machines in place of Processors and Sites, and Broker,
	// which may be used for one simulation, sends each job to one of them.
	Machines []Machine
	Broker   Broker

	// Estimator is asked for run times where the policy uses estimates; nil is
	// UserEstimates. An estimate that proves too short is doubled until it is not.
	Estimator Estimator
	// Correct says that each completion corrects the estimates of jobs that
	// run or wait, as far as the estimator has learnt from it.
	Correct bool
	// Kill says that a job ends when it reaches the user's estimate.
	Kill bool

	// Feedback says that a job which waits for another (Request.Preceding) is
	// submitted when that has ended in the simulation and the think time
	// (Request.Think) has passed, and not before its own time in the log.
	Feedback bool

	// Warnings counts the jobs that were left out, under the rules
	// "no-submit-time", "no-size", "no-run-time", "larger-than-machine" and
	// "no-site-size", on a Cluster also "no-partition" and
	// "larger-than-machine-processors" (-gpus, -memory_kb, -nodes), and the jobs that
	// were killed ("killed") or have no estimate ("no-estimate"), and predictions that
	// are none ("bad-prediction", see Estimator). With Feedback it
	// counts jobs whose dependency is ignored ("preceding-missing",
	// "think-time-long") and jobs left out because the job that they wait for never
	// ends ("preceding-never-ends"). It may be nil.
	Warnings *workload.Warnings

	most int // jobs that run and wait on one machine; 0 is mostHeld
}

// validate returns an error for machines without processors, or that contradict each other.
func (c *Config) validate() error {
	none := func(what string, processors int64) error {
		return fmt.Errorf("the simulated machine%s has %d processors, want at least 1", what, processors)
	}
	switch {
	case c.Cluster != nil && (c.Processors != 0 || c.Sites != nil || c.Machines != nil || c.Broker != nil):
		return errors.New("saw processors, sites, machines or a broker beside a cluster, want the cluster alone")
	case c.Cluster != nil:
		return c.Cluster.Validate()
	case (c.Machines == nil) != (c.Broker == nil):
		return fmt.Errorf("saw several machines without a broker to send jobs to them, or a broker without machines; want both")
	case c.Machines == nil && c.Processors < 1 && (c.Sites == nil || c.Processors < 0):
		return none("", c.Processors)
	}
	for i, m := range c.Machines {
		if m.Processors < 1 {
			return none(fmt.Sprintf(" %d", i+1), m.Processors)
		}
	}
	for partition, n := range c.Sites {
		if n < 1 {
			return none(fmt.Sprintf(" of partition %d", partition), n)
		}
	}
	return nil
}
