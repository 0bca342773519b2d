package mapping

import (
	"slices"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/workload"
)

// alias is a target and the names that tables of other programs commonly give to its
// column, the most specific first.
type alias struct {
	target target
	names  []string
}

// aliases are read where a table has no column of the target's own name. Names whose unit
// or meaning differs between programs are not here: memory, and time limits, which are
// often in minutes.
var aliases = []alias{
	{workload.ColJobID, []string{"job_number", "id"}},
	{workload.ColSubmitTime, []string{"submit", "submitted", "submitted_at", "submission_time", "arrival_time"}},
	{toInterarrival, nil},
	{workload.ColEligibleTime, []string{"eligible"}},
	{workload.ColWaitTime, []string{"wait", "waiting_time"}},
	{workload.ColRunTime, []string{"runtime", "elapsed", "elapsed_time", "duration", "execution_time"}},
	{toStart, []string{"start", "started", "started_at", "starting_time"}},
	{toEnd, []string{"end", "ended", "ended_at", "finish_time", "finished_at"}},
	{workload.ColRequestedTime, []string{"req_time", "requested_walltime", "req_walltime", "walltime"}},
	{workload.ColRequestedProcessors, []string{"req_processors", "req_procs", "req_cpus", "requested_cpus", "requested_cores", "requested_number_of_resources"}},
	{workload.ColAllocatedProcessors, []string{"alloc_cpus", "processors", "procs", "num_procs", "cpus", "ncpus", "num_cpus", "cores", "ncores", "num_cores"}},
	{workload.ColRequestedNodes, []string{"req_nodes"}},
	{workload.ColAllocatedNodes, []string{"alloc_nodes", "nodes", "nnodes", "num_nodes"}},
	{workload.ColRequestedGPUs, []string{"req_gpus"}},
	{workload.ColAllocatedGPUs, []string{"alloc_gpus", "gpus", "ngpus", "num_gpus"}},
	{workload.ColStatus, []string{"state", "job_state", "final_state"}},
	{workload.ColUser, []string{"user_name", "uid", "owner"}},
	{workload.ColGroup, []string{"group_name", "gid"}},
	{workload.ColApplication, []string{"app", "executable"}},
	{workload.ColQueue, []string{"queue_name"}},
	{workload.ColPartition, []string{"partition_name"}},
	{workload.ColAccount, []string{"account_name", "project"}},
}

// addAliases adds entries for the targets that a table has under another name, beside
// those that were found.
func (m *Mapping) addAliases(columns []string, found map[target]string) {
	has := func(t target) bool { _, ok := found[t]; return ok }
	used := func(column string) bool {
		for _, c := range found {
			if c == column {
				return true
			}
		}
		return false
	}
	named := aliased(columns, has, used)
	for t := range targets {
		if column, ok := named[t]; ok {
			m.entries = append(m.entries, pairEntry(t, column))
			m.aliased = append(m.aliased, column+" as "+t.String())
		}
	}
}

// plainName returns a column's name without capitals, blanks and punctuation, so that
// "Submit Time", "SubmitTime" and "submit_time" are the same.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// aliased returns columns that aliases name for targets that have none yet, which has
// says. A column that is used, or that two columns share a name with, is not among them.
func aliased(columns []string, has func(target) bool, used func(string) bool) map[target]string {
	found := map[target]string{}
	taken := func(t target) bool { _, ok := found[t]; return ok || has(t) }
	for _, a := range aliases {
		switch {
		case taken(a.target),
			a.target == toStart && taken(workload.ColWaitTime),
			a.target == toEnd && taken(workload.ColRunTime),
			a.target == workload.ColWaitTime && has(toStart),
			a.target == workload.ColRunTime && has(toEnd),
			a.target == toInterarrival && taken(workload.ColSubmitTime),
			taken(toInterarrival) && a.target.moment():
			continue
		}
		for _, name := range append([]string{a.target.String(), a.target.short()}, a.names...) {
			same := func(c string) bool { return plainName(c) == plainName(name) }
			i := slices.IndexFunc(columns, same)
			if i >= 0 && !slices.ContainsFunc(columns[i+1:], same) && !used(columns[i]) {
				found[a.target] = columns[i]
				break
			}
		}
	}
	return found
}

// byAliases returns the mapping of a table that has columns under other names than the job
// table's, else nil.
func byAliases(file string, columns []string) (*Mapping, error) {
	m, err := fromPairs("table", file, columns, nil)
	if err != nil || len(m.aliased) == 0 && !m.short {
		return nil, nil // the reader of job tables reports the fault
	}
	return m, nil
}
