package report

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	users "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fit fits the laws of run times and the model of the site.
func (l *logReport) fit(ctx context.Context) error {
	o := survey.Options{Fit: fit.Options{Tests: true, Replicates: l.o.Replicates, Seed: l.o.Seed}, Model: true, SiteReplicates: l.siteDraws()}
	flags := []string{"--site", "full", "--tests"}
	if n := l.o.Replicates; n > 0 {
		o.Fit.Intervals = survey.IntervalLevel
		flags = append(flags, "--replicates", strconv.Itoa(n), "--intervals", "0.95")
	}
	if n := o.SiteReplicates; n > 0 {
		flags = append(flags, "--site-replicates", strconv.Itoa(n))
	}
	var err error
	s := l.begin(fitPart, "fit", append(flags, l.seed()...)...)
	if l.fitted, err = l.survey(ctx, s, o); err == nil {
		s.remarks = append(s.remarks, present.FitRemarks(l.fitted)...)
	}
	return err
}

// fitModel fits the model of the site's users, the file that 'fit -o' writes.
func (l *logReport) fitModel(ctx context.Context) error {
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
func (l *logReport) modelName() string { return shortName(l.name) + ".json" }

// seed are the flags of the seed.
func (l *logReport) seed() []string { return []string{"--seed", strconv.FormatUint(l.o.Seed, 10)} }

// survey fits laws to the log.
func (l *logReport) survey(ctx context.Context, s *step, o survey.Options) (r *survey.Result, err error) {
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

// fitOthers fits sizes and interarrival times.
func (l *logReport) fitOthers(ctx context.Context) (err error) {
	s := l.begin(othersPart, "fit", "--site", "none", "--attribute", "size,interarrival", "--tests")
	l.others, err = l.survey(ctx, s, survey.Options{Attributes: []fit.Attribute{fit.Size, fit.Interarrival}, Fit: fit.Options{Tests: true, Seed: 1}})
	return err
}

// fitIntervals draws intervals of run times, where the fits themselves have none.
func (l *logReport) fitIntervals(ctx context.Context) (err error) {
	switch {
	case l.o.Replicates > 0:
		return nil // they have theirs: ownIntervals
	case l.describe.Jobs > mostForInterval:
		return errors.New("a log this large is refitted only if --replicates asks for it")
	}
	s := l.begin(intervalsPart, "fit", append([]string{"--site", "none", "--family", strings.Join(intervalLaws, ","), "--replicates", strconv.Itoa(intervalDraws), "--intervals", "0.95"}, l.seed()...)...)
	l.bounded, err = l.survey(ctx, s, survey.Options{Families: intervalLaws, Fit: fit.Options{Replicates: intervalDraws, Intervals: survey.IntervalLevel, Seed: l.o.Seed}})
	return err
}
