package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// NoEstimate is the reason given if the users' estimates are not scored.
const NoEstimate = "no job has an estimate of its run time"

// columnsOf are the columns that an entry's classes are made by, and those that
// it falls back on; none of a custom predictor, whose classes are a label.
func columnsOf(e runtime.Entry) []string {
	if e.Own != nil {
		return nil
	}
	columns := e.Classes.Columns()
	for _, c := range e.Fallback {
		columns = append(columns, c.Columns()...)
	}
	return columns
}

// leaveOut notes the classes that the log has not the columns for, and warns
// once of each column that it lacks: of the classes left out, and of those that
// stay and are coarser for it.
func (r *runTimes) leaveOut() {
	r.out.Warnings = slices.Clone(r.log.Warnings())
	for _, w := range r.odd.List() {
		// Columns that the log lacks are reported once, below.
		if !slices.ContainsFunc(r.unknown, func(c *workload.Column) bool { return w.Rule == "no-"+c.Words[0] }) {
			r.out.Warnings = append(r.out.Warnings, w)
		}
	}
	warn := func(rule, text string) {
		r.out.Warnings = append(r.out.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
	}
	r.out.Warnings = append(r.out.Warnings, fewJobs(r.tallies[0].Jobs(), "run times")...)
	r.out.LeftOut = []ClassesLeftOut{}
	gone := map[string][]string{}
	var whys []string
	for _, e := range r.entries {
		why := r.lacks(e)
		if why == "" || r.estimates(e) || slices.Contains(gone[why], e.Classes.Name) {
			continue
		}
		if len(gone[why]) == 0 {
			whys = append(whys, why)
		}
		gone[why] = append(gone[why], e.Classes.Name)
		r.out.LeftOut = append(r.out.LeftOut, ClassesLeftOut{e.Classes.Name, why})
	}
	for _, why := range whys {
		warn("classes-left-out", "classes "+strings.Join(gone[why], ", ")+" are left out: "+why)
	}
	for _, c := range r.unknown {
		word := c.Words[0]
		r.out.Unknown = append(r.out.Unknown, word)
		var kept []string
		for _, i := range r.scored() {
			if e := r.entries[i]; slices.Contains(columnsOf(e), c.Name) && !slices.Contains(kept, e.Classes.Name) {
				kept = append(kept, e.Classes.Name)
			}
		}
		if len(kept) > 0 {
			warn("no-"+word, "no job has the "+word+", which is therefore ignored in the classes "+strings.Join(kept, ", "))
		}
	}
}

// leastScored is the fewest scored jobs without a warning. With 100, a share near one half
// is known to a tenth (95 % interval), and only if the jobs are independent.
const leastScored = 100

// fewJobs warns if n scores of what is named are few; none are another warning's.
func fewJobs(n int, what string) []workload.Warning {
	if n == 0 || n >= leastScored {
		return nil
	}
	text := fmt.Sprintf("few %s are scored (%d): with more jobs the scores may differ much (want %d or more)", what, n, leastScored)
	return []workload.Warning{{Rule: "few-jobs", Text: text, Count: 1}}
}

// estimates says whether an entry is the one of RunTimesOptions.UserEstimates.
func (r *runTimes) estimates(e runtime.Entry) bool {
	return r.o.UserEstimates && e.Predictor == userEstimate && e.Own == nil
}

// lacks says why an entry is left out; empty where it is not. In the four ways
// of the paper a log without sites has one site, and one without applications
// one application; jobs of unknown users are not one user's, though.
func (r *runTimes) lacks(e runtime.Entry) string {
	if r.estimates(e) && !r.estimated {
		return NoEstimate
	}
	if e.Own != nil {
		return ""
	}
	paper := slices.Contains(runtime.ClassesNames(), e.Classes.Name)
	for _, name := range e.Classes.Columns() {
		c := workload.FindColumn(name)
		if slices.Contains(r.unknown, c) && (!paper || name == "user_id") && e.Classes.Name != fallbackLabel {
			return "no job has the " + c.Words[0]
		}
	}
	return ""
}

// scored are the numbers of the entries that are not left out.
func (r *runTimes) scored() []int {
	var all []int
	for i, e := range r.entries {
		if r.lacks(e) == "" {
			all = append(all, i)
		}
	}
	return all
}
