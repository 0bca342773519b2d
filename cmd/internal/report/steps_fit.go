package report

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	users "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fit fits the laws of run times and the model of the site.
func (l *Report) fit(ctx context.Context) error {
	var err error
	s := l.begin(fitPart, "fit", append([]string{"--site", "full", "--tests"}, l.seed()...)...)
	if l.fitted, err = l.survey(ctx, s, survey.Options{Fit: fit.Options{Tests: true, Seed: l.o.Seed}, Model: true}); err == nil {
		s.remarks = append(s.remarks, present.FitRemarks(l.fitted)...)
	}
	return err
}

// fitModel fits the model of the site's users, the file that 'fit -o' writes.
func (l *Report) fitModel(ctx context.Context) error {
	s := l.begin(modelPart, "fit", "-o", l.modelName())
	return l.withLog(func(log *workload.Log) error {
		var check evaluate.CheckWaits
		m, warnings, err := users.Fit(ctx, check.Watch(log.Jobs()), &log.Header, filepath.Base(l.input), l.o.Processors)
		s.remarks = present.UsersRemarks(warnings)
		if err != nil {
			return err
		}
		if m.Check, err = check.Users(ctx, m); errors.Is(err, context.Canceled) {
			return err
		}
		s.remarks = append(s.remarks, present.CheckRemarks(m.Check)...)
		var file bytes.Buffer
		err = population.Encode(&file, m)
		l.saved = file.Bytes()
		return err
	})
}

// modelName is what the model's file is called.
func (l *Report) modelName() string { return shortName(l.name) + ".json" }

// seed are the flags of the seed.
func (l *Report) seed() []string { return []string{"--seed", strconv.FormatUint(l.o.Seed, 10)} }

// survey fits laws to the log.
func (l *Report) survey(ctx context.Context, s *step, o survey.Options) (r *survey.Result, err error) {
	o.Site.Processors, o.Work = l.o.Processors, l.o.Work
	err = l.withLog(func(log *workload.Log) error {
		r, err = survey.Compute(ctx, log, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.remarks = append(present.Warnings(r.Warnings), present.ModelRemarks(r)...)
	return r, nil
}
