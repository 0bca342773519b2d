package cli

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

type convertOptions struct {
	oneLog
	Jobs         jobsOptions
	Batsim       string `opt:"batsim-version" help:"version of Batsim to write .batsim.json for (default 4, which also fits 1 to 3)"`
	Strict       bool   `opt:"strict" for:"output" common:"true" help:"fail where the output's format cannot hold everything"`
	Dependencies bool   `opt:"dependencies" common:"true" help:"write the preceding job and think time of each job, by its user's jobs"`
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (convertOptions) Choices(option string) []string {
	if option == "batsim-version" {
		return []string{"4", "5"}
	}
	return nil
}

func (o *convertOptions) args(args []string) error {
	if len(args) == 2 {
		return fmt.Errorf("want one log, saw %q: the output goes after -o: loadstone convert %s -o %s", args, args[0], args[1])
	}
	return o.oneLog.args(args)
}

func (o *convertOptions) run(ctx context.Context, a *app) (*findings, error) {
	o.Jobs.strict, o.Jobs.batsim = o.Strict, o.Batsim
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	header := func() workload.Header { return log.Header }
	batches := log.Batches()
	var odd workload.Warnings
	if o.Dependencies {
		header = func() workload.Header { return noteDependencies(log.Header) }
		batches = workload.Batches(sessions.Dependencies(log.Jobs(), &odd))
	}
	last := header
	if !log.HeaderGrows() {
		last = nil
	}
	if err := a.putJobs(ctx, o.Jobs, log.Optional(), batches, header(), last); err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(append(log.Warnings(), odd.List()...))}, nil
}

func noteDependencies(h workload.Header) workload.Header {
	h = h.Clone()
	h.Add("Note", "preceding job and think time were found by loadstone convert --dependencies: of the user's last 50 jobs, the one that ended last before the submission; think times of at most 1200 s")
	return h
}
