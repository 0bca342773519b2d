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
	"github.com/loadstone-hpc/loadstone/workload"
)

// Baseline are an earlier result to compare with, and how.
type Baseline struct {
	Path         string   `opt:"baseline" file:"read" help:"exit with code 3 if %s since this result (<scores.json>) of an earlier run, or is missing"`
	MaxDrop      *float64 `opt:"max-drop" in:"[0,1]" for:"baseline" help:"with --baseline, how much worse a score may be, such as 0.01; of a pinball loss as a share (default: as long as the 95 % interval of the difference includes 0)"`
	AllowMissing bool     `opt:"allow-missing" for:"baseline" help:"with --baseline, pass even if scores of the earlier run are missing from this one"`
	Replicates   int      // of the intervals of differences
	Seed         uint64
}

// rule says which differences count.
func (o Baseline) rule() evaluate.DropRule {
	return evaluate.DropRule{Most: o.MaxDrop, Replicates: o.Replicates, Seed: o.Seed}
}

// Judge says which thresholds a result does not meet: conditions on its scores, and those of
// an earlier result, of which it says also what is not to be compared.
type Judge[R any] struct {
	Baseline   Baseline
	Conditions []Requirement
	Note, Warn func(format string, args ...any)

	earlier R
}

// ReadBaseline reads the earlier result, if there is one to compare with.
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

// Unmet says which thresholds a result does not meet, as Faults does.
func (j *Judge[R]) Unmet(r interface {
	Since(R, evaluate.DropRule) *evaluate.Changes
}, find func(Requirement) (x float64, why string)) ([]string, error) {
	faults := Faults(j.Conditions, find)
	if j.Baseline.Path == "" {
		return faults, nil
	}
	fallen, err := j.fallen(r.Since(j.earlier, j.Baseline.rule()))
	return append(faults, fallen...), err
}

// fallen says which scores fell by more than is allowed, or are missing. It notes how many
// others are lower, and warns of what differs.
func (j *Judge[R]) fallen(c *evaluate.Changes) ([]string, error) {
	o := j.Baseline
	gone := strings.Join(c.Gone, ", ")
	if len(c.Scores) == 0 && (gone == "" || o.AllowMissing) {
		return nil, fmt.Errorf("%s: no score in common: this run has %s", o.Path, strings.Join(c.New, ", "))
	}
	var fell, unsure []string
	var worse int
	var most evaluate.ScoreChange // of the worse scores
	for _, s := range c.Scores {
		switch {
		case s.Fell:
			fell = append(fell, "--baseline "+o.Path+": "+fallText(s, o.rule()))
		case s.Worse > 0:
			if worse++; worse == 1 || share(s) > share(most) {
				most = s
			}
		}
		if s.Unsure {
			unsure = append(unsure, s.Score)
		}
	}
	if worse > 0 {
		are, allowed := "1 score is", "than chance explains (the 95 % interval of the difference includes 0)"
		if worse > 1 {
			are = fmt.Sprintf("%d scores are", worse)
		}
		if o.MaxDrop != nil {
			allowed = fmt.Sprintf("than --max-drop %g", *o.MaxDrop)
		}
		j.Note("--baseline %s: %s worse, but by no more %s; the largest change: %s from %s to %s", o.Path, are, allowed,
			most.Score, view.Fixed(most.Before, 4), view.Fixed(most.Now, 4))
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
	if len(unsure) > 0 {
		j.Warn("--baseline %s: no interval of the difference (results of --replicates 0 and of short logs have none), so that any change for the worse counts; --max-drop allows some: %s", o.Path, strings.Join(unsure, ", "))
	}
	return fell, nil
}

// share is by how much a score is worse as a share of the earlier one: scores have
// different units.
func share(s evaluate.ScoreChange) float64 { return float64(s.Worse) / math.Abs(float64(s.Before)) }

// fallText says how a score fell or rose.
func fallText(s evaluate.ScoreChange, rule evaluate.DropRule) string {
	if math.IsNaN(float64(s.Now)) {
		return fmt.Sprintf("%s fell from %s to none", s.Score, view.Fixed(s.Before, 4))
	}
	verb := "fell"
	if s.Now > s.Before {
		verb = "rose"
	}
	text := fmt.Sprintf("%s %s from %s to %s, by %s", s.Score, verb, view.Fixed(s.Before, 4), view.Fixed(s.Now, 4), view.Fixed(s.Worse, 4))
	if s.Nominal > 0 {
		text = fmt.Sprintf("%s %s from %s to %s, farther below %g by %s", s.Score, verb, view.Fixed(s.Before, 4), view.Fixed(s.Now, 4), s.Nominal, view.Fixed(s.Worse, 4))
	}
	switch {
	case rule.Most != nil && s.Relative:
		text += fmt.Sprintf(": --max-drop is %g of %s", *rule.Most, view.Fixed(s.Before, 4))
	case rule.Most != nil:
		text += fmt.Sprintf(": --max-drop is %g", *rule.Most)
	case !s.Unsure:
		jobs := "other jobs"
		if s.SameJobs {
			jobs = "the same jobs"
		}
		low, high := s.Low, s.High
		if !s.Lower && s.Nominal == 0 {
			low, high = -s.High, -s.Low
		}
		text += fmt.Sprintf(" (%s to %s) on %s", view.Fixed(low, 4), view.Fixed(high, 4), jobs)
	}
	return text
}

// Unmet is the error of thresholds that are not met, nil where all are.
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
