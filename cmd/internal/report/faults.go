package report

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// faultWords say of each rule of a fault what to do.
func faultWords(v *inspect.Validation) (all []string) {
	for _, f := range v.Findings {
		if f.Severity != inspect.Fault {
			continue
		}
		text := ""
		switch filter := present.CleanFilter(f, v); {
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
