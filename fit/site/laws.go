package site

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// fitLaws fits every family to every attribute of every class with enough jobs. It warns of laws
// that the jobs do not determine.
func (r *Result) fitLaws(ctx context.Context, o Options) error {
	// Fits that the jobs do not determine, by problem, because many families fail for the same
	// reason.
	var problems []fit.DegenerateError // Family is empty
	var families [][]string
	var small []fit.SkippedClass
	for _, class := range r.Classes {
		if class.Column != "" && class.Jobs() < o.LeastJobs {
			small = append(small, fit.SkippedClass{Label: class.Label(), Jobs: class.Jobs(), Why: tooFew(class.Jobs(), o)})
			continue
		}
		for _, attribute := range r.Attributes {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failed, err := r.fitAttribute(class, attribute, o)
			if err != nil {
				return err
			}
			for _, f := range failed {
				problem := *f
				problem.Family = ""
				i := slices.Index(problems, problem)
				if i < 0 {
					i = len(problems)
					problems, families = append(problems, problem), append(families, nil)
				}
				families[i] = append(families[i], f.Family)
			}
		}
	}
	for i := range problems {
		problems[i].Family = strings.Join(families[i], ", ")
		r.warn("not-determined", "%v", &problems[i])
	}
	if !o.Model { // otherwise the report of the model has them
		r.warnSkipped(small)
	}
	return nil
}

func tooFew(jobs int64, o Options) string {
	return fmt.Sprintf("%s, want at least %d", words.Counted(jobs, "job"), o.LeastJobs)
}

// fitAttribute fits every family to one attribute of one class, and returns the fits that failed.
func (r *Result) fitAttribute(class fit.Class, attribute fit.Attribute, all Options) ([]*fit.DegenerateError, error) {
	o := all.Fit
	o.By = class.Label()
	if o.Replicates > 0 {
		var end func()
		o.Replicated, end = all.work("laws of "+string(attribute)+", "+o.By, "replicates", len(all.Families)*o.Replicates)
		defer end()
	}
	ranked, failed, err := fit.RankFamilies(all.Families, attribute, class.Sample(attribute), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Log.Name, err)
	}
	r.Fits = append(r.Fits, ranked...)
	return failed, nil
}
