package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// baselineScore is a score of one run, for comparison with another: higher is
// better. The bounds are NaN where there is no interval.
type baselineScore struct {
	name             string
	value, low, high float64
}

func (s baselineScore) none() bool { return math.IsNaN(s.value) }

// drops compares scores with those of an earlier run, by name. A drop counts
// where the score is now below the interval that it had. Where it had none, it
// counts where the earlier score lies above the interval that it has now; and
// where neither has one, any drop counts. missing are names that the earlier run lacks.
func drops(before, now []baselineScore) (faults, missing []string) {
	old := map[string]baselineScore{}
	for _, s := range before {
		old[s.name] = s
	}
	for _, s := range now {
		b, ok := old[s.name]
		if !ok {
			missing = append(missing, s.name)
			continue
		}
		fell := s.value < b.value || math.IsNaN(s.value) && !math.IsNaN(b.value)
		switch {
		case !fell:
		case !math.IsNaN(b.low) && !(s.value < b.low) && !math.IsNaN(s.value):
		case math.IsNaN(b.low) && !math.IsNaN(s.high) && b.value <= s.high:
		case !math.IsNaN(b.low):
			faults = append(faults, fmt.Sprintf("%s fell from %s (%s to %s) to %s", s.name, fixed(b.value, 4), fixed(b.low, 4), fixed(b.high, 4), fixed(s.value, 4)))
		default:
			faults = append(faults, fmt.Sprintf("%s fell from %s to %s", s.name, fixed(b.value, 4), fixed(s.value, 4)))
		}
	}
	return faults, missing
}

// compareScores says which scores fell below those of an earlier run, and warns
// of those that it lacks and of others: in what it differs from this run. It is
// an error if the two have no score in common.
func (a *app) compareScores(path string, before, now []baselineScore, others []string) ([]string, error) {
	fell, missing := drops(before, now)
	if len(missing) == len(now) {
		return nil, fmt.Errorf("%s: has none of the %d scores of this run: %s", path, len(now), strings.Join(missing, ", "))
	}
	if len(missing) > 0 {
		a.warn("%s: not compared, for it lacks them: %s", path, strings.Join(missing, ", "))
	}
	for _, other := range others {
		a.warn("--baseline %s: it is of %s", path, other)
	}
	for i := range fell {
		fell[i] = "--baseline " + path + ": " + fell[i]
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
