package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// fitLaws fits every family to every attribute of every class with enough jobs.
// What the jobs do not determine is a warning.
func (s *survey) fitLaws(ctx context.Context) error {
	var (
		degenerate degenerateFits
		small      []fit.SkippedClass
	)
	for _, class := range s.out.Classes {
		if class.Column != "" && class.Jobs() < s.o.LeastJobs {
			small = append(small, fit.SkippedClass{Label: class.Label(), Jobs: class.Jobs(), Why: fmt.Sprintf("%s, want at least %d", words.Counted(class.Jobs(), "job"), s.o.LeastJobs)})
			continue
		}
		for _, attribute := range s.o.Attributes {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := s.fitAttribute(class, attribute, &degenerate); err != nil {
				return err
			}
		}
	}
	for i, e := range degenerate.why {
		e.Family = strings.Join(degenerate.families[i], ", ")
		s.warn("not-determined", "%v", &e)
	}
	if !s.o.Model { // whose report has them
		s.warnSkipped(small)
	}
	return nil
}

// fitAttribute fits every family to one attribute of one class.
func (s *survey) fitAttribute(class fit.Class, attribute fit.Attribute, degenerate *degenerateFits) error {
	o := s.o.Fit
	o.By = class.Label()
	if o.Replicates > 0 {
		var end func()
		o.Replicated, end = s.o.work("laws of "+string(attribute)+", "+o.By, "replicates", len(s.o.Families)*o.Replicates)
		defer end()
	}
	ranking, err := fit.RankFamilies(s.o.Families, attribute, class.Sample(attribute), o)
	if err != nil {
		return fmt.Errorf("%s: %w", s.log.Name, err)
	}
	for _, failed := range ranking.Failed {
		degenerate.add(failed)
	}
	for _, r := range ranking.Ranked {
		s.out.Fits = append(s.out.Fits, r.Report)
	}
	return nil
}

// degenerateFits are the fits that the data do not determine, by what is the
// matter: many families fail for one reason.
type degenerateFits struct {
	why      []fit.DegenerateError // Family is empty
	families [][]string
}

func (d *degenerateFits) add(err *fit.DegenerateError) {
	e := *err
	e.Family = ""
	i := slices.Index(d.why, e)
	if i < 0 {
		i = len(d.why)
		d.why, d.families = append(d.why, e), append(d.families, nil)
	}
	d.families[i] = append(d.families[i], err.Family)
}
