package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// faultFilter is the filter of 'loadstone clean' that removes the jobs of a finding; "" where
// no filter is that rule.
func faultFilter(f inspect.Finding, v *inspect.Validation) string {
	switch {
	case f.Rule == "submit-unknown":
		return "submit=unknown"
	case f.Rule == "allocated-over-machine" && v.Log.Processors.Known():
		return "allocated>" + present.Whole(int64(v.Log.Processors))
	case f.Rule == "ran-without-processors":
		return "allocated=0 and (run>0 or status=1)"
	case f.Rule == "job-duplicate":
		return "duplicates by=id"
	case f.Rule == "status-range":
		return "status!=0..5,unknown"
	case strings.HasPrefix(f.Rule, "negative-"):
		return f.Field + "<0"
	}
	return ""
}

// faultWords say of each rule of a fault what to do.
func faultWords(v *inspect.Validation) (all []string) {
	for _, f := range v.Findings {
		if f.Severity != inspect.Fault {
			continue
		}
		text := ""
		switch filter := faultFilter(f, v); {
		case filter != "":
			text = fmt.Sprintf("loadstone clean --filter '%s' removes these jobs.", filter)
		case f.Rule == overFull:
			text = "it concerns several jobs together, so 'loadstone clean' has no filter for it. The machine's size (--procs) may be too small, or the log may have jobs of other machines or inaccurate times."
		case f.Rule == "submit-order":
			text = "no job is wrong; commands that need the order of submission sort the jobs."
		case f.Counts == "headers":
			text = "correct the header; the jobs are not affected."
		default:
			text = "'loadstone validate --first 100' lists the first 100 with their rows; loadstone clean --filter 'row=...' removes single jobs."
		}
		all = append(all, f.Rule+": "+text)
	}
	return all
}
