package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict/snapshots"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// snapshotOptions are those of predict on snapshots of a queue in place of a log.
type snapshotOptions struct {
	name  string // of a mapping, or its file; "" finds one by the columns
	first int

	mapping *snapshots.Mapping // nil for a log
	files   []string
}

// snapshotFlags are the flags of predict that snapshots take.
var snapshotFlags = []string{"snapshots", "first-snapshot", "quantile", "seed", "require", "predictions", "format", "output", "quiet"}

// addSnapshotFlags lets predict read snapshots.
func addSnapshotFlags(a *app, cmd *cobra.Command, o *predictOptions, run func(context.Context, *app, predictOptions) error) {
	s := &o.snapshots
	cmd.Flags().StringVar(&s.name, "snapshots", "", "files are snapshots of a queue, with this `mapping`: a JSON file, or slurm-queue-time-pred")
	cmd.Flags().IntVar(&s.first, "first-snapshot", 6, "first snapshot that is scored")
	ofLog, runLog := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := s.find(cmd, args); s.mapping == nil || err != nil {
			if err == nil && cmd.Flags().Changed("first-snapshot") {
				err = fmt.Errorf("--first-snapshot is for --snapshots")
			}
			if err == nil {
				err = ofLog(cmd, args)
			}
			return err
		}
		if len(args) == 0 || slices.Contains(args, "") {
			return fmt.Errorf("want the files of the snapshots, saw %q", args)
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if s.mapping == nil {
			return runLog(cmd, args)
		}
		s.files = args
		if err := o.checkSnapshots(cmd); err != nil {
			return err
		}
		return run(cmd.Context(), a, *o)
	}
}

// find finds the mapping that was asked for, or the built-in one that has the columns
// of the first file.
func (s *snapshotOptions) find(cmd *cobra.Command, args []string) (err error) {
	s.mapping = nil
	if cmd.Flags().Changed("snapshots") {
		if s.mapping, err = snapshots.FindMapping(s.name); err != nil {
			return flags.OptionFaultOr(cmd, err)
		}
		return nil
	}
	if len(args) == 0 {
		return nil
	}
	if info, err := os.Stat(args[0]); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := logfile.OpenText(args[0])
	if err != nil {
		return nil // which reading it as a log says too
	}
	defer text.Close()
	s.mapping = snapshots.MappingOf(snapshots.Head(text))
	return nil
}

func (o *predictOptions) checkSnapshots(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(snapshotFlags, f.Name) {
			err = flags.Usagef(cmd, "--%s is for a log, not for snapshots of a queue", f.Name)
		}
	})
	if err != nil {
		return err
	}
	if o.quantile == 0 || o.snapshots.first == 0 { // the library's default
		return flags.Usagef(cmd, "--quantile and --first-snapshot: want more than 0")
	}
	e := o.evaluateSnapshots()
	if err := e.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	o.requirements = nil
	for _, text := range o.require {
		q, err := thresholds.ParseRequirement(text, "coverage(forest)>=0.93", snapshotConditions)
		if err == nil && len(q.Of) != 1 {
			err = fmt.Errorf("saw %q, want one predictor, such as 'coverage(forest)>=0.93'", text)
		}
		if err != nil {
			return flags.Usagef(cmd, "--require: %w", err)
		}
		o.requirements = append(o.requirements, q)
	}
	return checkPlain(cmd, "predictions", o.predictions)
}

// snapshotConditions are the scores on snapshots that --require knows.
var snapshotConditions = []string{"mean_square_error_log10", "within_2_pct", "within_3_pct", "coverage", "coverage_worst", "bound_median_s", "bound_loss_log10"}

// snapshotFaults says what of --require is not met.
func snapshotFaults(requirements []thresholds.Requirement, r *evaluate.SnapshotsResult) (faults []string) {
	for _, q := range requirements {
		i := slices.IndexFunc(r.Scores, func(s evaluate.SnapshotsScore) bool { return s.Predictor == q.Of[0] })
		if i < 0 {
			faults = append(faults, fmt.Sprintf("--require '%s': no predictor has the name %s", q.Text, q.Of[0]))
			continue
		}
		faults = append(faults, thresholds.Faults(q, tables.SnapshotsColumns(), r.Scores[i])...)
	}
	return faults
}

func (o *predictOptions) evaluateSnapshots() evaluate.SnapshotsOptions {
	return evaluate.SnapshotsOptions{Quantile: o.quantile, First: o.snapshots.first, Seed: o.seed}
}

func runSnapshots(ctx context.Context, a *app, o predictOptions) error {
	s := o.snapshots
	if err := a.notOver(s.files, o.predictions, o.result.output); err != nil {
		return err
	}
	if s.name == "" {
		a.note("note: %s: read as snapshots of a queue, by its columns: those of the mapping %s", s.files[0], s.mapping.Name)
	}
	r := snapshots.NewReader(s.mapping)
	for _, file := range s.files {
		if err := readSnapshots(r, file); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	table, err := r.Table()
	if err != nil {
		return about(s.files[0], err)
	}
	var result *evaluate.SnapshotsResult
	err = savePlain(a, "predictions", o.predictions, tables.SnapshotPredictions, func(save func(evaluate.SnapshotPrediction) error) error {
		e := o.evaluateSnapshots()
		e.Predicted = save
		var err error
		if result, err = evaluate.Snapshots(ctx, s.mapping.Name, table, e); err != nil {
			return err
		}
		a.warnAll(s.mapping.Name, result.Warnings)
		return a.put(o.result, tables.Snapshots(result))
	})
	if err != nil {
		return err
	}
	return thresholds.Unmet(s.files[0], snapshotFaults(o.requirements, result))
}

func readSnapshots(r *snapshots.Reader, file string) error {
	text, err := logfile.OpenText(file)
	if err != nil {
		return err
	}
	defer text.Close()
	return r.Read(file, text)
}
