package grid

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ErrNoSites is the cause of the error of a log in which no job has a site.
var ErrNoSites = errors.New("no job has a site (partition_id)")

// checkSites compares the sites of the log with those that clusters stand for.
func (s *computation) checkSites() error {
	g := &s.o.Grid
	switch {
	case len(s.sites) == 0 && g.NamesSites():
		return fmt.Errorf("%w, and the clusters of grid %s stand for sites: remove \"partition\" from it", ErrNoSites, g.Name)
	case len(s.sites) == 0 && !s.o.NoSites:
		return fmt.Errorf("%w, so this is the log of one machine", ErrNoSites)
	}
	named := 0
	var absent []string
	for _, c := range g.Clusters {
		if !c.Partition.Known() {
			continue
		}
		named++
		if _, there := slices.BinarySearch(s.sites, int64(c.Partition)); !there {
			absent = append(absent, fmt.Sprintf("%s (partition %d)", c.Name, c.Partition))
		}
	}
	switch {
	case len(absent) == 0:
		return nil
	case len(absent) == named:
		return fmt.Errorf("no job is of a site that a cluster of grid %s stands for: these are %s; the jobs' sites are %s", g.Name, few(absent), few(s.sites))
	}
	s.warnEarly(workload.Warning{Rule: EarlySites, Count: 1, Text: fmt.Sprintf("grid %s: no job is of the site of %s; the jobs' sites are %s", g.Name, few(absent), few(s.sites))})
	return nil
}

// few lists the first of many.
func few[T any](all []T) string {
	const most = 12
	var texts []string
	for _, x := range all[:min(most, len(all))] {
		texts = append(texts, fmt.Sprint(x))
	}
	text := strings.Join(texts, ", ")
	if rest := len(all) - most; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// unlike says which policies are compared on fewer jobs than others.
func (r *Result) unlike() []workload.Warning {
	most := 0
	for _, s := range r.Scores {
		most = max(most, s.Jobs)
	}
	var all []workload.Warning
	for _, s := range r.Scores {
		if s.Jobs < most {
			all = append(all, workload.Warning{Rule: "unlike-jobs", Count: 1, Text: fmt.Sprintf("policy %s schedules %d of the others' %d jobs: do not compare its means with theirs", s.Policy, s.Jobs, most)})
		}
	}
	return all
}
