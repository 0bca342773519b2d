package sched

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Config describes a simulation: the machine or machines, the policy and the estimates.
type Config struct {
	Processors int64  // at least 1; Header.Processors returns the number recorded in a log
	Policy     Policy // nil means FCFS

	// Sites gives each partition of the log (Request.Partition, including the unknown
	// one) its own machine, with the given number of processors. A partition that is not
	// in the map has a machine with Processors or, if that is 0, its jobs are left out.
	// nil means one machine for the whole log.
	Sites map[int64]int64

	// Cluster is a machine with several resources. It replaces Processors, Sites, Machines
	// and Broker; it is an error to set any of these too. Named returns the name in the log
	// of a number in an identifier's column (such as workload.ColPartition), or false if it
	// has no name; nil means that there are no names.
	Cluster *Cluster
	Named   func(col int, number int64) (string, bool)

	// Machines lists several machines, in place of Processors and Sites. Broker sends each
	// job to one of them; it may be used for one simulation only.
	Machines []Machine
	Broker   Broker

	// Estimator is asked for run times if the policy uses estimates; nil means
	// UserEstimates. An estimate that proves too short is doubled until it is not.
	Estimator Estimator
	// Correct makes each completion update the estimates of running and waiting
	// jobs, if the estimator's answer has changed.
	Correct bool
	// Kill ends a job when it reaches the user's estimate.
	Kill bool

	// Feedback delays the submission of a job that depends on another one
	// (Request.Preceding) until that job has ended in the simulation and the think
	// time (Request.Think) has passed. It never advances a submission in the log.
	Feedback bool

	// Warnings counts the jobs that were left out, under the rules
	// "no-submit-time", "no-size", "no-run-time", "larger-than-machine" and
	// "no-site-size", on a Cluster also "no-partition" and
	// "larger-than-machine-processors" (-gpus, -memory_kb, -nodes); jobs that
	// were killed ("killed") or have no estimate ("no-estimate"); and invalid
	// predictions ("bad-prediction", see Estimator). With Feedback it also
	// counts jobs whose dependency is ignored ("preceding-missing",
	// "think-time-long") and jobs left out because the job that they wait for never
	// ends ("preceding-never-ends"). It may be nil.
	Warnings *workload.Warnings

	most int // largest number of running and waiting jobs on one machine; 0 means mostHeld
}

// validate returns an error if a machine has no processors or if fields contradict each other.
func (c *Config) validate() error {
	none := func(what string, processors int64) error {
		return fmt.Errorf("the simulated machine%s has %d processors, want at least 1", what, processors)
	}
	switch {
	case c.Cluster != nil && (c.Processors != 0 || c.Sites != nil || c.Machines != nil || c.Broker != nil):
		return errors.New("saw processors, sites, machines or a broker together with a cluster, want only the cluster")
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
