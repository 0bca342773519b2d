package thresholds

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Baseline specifies an earlier result to compare with, and the tolerances of the comparison.
type Baseline struct {
	Path         string  `opt:"baseline" file:"read" help:"exit with code 3 if %s since this result (<scores.json>) of an earlier run, or is missing"`
	MaxDrop      float64 `opt:"max-drop" in:"[0,1]" for:"baseline" help:"with --baseline, how much worse a score may be, such as 0.01; of a pinball loss as a share (default: any change for the worse counts)"`
	AllowMissing bool    `opt:"allow-missing" for:"baseline" help:"with --baseline, pass even if scores of the earlier run are missing from this one"`
}

// Judge checks a result against thresholds: conditions on its scores, and an earlier result that
// no score may be worse than. It also reports what cannot be compared with the earlier result.
type Judge[R any] struct {
	Baseline   Baseline
	Conditions []Requirement
	Note, Warn func(format string, args ...any)

	earlier R
}

// ReadBaseline reads the earlier result if Baseline names one.
func (j *Judge[R]) ReadBaseline(decode func([]byte) (R, error)) error {
	path := j.Baseline.Path
	if path == "" {
		return nil
	}
	data, err := flags.ReadFile(path)
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %w", path, fault.Err)
	}
	if err != nil {
		return err
	}
	j.earlier, err = decode(data)
	if errors.Is(err, evaluate.ErrOtherSchema) {
		err = fmt.Errorf("%w: a result written with -o FILE.json or --format json", err)
	}
	return workload.About(path, err)
}

// Unmet returns a message for each threshold that a result does not meet. find is as for Faults.
func (j *Judge[R]) Unmet(r interface {
	Since(R, float64) *evaluate.Changes
}, find func(Requirement) (x float64, why string)) ([]string, error) {
	faults := Faults(j.Conditions, find)
	if j.Baseline.Path == "" {
		return faults, nil
	}
	fallen, err := j.fallen(r.Since(j.earlier, j.Baseline.MaxDrop))
	return append(faults, fallen...), err
}

// fallen returns a message for each score that fell by more than is allowed, and one for missing
// scores. It notes how many others are worse, and warns of scores that are not compared and of
// other differences.
func (j *Judge[R]) fallen(c *evaluate.Changes) ([]string, error) {
	o := j.Baseline
	gone := strings.Join(c.Gone, ", ")
	if len(c.Scores) == 0 && (gone == "" || o.AllowMissing) {
		return nil, fmt.Errorf("%s: no score in common: this run has %s", o.Path, strings.Join(c.New, ", "))
	}
	var fell []string
	var worse int
	var most evaluate.ScoreChange // the largest change among the worse scores
	for _, s := range c.Scores {
		switch {
		case s.Fell:
			fell = append(fell, "--baseline "+o.Path+": "+fallText(s, o.MaxDrop))
		case s.Worse > 0 && o.MaxDrop > 0: // with MaxDrop 0, a change that is not a fall is rounding
			if worse++; worse == 1 || share(s) > share(most) {
				most = s
			}
		}
	}
	if worse > 0 {
		are := "1 score is"
		if worse > 1 {
			are = fmt.Sprintf("%d scores are", worse)
		}
		j.Note("--baseline %s: %s worse, but by no more than --max-drop %g; the largest change: %s from %s to %s", o.Path, are, o.MaxDrop,
			most.Score, fixed(most.Before), fixed(most.Now))
	}
	if len(c.New) > 0 {
		j.Warn("--baseline %s: not compared: missing from the baseline: %s", o.Path, strings.Join(c.New, ", "))
	}
	switch {
	case gone == "":
	case o.AllowMissing:
		j.Warn("--baseline %s: not compared: missing from this run: %s", o.Path, gone)
	default:
		fell = append(fell, fmt.Sprintf("--baseline %s: missing from this run: %s (--allow-missing leaves them out)", o.Path, gone))
	}
	for _, other := range c.Others {
		j.Warn("--baseline %s: it is of %s", o.Path, other)
	}
	return fell, nil
}

// share returns the change of a score relative to the earlier value, since scores have different
// units.
func share(s evaluate.ScoreChange) float64 { return s.Worse / math.Abs(s.Before) }

func fixed(x float64) string { return view.Fixed(stats.Number(x), 4) }

// fallText describes a score that fell or rose by more than is allowed.
func fallText(s evaluate.ScoreChange, allowed float64) string {
	if math.IsNaN(s.Now) {
		return fmt.Sprintf("%s fell from %s to none", s.Score, fixed(s.Before))
	}
	verb, by := "fell", "by "
	if s.Now > s.Before {
		verb = "rose"
	}
	if s.Nominal > 0 {
		by = fmt.Sprintf("farther below %g by ", s.Nominal)
	}
	text := fmt.Sprintf("%s %s from %s to %s, %s%s", s.Score, verb, fixed(s.Before), fixed(s.Now), by, fixed(s.Worse))
	if allowed > 0 {
		text += fmt.Sprintf(": --max-drop is %g", allowed)
		if s.Relative {
			text += " of " + fixed(s.Before)
		}
	}
	return text
}

// Unmet returns an *Error for the thresholds that are not met; nil if there are none.
func Unmet(input string, faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	e := new(Error)
	for _, fault := range faults {
		e.Faults = append(e.Faults, input+": "+fault)
	}
	return e
}
