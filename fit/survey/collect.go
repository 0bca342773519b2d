package survey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// collect reads the log.
func (s *survey) collect(ctx context.Context) error {
	kinds, byKinds, err := s.kinds()
	if err != nil {
		return fmt.Errorf("%s: %w", s.log.Name, err)
	}
	r := &s.out
	s.byKinds = byKinds
	var (
		odd     workload.Warnings
		all     fit.Class
		in      = s.seen(workload.Until(ctx, s.log.Jobs()))
		collect = fit.CollectOptions{By: s.o.By, Status: s.o.Status, Weeks: s.o.SiteReplicates > 0}
	)
	if byKinds {
		all, r.SiteClasses, err = fit.CollectKinds(in, s.clock, kinds, collect, &odd)
		if err == nil && all.Jobs() > 0 {
			r.Classes = append([]fit.Class{all}, r.SiteClasses...)
		}
	} else {
		if collect.Classes, err = s.o.classes(&s.log.Header); err != nil {
			return fmt.Errorf("%s: %w", s.log.Name, err)
		}
		s.log.WatchClasses(collect.Classes, false)
		in = s.seen(workload.Until(ctx, s.log.Jobs()))
		collect.By = ""
		r.Classes, err = fit.Collect(in, s.clock, collect, &odd)
		if s.o.By == "" || fit.OneIdentifier(collect.Classes) {
			r.SiteClasses = r.Classes
		}
	}
	r.Log.Name = s.log.Name
	switch {
	case err != nil:
		return err
	case r.Log.Jobs == 0:
		return fmt.Errorf("%s: nothing to fit: %w", s.log.Name, workload.ErrNoJobs)
	case len(r.Classes) == 0:
		return fmt.Errorf("%s: none of %d jobs has one of the status codes asked for", s.log.Name, r.Log.Jobs)
	case byKinds && !slices.ContainsFunc(r.Classes, func(c fit.Class) bool { return c.Value != workload.Unknown }):
		return fmt.Errorf("%s: no job has a %s: %w", s.log.Name, kinds.Column, workload.ErrNoClass)
	}
	r.Warnings = append(slices.Clone(s.log.Warnings()), odd.List()...)
	if byKinds {
		s.warnKinds(kinds, all)
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
func (s *survey) kinds() (k workload.Kinds, asked bool, err error) {
	given := s.o.Interactive
	switch {
	case given == nil && s.o.By != ByKind:
		return k, false, nil
	case given == nil:
		k, ok := workload.FindKinds(&s.log.Header)
		if !ok {
			return k, true, &workload.OptionError{Option: "interactive", Saw: "is missing, and the header calls no partition or queue interactive", Want: "column=value,... of the interactive jobs"}
		}
		return k, true, nil
	}
	by, err := workload.ParseClasses([]string{workload.NamedWord}, workload.Grouping{Header: &s.log.Header,
		Named: []workload.NamedClass{{Name: workload.KindInteractive, Column: given.Column, Values: given.Values}}})
	if fault := new(workload.OptionError); errors.As(err, &fault) {
		return k, true, &workload.OptionError{Option: "interactive", Saw: fault.Saw, Want: fault.Want}
	}
	k.Column, k.Interactive = given.Column, slices.Sorted(maps.Keys(by[0].Groups))
	return k, true, nil
}
