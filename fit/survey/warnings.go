package survey

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// mostNamed is how many classes a warning names; the others are counted.
const mostNamed = 3

// warnSite repeats what the reports of a site warn of, once.
func (s *survey) warnSite(report *site.Report) {
	s.warnSkipped(report.Skipped)
	s.warnFallbacks(report.Fallbacks)
	said := map[string]bool{}
	for _, r := range []*site.Report{s.out.SiteOfAll, report} {
		if r == nil {
			continue
		}
		for _, w := range r.Warnings {
			if !said[w] {
				said[w] = true
				s.warn("site", "%s", w)
			}
		}
	}
}

// warnSkipped says which classes are not fitted, or not in the model.
func (s *survey) warnSkipped(skipped []fit.SkippedClass) {
	var jobs int64
	for i, c := range skipped {
		if i < mostNamed {
			s.warn("class-not-fitted", "class %s is not fitted: %s", c.Label, c.Why)
		} else {
			jobs += c.Jobs
		}
	}
	if n := len(skipped) - mostNamed; n > 0 {
		s.warn("class-not-fitted", "%d more %s not fitted, with %s", n, words.Plural(n, "class is", "classes are"), words.Counted(jobs, "job"))
	}
}

// warnFallbacks says what classes of the model could not be fitted, and what they
// have instead.
func (s *survey) warnFallbacks(classes []site.FallbackClass) {
	var jobs int64
	for i, f := range classes {
		if i >= mostNamed {
			jobs += f.Jobs
			continue
		}
		s.warn("class-falls-back", "class %s has too few jobs for a whole fit (%s): sizes from %s, run times from %s, interarrival times from %s, scaled to its rate",
			f.Label, f.Why, sourceText(f.Sizes), sourceText(f.RunTimes), sourceText(f.Arrivals))
	}
	if n := len(classes) - mostNamed; n > 0 {
		s.warn("class-falls-back", "%d more %s not fitted as a whole, with %s; the report of the site lists what each has", n, words.Plural(n, "class is", "classes are"), words.Counted(jobs, "job"))
	}
}

// sourceText says where a part of a class is from.
func sourceText(s site.Source) string {
	switch s {
	case site.FromFit:
		return "its own distribution"
	case site.FromJobs:
		return "the values in the log"
	}
	return "a distribution of several classes together"
}
