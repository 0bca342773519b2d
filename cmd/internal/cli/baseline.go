package cli

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// baselineScore is a score of one run, for comparison with another: higher is
// better. The bounds are NaN where there is no interval.
type baselineScore struct {
	name             string
	value, low, high float64
	clusters         *score.Clusters // what it is made of; nil for unknown
	of               func(score.Sums) float64
}

func (s baselineScore) none() bool { return math.IsNaN(s.value) }

// dropRule says which falls of a score count: those of more than most, where
// the user gave it, else those that the interval of the difference confirms.
type dropRule struct {
	most       float64
	given      bool
	replicates int // of the interval
	seed       uint64
}

// addBaselineFlags adds --baseline and --max-drop; what names the scores that
// are compared.
func addBaselineFlags(cmd *cobra.Command, path *string, drop *dropRule, what string) {
	cmd.Flags().StringVar(path, "baseline", "", "exit with code 3 where "+what+" fell since this result (`scores.json`) of an earlier run")
	cmd.Flags().Float64Var(&drop.most, "max-drop", 0, "with --baseline, how far a score may fall, such as 0.01 (default: as far as the 95 % interval of the difference has 0 in it)")
}

func (d *dropRule) check(cmd *cobra.Command, replicates int, seed uint64) error {
	d.given, d.replicates, d.seed = cmd.Flags().Changed("max-drop"), replicates, seed
	switch {
	case d.given && !cmd.Flags().Changed("baseline"):
		return usagef(cmd, "--max-drop %g: it is for --baseline, the result of an earlier run", d.most)
	case !(d.most >= 0 && d.most <= 1):
		return usagef(cmd, "--max-drop %g: want 0 to 1", d.most)
	}
	return nil
}

// fault says how a score fell since an earlier run; empty where it did not, or
// where the fall does not count. sure is false where a fall was judged without
// an interval.
func (d dropRule) fault(b, s baselineScore) (fault string, sure bool) {
	if s.none() && !b.none() {
		return fmt.Sprintf("%s fell from %s to none", s.name, present.Fixed(b.value, 4)), true
	}
	drop := b.value - s.value
	if !(drop > rounding) {
		return "", true
	}
	fell := fmt.Sprintf("%s fell from %s to %s, by %s", s.name, present.Fixed(b.value, 4), present.Fixed(s.value, 4), present.Fixed(drop, 4))
	if d.given {
		if drop > d.most+rounding {
			return fell + fmt.Sprintf(": --max-drop is %g", d.most), true
		}
		return "", true
	}
	if b.clusters == nil || s.clusters == nil {
		return fell, false
	}
	in := score.Difference(*b.clusters, *s.clusters, s.of, d.replicates, intervalLevel, d.seed)
	jobs := "other jobs"
	if b.clusters.Same(*s.clusters) {
		jobs = "the same jobs"
	}
	switch {
	case math.IsNaN(in.High):
		return fell, false
	case in.High < 0:
		return fell + fmt.Sprintf(" (%s to %s) on %s", present.Fixed(-in.High, 4), present.Fixed(-in.Low, 4), jobs), true
	}
	return "", true
}

// compareScores says which scores fell below those of an earlier run, and warns
// of those that it lacks and of others: in what it differs from this run. It is
// an error if the two have no score in common.
func (a *app) compareScores(path string, before, now []baselineScore, others []string, rule dropRule) ([]string, error) {
	old := map[string]baselineScore{}
	for _, s := range before {
		old[s.name] = s
	}
	var fell, missing, unsure []string
	for _, s := range now {
		b, ok := old[s.name]
		if !ok {
			missing = append(missing, s.name)
			continue
		}
		fault, sure := rule.fault(b, s)
		if fault != "" {
			fell = append(fell, "--baseline "+path+": "+fault)
		}
		if !sure {
			unsure = append(unsure, s.name)
		}
	}
	for _, s := range now {
		delete(old, s.name)
	}
	if len(missing) == len(now) {
		return nil, fmt.Errorf("%s: has none of the %d scores of this run: %s", path, len(now), strings.Join(missing, ", "))
	}
	if len(missing) > 0 {
		a.warn("%s: not compared, for it lacks them: %s", path, strings.Join(missing, ", "))
	}
	if len(old) > 0 {
		a.warn("--baseline %s: not compared, since this run lacks them: %s", path, strings.Join(slices.Sorted(maps.Keys(old)), ", "))
	}
	for _, other := range others {
		a.warn("--baseline %s: it is of %s", path, other)
	}
	if len(unsure) > 0 {
		a.warn("--baseline %s: no interval of the difference (results of older versions, of --replicates 0 and of short logs have none), so that any fall counts; --max-drop allows some: %s", path, strings.Join(unsure, ", "))
	}
	return fell, nil
}

// otherLog says in what an earlier run's log differs from this one's. It may
// have moved to another folder.
func otherLog(before, now workload.Summary) []string {
	var all []string
	if was, is := filepath.Base(before.Name), filepath.Base(now.Name); was != is {
		all = append(all, fmt.Sprintf("log %q, not %q", was, is))
	}
	if before.Jobs != now.Jobs {
		all = append(all, fmt.Sprintf("%d jobs, not %d", before.Jobs, now.Jobs))
	}
	return all
}

// setting is an option of two runs.
type setting struct {
	name    string
	was, is float64
}

// otherNumbers says which settings differ.
func otherNumbers(settings []setting) []string {
	var all []string
	for _, x := range settings {
		if x.was != x.is {
			all = append(all, fmt.Sprintf("%s %g, not %g", x.name, x.was, x.is))
		}
	}
	return all
}

// unmet is the error of thresholds that are not met, nil where all are.
func unmet(input string, faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return &thresholdError{input + ": " + strings.Join(faults, "; ")}
}
