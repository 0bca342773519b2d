package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type simulateOptions struct {
	oneLog
	evaluate.ScheduleOptions
	Machine  string `opt:"machine" file:"read" common:"true" help:"simulate the machine that this JSON <file> describes: pools of nodes, and partitions that share them" brief:"simulate the machine in this JSON <file>: pools and partitions"`
	WaitFrom queuedFrom
	Format   string `opt:"format" common:"true" help:"format on standard output (default table)"`
	Output   string `opt:"output,o" file:"write" common:"true" help:"write the log with simulated waits to this <file>: .swf .csv .batsim.json (also .gz or .zst), .parquet .arrow .arrows" brief:"write the log with simulated waits to this <file>: .swf, .parquet, ..."`
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *simulateOptions) Choices(option string) []string {
	if option == "format" {
		return append(slices.Clone(view.Forms()), "swf")
	}
	return o.ScheduleOptions.Choices(option)
}

// check reads the file of the machine, and returns an error for options that do not go together.
func (o *simulateOptions) check(a *app) error {
	if o.Machine != "" {
		data, err := flags.ReadFile(o.Machine)
		if err != nil {
			return err
		}
		if o.Cluster, err = sched.DecodeCluster(o.Machine, data); err != nil {
			return err
		}
	}
	switch {
	case o.Output != "" && o.Format == "swf":
		return flags.Usagef("%s: --format %s prints the log on standard output: use one of them", o.Output, o.Format)
	case a.given("classes") && !o.Classed():
		return flags.Usagef("--classes is for predictors that learn by classes, and --estimates is %s", o.Estimates)
	}
	return nil
}

func (o *simulateOptions) run(ctx context.Context, a *app) (*findings, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if err := o.size(&log.Header); err != nil {
		return nil, err
	}
	var counts reshape.Change
	watch := a.progress.Watch(log)
	o.Watch = func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		return counts.Before.Counting(watch(jobs))
	}
	header := func() workload.Header {
		h := log.Header.Clone()
		if n := o.Capacity(); n > 0 {
			h.Set("MaxProcs", fmt.Sprint(n))
		}
		note := "wait times are simulated: " + o.Describe()
		if o.Feedback {
			note = fmt.Sprintf("submission and %s; the submission times before that are those of %s, by job number", note, strconv.Quote(filepath.Base(o.input)))
		}
		return counts.Header(h, "loadstone simulate", note)
	}
	logOut := o.Format == "swf"
	if o.Output != "" || logOut {
		to := jobsOptions{Format: o.Format, Output: o.Output}
		if o.Output != "" && !logOut {
			to.Format = "" // --format is for the metrics
		}
		o.Scheduled = func(jobs workload.JobSeq) error {
			return a.putChanged(ctx, to, log.Header, log.Optional(), counts.After.Counting(jobs), header)
		}
	}
	r, err := evaluate.Schedule(ctx, log, o.ScheduleOptions)
	if err != nil {
		a.warnWhyNoJobs(o.input, log, err)
		return nil, about(o.input, hinted(err))
	}
	found := &findings{about: o.input, remarks: view.Warnings(r.Warnings)}
	if !logOut && (!a.Quiet || o.Output == "" || o.Format != "") {
		found.result, found.to.Format = tables.Schedule(o.Describe(), r), o.Format
	}
	return found, nil
}

// hinted adds a hint to the error that no job has an estimate; other errors are returned as they
// are.
func hinted(err error) error {
	if !errors.Is(err, sched.ErrNoEstimates) {
		return err
	}
	var without []string
	for _, p := range sched.Policies() {
		if !p.UsesEstimates() {
			without = append(without, p.Name())
		}
	}
	return fmt.Errorf("%w: policies that need none are %s; --estimates perfect, or a predictor such as last2, needs none in the log",
		err, strings.Join(without, " and "))
}

// size sets the number of processors, from --procs or else the header, unless --sites or --machine
// is given.
func (o *simulateOptions) size(h *workload.Header) (err error) {
	if o.Sites != nil || o.Cluster != nil {
		return nil
	}
	if o.Processors, err = machine(o.input, h, o.Processors); err != nil {
		return fmt.Errorf("%w, or --machine, which can have only GPUs", err)
	}
	return nil
}

// machine returns the number of processors to simulate: asked if it is above 0, otherwise
// the header's.
func machine(input string, header *workload.Header, asked int64) (int64, error) {
	if asked > 0 {
		return asked, nil
	}
	if n, ok := header.Processors(); ok {
		return n, nil
	}
	return 0, fmt.Errorf("%s: %w: give --procs", input, workload.ErrNoMachine)
}
