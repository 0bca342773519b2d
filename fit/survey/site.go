package survey

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/model"
)

// fitSite fits the site's model. Where that is not possible, WhyNoModel is the
// reason; an error is of an option.
func (s *survey) fitSite() error {
	r := &s.out
	o := s.o.Site
	if o.Name == "" {
		o.Name = ModelLine(NameOf(s.log.Name))
	}
	if o.Source == "" {
		o.Source = ModelLine("fitted by loadstone to " + filepath.Base(s.log.Name))
	}
	if o.Processors == 0 {
		o.Processors, _ = s.log.Header.Processors()
	}
	byKinds := s.byKinds && len(r.Classes) > len(r.SiteClasses)
	if !byKinds && len(r.SiteClasses) == 0 {
		return s.noModel(fmt.Errorf("classes by %s, want those of one of %s", s.o.By, strings.Join(model.Columns(), ", ")), nil)
	}
	if byKinds {
		o := o
		o.ClassName = nil
		m, report, why := s.fitClasses(r.Classes[:1], o)
		if why != nil {
			return s.noModel(why, nil)
		}
		r.ModelOfAll, r.SiteOfAll = m, report
		if err := s.draw(r.Classes[:1], *r.ModelOfAll, r.SiteOfAll, o); err != nil {
			return err
		}
	}
	if len(r.SiteClasses) > 0 {
		o.By = r.SiteClasses[0].Column
	}
	if !byKinds && o.ClassName == nil {
		names := s.log.Header.NamesOf(o.By)
		o.ClassName = func(c fit.Class) string { return ModelLine(cmp.Or(c.Name, names[c.Value])) }
	}
	m, report, why := s.fitClasses(r.SiteClasses, o)
	if why != nil {
		return s.noModel(why, report)
	}
	r.Model, r.Site = *m, report
	if err := s.draw(r.SiteClasses, r.Model, r.Site, o); err != nil {
		return err
	}
	s.warnSite(r.Site)
	return nil
}

func (s *survey) fitClasses(classes []fit.Class, o site.Options) (*model.Site, *site.Report, error) {
	m, report, err := site.FitClasses(classes, s.clock, o)
	return &m, &report, err
}

// noModel notes why there is no model; report may be nil.
func (s *survey) noModel(why error, report *site.Report) error {
	s.out.WhyNoModel = why
	s.warn("no-model", "no model of the site: %v", why)
	if report != nil {
		s.warnSite(report)
	}
	return nil
}

// draw puts intervals into the report of a site, where they are asked for; a log
// too short for them gets a warning.
func (s *survey) draw(classes []fit.Class, m model.Site, report *site.Report, o site.Options) error {
	n := s.o.SiteReplicates
	if n == 0 {
		return nil
	}
	one, end := s.o.work("weeks of "+m.Name, "replicates", n)
	defer end()
	intervals, err := site.DrawIntervals(classes, s.clock, m, *report, o, site.IntervalOptions{
		Replicates: n, Level: IntervalLevel, Seed: s.o.Fit.Seed, Workers: s.o.Fit.Workers, Replicated: one,
	})
	if errors.Is(err, site.ErrFewWeeks) {
		s.out.WhyNoIntervals = err.Error()
		report.Warnings = append(report.Warnings, s.out.WhyNoIntervals)
		return nil
	}
	if err != nil {
		return err
	}
	report.Intervals = &intervals
	return nil
}

// markModel marks the laws that stand in the site's model, and not others of
// the same family: of interarrival times and sizes the model has laws of its
// own, of peak hours and of rounded sizes.
func (s *survey) markModel() {
	for i := range s.out.Fits {
		r := &s.out.Fits[i]
		if r.Attribute != fit.RunTime {
			continue
		}
		for _, report := range s.out.Sites() {
			for _, c := range report.Classes {
				if c.Label == r.By && c.RunTimes.Law.By == r.By && c.RunTimes.Law.Law == r.Law {
					r.InModel = true
				}
			}
		}
	}
}

// NameOf returns a log's name without its folder and extensions; "site" if
// nothing is left.
func NameOf(log string) string {
	base := filepath.Base(log)
	for _, ext := range []string{".gz", ".zst", ".xz", ".bz2", ".swf", ".parquet", ".arrow", ".csv"} {
		base = strings.TrimSuffix(base, ext)
	}
	if base == "-" || base == "" {
		return "site"
	}
	return base
}

// ModelLine returns a name in the form that a model can hold: one printable
// line of at most 500 bytes.
func ModelLine(name string) string {
	const most = 500
	name = printable.Text(name)
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most-len("…")], "") + "…"
}
