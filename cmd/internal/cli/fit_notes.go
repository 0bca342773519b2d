package cli

import (
	"github.com/loadstone-hpc/loadstone/fit/site"
)

// noteEstimates says that a model has the log's requested times.
func (a *app) noteEstimates(report *site.Report) {
	jobs, times := int64(0), 0
	for _, c := range report.Classes {
		if e := c.Estimates; e != nil {
			jobs, times = jobs+e.Jobs, max(times, e.Distinct)
		}
	}
	if jobs > 0 {
		a.note("the model has the requested times of %d jobs, up to %d different ones a class; 'loadstone generate --estimates none' leaves them out", jobs, times)
	}
}
