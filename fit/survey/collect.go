package survey

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
		r.Classes, err = fit.Collect(in, s.clock, collect, &odd)
		r.SiteClasses = r.Classes
	}
	r.Log.Name = s.log.Name
	column := s.o.By
	if byKinds {
		column = kinds.Column
	}
	switch {
	case err != nil:
		return err
	case r.Log.Jobs == 0:
		return fmt.Errorf("%s: nothing to fit: %w", s.log.Name, workload.ErrNoJobs)
	case len(r.Classes) == 0:
		return fmt.Errorf("%s: none of %d jobs has a status of --status", s.log.Name, r.Log.Jobs)
	case column != "" && !slices.ContainsFunc(r.SiteClasses, func(c fit.Class) bool { return c.Value != workload.Unknown }):
		return fmt.Errorf("%s: no job has a %s to fit by", s.log.Name, column)
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
			return k, true, fmt.Errorf("--by kind: no partition or queue in the header is called interactive: want --interactive column=value,... to say which jobs are")
		}
		return k, true, nil
	}
	k.Column = given.Column
	names := s.log.Header.NamesOf(given.Column)
	for _, text := range given.Values {
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			k.Interactive = append(k.Interactive, v)
			continue
		}
		found := false
		for v, name := range names {
			if name == text {
				k.Interactive, found = append(k.Interactive, v), true
			}
		}
		if !found {
			return k, true, fmt.Errorf("--interactive: %s has no value called %q in the header: want a number%s", given.Column, text, offered(names))
		}
	}
	slices.Sort(k.Interactive)
	return k, true, nil
}

// offered lists names for an error.
func offered(names map[int64]string) string {
	const most = 12
	if len(names) == 0 {
		return ""
	}
	all := slices.Sorted(maps.Values(names))
	if len(all) > most {
		all = append(all[:most], "...")
	}
	return ", or one of " + strings.Join(all, ", ")
}
