package cli

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload"
)

type gridOptions struct {
	input      string
	show       string // a preset to print
	grid       string // a preset or a file
	speeds     string
	policies   []string
	history    string
	classes    []string
	correct    bool
	days       int
	noSites    bool
	tau        float64
	placements string
	plots      string
	result     resultOptions
}

// Whose jobs a cluster learns from.
const (
	historyGrid    = "grid"
	historyCluster = "cluster"
)

// quarter is the default of --days: three months.
const quarter = 91

func newGridCmd(a *app, run func(context.Context, *app, gridOptions) error) *cobra.Command {
	o := gridOptions{history: historyGrid, classes: grid.DefaultClasses()}
	for _, p := range grid.PaperPolicies() {
		o.policies = append(o.policies, p.Name())
	}
	cmd := &cobra.Command{
		Use:   "grid IN --grid NAME|FILE",
		Short: "Send a grid's jobs to clusters by prediction, and by other policies",
		Long: `Simulates several clusters under one broker, which says at a job's submission
which cluster gets it: the study of Sonmez and others (2009), section 5, on the
busiest days of any log with sites. Clusters are first come, first served. It
prints response time, wait and bounded slowdown under each policy, and the jobs
that each cluster gets.

Policies: ect-perfect the earliest expected completion with known run times;
ect-last2 the same with predicted ones, or ect- and another predictor of
'loadstone runtime'; lb the least loaded cluster; fpf the fastest cluster with
enough idle processors, jobs waiting in the global queue until there is one;
fpf-in-order the same without overtaking there; home the job's own site.

A grid is a preset, das3 or auvergrid with the sizes of the paper's table 4, or a
JSON file; 'loadstone grid --show das3' prints one, with the speeds that --speeds
gives. A cluster's speed divides run times. The paper publishes none: those of das3
are an assumption, which the result repeats, and --speeds sets others.`,
		Example: "  loadstone grid das3.gwf --grid das3\n" +
			"  loadstone grid das3.gwf --grid das3 --speeds FS1=2,FS2=0.5 \\\n" +
			"      --policies ect-perfect,ect-last2,ect-sm,lb\n" +
			"  loadstone grid log.swf --grid mine.json --days 0 --placements jobs.parquet --plots figures",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.show != "" {
				return o.showGrid(a, args)
			}
			if err := oneLog(cmd, args); err != nil {
				return &usageError{cmd, err}
			}
			o.input = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	addGridFlags(cmd, &o)
	return cmd
}

// gridRun is one study and what came of it.
type gridRun struct {
	a        *app
	o        gridOptions
	grid     grid.Grid
	policies []grid.Policy
	window   grid.Window
	jobs     []workload.Job // of the window, by submission
	work     float64        // that they bring, in processor seconds at speed 1
	read     int
	sites    []int64 // different ones in the window, ascending
	outcomes []grid.Outcome
	scores   []grid.Score
	odd      []workload.Warning
}

func runGrid(ctx context.Context, a *app, o gridOptions) error {
	if err := a.notOver([]string{o.input, o.grid}, o.placements, o.result.output); err != nil {
		return err
	}
	r, err := studyGrid(ctx, a, o)
	if err != nil {
		return err
	}
	if o.placements != "" {
		if err := r.writePlacements(); err != nil {
			return err
		}
	}
	if o.plots != "" {
		if err := a.drawAll(o.plots, figure.OfGrid(r.source(), r.grid, r.scores)); err != nil {
			return err
		}
	}
	return a.put(o.result, r.result())
}

// studyGrid reads the log and simulates the policies.
func studyGrid(ctx context.Context, a *app, o gridOptions) (*gridRun, error) {
	r := &gridRun{a: a, o: o}
	var err error
	if r.grid, err = o.clusters(a); err != nil {
		return nil, err
	}
	if r.policies, err = o.brokers(); err != nil {
		return nil, err
	}
	if err := o.checkHome(a, r.grid); err != nil {
		return nil, err
	}
	if err := r.load(ctx); err != nil {
		return nil, about(o.input, err)
	}
	if load := r.offered(); load > 1 {
		text := fmt.Sprintf("%s: the offered load is %s of what grid %s can do: queues grow without end", o.input, present.Percent(100*load), r.grid.Name)
		if o.predicts() { // each change of a prediction moves all that queue behind it
			a.forewarn("%s, and to predict them takes minutes from 100,000 jobs on; fewer --days take less, and other --policies none", text)
		} else {
			a.warn("%s", text)
		}
		r.warnOfMemory(len(r.jobs))
	}
	one, end := a.work("placing", "jobs", len(r.policies)*len(r.jobs))
	defer end()
	all := func() iter.Seq2[workload.Job, error] { return held(ctx, r.jobs, one) }
	if r.outcomes, err = grid.Study(all, r.grid, r.policies, o.tau, 0); err != nil {
		return nil, about(o.input, err)
	}
	r.odd = append(r.odd, grid.OddOf(r.outcomes)...)
	a.warnAll(o.input, r.odd)
	r.scores = grid.Scores(r.grid, r.outcomes)
	r.unlike()
	return r, nil
}

// load finds the busiest days, and reads their jobs.
func (r *gridRun) load(ctx context.Context) error {
	src, err := r.a.source(r.o.input)
	if err != nil {
		return err
	}
	defer src.close()
	if _, err := src.read(func(log *workload.Log) error {
		var err error
		r.window, err = grid.Busiest(workload.Until(ctx, log.Jobs()), r.o.days)
		return err
	}); err != nil {
		return err
	}
	if err := holdable(r.window); err != nil {
		return err
	}
	r.jobs = make([]workload.Job, 0, r.window.Jobs+r.window.Jobs/64) // and some that no machine can be simulated with
	var warnings workload.Warnings
	seen := map[int64]bool{}
	log, err := src.read(func(log *workload.Log) error {
		for j, err := range r.a.inOrder(ctx, log, &warnings) {
			if err != nil {
				return err
			}
			r.read++
			if r.window.Holds(&j) {
				r.jobs = append(r.jobs, j)
				r.work += r.grid.Work(&j)
				if j.Partition != workload.Unknown {
					seen[j.Partition] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.odd = slices.Concat(log.Warnings(), warnings.List())
	r.sites = slices.Sorted(maps.Keys(seen))
	return r.checkSites()
}

// checkSites compares the sites of the log with those that clusters stand for.
func (r *gridRun) checkSites() error {
	if len(r.sites) == 0 && (!r.o.noSites || r.grid.NamesSites()) {
		return r.withoutSites()
	}
	named := 0
	var absent []string
	for _, c := range r.grid.Clusters {
		if !c.Partition.Known() {
			continue
		}
		named++
		if _, there := slices.BinarySearch(r.sites, int64(c.Partition)); !there {
			absent = append(absent, fmt.Sprintf("%s (partition %d)", c.Name, c.Partition))
		}
	}
	switch {
	case len(absent) == 0:
		return nil
	case len(absent) == named:
		return fmt.Errorf("no job is of a site that a cluster of grid %s stands for: these are %s; the jobs' sites are %s", r.grid.Name, few(absent), few(r.sites))
	}
	r.a.warn("%s: no job is of the site of %s; the jobs' sites are %s", r.o.grid, few(absent), few(r.sites))
	return nil
}

// few lists the first of many.
func few[T any](all []T) string {
	const most = 12
	text := ""
	for i, x := range all[:min(most, len(all))] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(x)
	}
	if rest := len(all) - most; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// withoutSites is the error of a log that says no job's site.
func (r *gridRun) withoutSites() error {
	if r.grid.NamesSites() {
		return fmt.Errorf("no job has a site (partition_id), and the clusters of grid %s stand for sites: take \"partition\" out of %s", r.grid.Name, r.o.grid)
	}
	return fmt.Errorf("no job has a site (partition_id), so this is the log of one machine; --no-sites takes it for a grid's all the same")
}

// unlike says that policies are compared on different jobs.
func (r *gridRun) unlike() {
	for i, s := range r.scores {
		if most := slices.MaxFunc(r.scores, func(a, b grid.Score) int { return a.Jobs - b.Jobs }).Jobs; s.Jobs < most {
			r.a.warn("%s: under policy %s there are %d of the others' %d jobs: its means are not to be compared with theirs", r.o.input, r.policies[i].Name(), s.Jobs, most)
		}
	}
}

// source is the log's name in pictures.
func (r *gridRun) source() string {
	return fmt.Sprintf("%s, %d jobs on %s (%d processors)", filepath.Base(r.o.input), r.scores[0].Jobs, r.grid.Name, r.grid.Processors())
}

// forecast is how ect's predictors learn.
func (o *gridOptions) forecast() (grid.Forecast, error) {
	f := grid.Forecast{Own: o.history == historyCluster, Uncorrected: !o.correct}
	for _, name := range o.classes {
		c, err := runtime.ClassesByName(name)
		if err != nil {
			return f, err
		}
		f.Classes = append(f.Classes, c)
	}
	return f, nil
}
