package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

type simulateOptions struct {
	input      string
	policy     string
	processors int64
	jobs       jobsOptions
}

func policyNames() []string {
	var names []string
	for _, p := range sched.Policies() {
		names = append(names, p.Name())
	}
	return names
}

func newSimulateCmd(a *app, run func(context.Context, *app, simulateOptions) error) *cobra.Command {
	o := simulateOptions{policy: sched.FCFS{}.Name()}
	cmd := &cobra.Command{
		Use:   "simulate IN [-o OUT]",
		Short: "Schedule a log anew and write it with the simulated waits",
		Long: `Runs the jobs of a log through a space-sharing machine: each takes its size and
its run time from the log, and waits as long as the policy makes it. The result
is the log with those waits; everything else in it is as it was. Jobs without
size or run time, and those larger than the machine, are left out and counted.`,
		Example: "  loadstone simulate kth.parquet --policy fcfs -o kth-fcfs.swf",
		Args:    oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	enumFlag(cmd, &o.policy, "policy", "who starts next", policyNames())
	procsFlag(cmd, &o.processors, "processors of the machine (default: the header's)")
	addJobsFlags(cmd, &o.jobs)
	return cmd
}

func runSimulate(ctx context.Context, a *app, o simulateOptions) error {
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	processors, err := machine(o.input, &log.Header, o.processors)
	if err != nil {
		return err
	}
	var warnings workload.Warnings
	config := sched.Config{Processors: processors, Warnings: &warnings}
	for _, p := range sched.Policies() {
		if p.Name() == o.policy {
			config.Policy = p
		}
	}
	var counts changed
	read := counting(workload.InOrder(log.Jobs(), &warnings), &counts.before)
	started := counting(sched.Simulate(read, config, nil), &counts.after)
	header := func() workload.Header {
		h := log.Header.Clone()
		h.Set("MaxProcs", fmt.Sprint(processors))
		return counts.header(h, "simulate", fmt.Sprintf("wait times are simulated: policy %s on %d processors", o.policy, processors))
	}
	if err := a.putChanged(ctx, o.jobs, started, header); err != nil {
		return about(o.input, err)
	}
	a.warnAll(o.input, log.Warnings())
	a.warnAll(o.input, warnings.List())
	return nil
}

// machine is the number of processors to simulate: the one asked for, else the
// header's.
func machine(input string, header *workload.Header, asked int64) (int64, error) {
	if asked > 0 {
		return asked, nil
	}
	if n, ok := header.Processors(); ok {
		return n, nil
	}
	return 0, fmt.Errorf("%s: the header has neither MaxProcs nor MaxNodes: say --procs", input)
}
