package present

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// cleanFilters are the filters of 'loadstone clean' that remove the jobs of a rule.
var cleanFilters = map[string]string{
	"submit-unknown":         "submit=unknown",
	"run-unknown":            "run=unknown",
	"size-unknown":           "size=unknown",
	"job-duplicate":          "duplicates by=id",
	"status-part":            "partials",
	"status-range":           "status!=0..5,unknown",
	"failed-at-start":        "failed-at-start",
	"ran-without-processors": "proc=0 and (run>0 or status=1)",
}

// CleanFilter is the filter of 'loadstone clean' that removes the jobs of a finding of
// 'loadstone validate'; "" if there is none.
func CleanFilter(f inspect.Finding, v *inspect.Validation) string {
	switch {
	case f.Rule == "allocated-over-machine" && v.Log.Processors.Known():
		return "proc>" + Whole(int64(v.Log.Processors))
	case strings.HasPrefix(f.Rule, "negative-"):
		return f.Field + "<0"
	}
	return cleanFilters[f.Rule]
}
