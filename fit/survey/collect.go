package survey

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// take takes over the classes and what was odd of the jobs.
func (s *survey) take(g *gathered) error {
	r := &s.out
	s.byKinds = g.byKinds
	r.Log = workload.Summary{Name: s.log.Name, Jobs: g.jobs}
	r.First, r.Last = g.first, g.last
	var odd []workload.Warning
	if g.byKinds {
		if r.Classes = g.classes.Classes(); len(r.Classes) > 0 {
			r.SiteClasses = r.Classes[1:]
		}
	} else {
		var err error
		if odd, err = g.watch.End(s.log.Name); err != nil {
			return err
		}
		r.Classes = g.classes.Classes()
		if s.o.By == "" || g.one {
			r.SiteClasses = r.Classes
		}
	}
	switch {
	case r.Log.Jobs == 0:
		return fmt.Errorf("%s: nothing to fit: %w", s.log.Name, workload.ErrNoJobs)
	case len(r.Classes) == 0:
		return fmt.Errorf("%s: none of %d jobs has one of the status codes asked for", s.log.Name, r.Log.Jobs)
	case g.byKinds && !slices.ContainsFunc(r.Classes, func(c fit.Class) bool { return c.Value != workload.Unknown }):
		return fmt.Errorf("%s: no job has a %s: %w", s.log.Name, g.kinds.Column, workload.ErrNoClass)
	}
	r.Warnings = slices.Concat(s.log.Warnings(), odd, g.odd.List())
	r.Warnings = append(r.Warnings, g.starts.Warnings()...)
	if g.byKinds {
		s.warnKinds(g.kinds, r.Classes[0])
	}
	return nil
}

// warnKinds says which jobs are not told apart.
func (s *survey) warnKinds(kinds workload.Kinds, all fit.Class) {
	if len(s.out.SiteClasses) == 1 {
		s.warn("one-kind", "all jobs with a %s are %s", kinds.Column, s.out.SiteClasses[0].Name)
	}
	neither := all.Jobs()
	for _, c := range s.out.SiteClasses {
		neither -= c.Jobs()
	}
	if neither > 0 {
		s.warn("no-kind", "%d jobs without a %s are neither interactive nor batch jobs", neither, kinds.Column)
	}
}

// kinds says what tells interactive from batch jobs; false where they are not to
// be told apart.
func (g *gathered) findKinds(log *workload.Log) (k workload.Kinds, asked bool, err error) {
	given := g.o.Interactive
	switch {
	case given == nil && g.o.By != ByKind:
		return k, false, nil
	case given == nil:
		k, ok := workload.FindKinds(&log.Header)
		if !ok {
			return k, true, &workload.OptionError{Option: "interactive", Saw: "is missing, and the header calls no partition or queue interactive", Want: "column=value,... of the interactive jobs"}
		}
		return k, true, nil
	}
	by, err := workload.ParseClasses([]string{workload.NamedWord}, workload.Grouping{Header: &log.Header,
		Named: []workload.NamedClass{{Name: workload.KindInteractive, Column: given.Column, Values: given.Values}}})
	if fault := new(workload.OptionError); errors.As(err, &fault) {
		return k, true, &workload.OptionError{Option: "interactive", Saw: fault.Saw, Want: fault.Want}
	}
	k.Column, k.Interactive = given.Column, slices.Sorted(maps.Keys(by[0].Groups))
	return k, true, nil
}
