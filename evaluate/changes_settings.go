package evaluate

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// setting is an option of two runs, in words.
type setting struct{ name, was, is string }

func numeric(name string, was, is float64) setting {
	return setting{name, fmt.Sprintf("%g", was), fmt.Sprintf("%g", is)}
}

// differing says which settings differ, and in what the logs do. A log may have
// moved to another folder.
func differing(before, now workload.Summary, settings []setting) []string {
	var all []string
	if was, is := filepath.Base(before.Name), filepath.Base(now.Name); was != is {
		all = append(all, fmt.Sprintf("log %q, not %q", was, is))
	}
	if before.Jobs != now.Jobs {
		all = append(all, fmt.Sprintf("%d jobs, not %d", before.Jobs, now.Jobs))
	}
	for _, x := range settings {
		if x.was != x.is {
			all = append(all, x.name+" "+x.was+", not "+x.is)
		}
	}
	return all
}

// differences says in what an earlier run differs from this one, so that their
// scores are not of the same thing.
func (r *RunTimesResult) differences(earlier *RunTimesResult) []string {
	was, is := earlier.Options, r.Options
	settings := []setting{
		numeric("alpha", was.Alpha, is.Alpha),
		numeric("window", float64(was.Window), float64(is.Window)),
		numeric("neighbours", float64(was.Neighbours), float64(is.Neighbours)),
		numeric("quantile", was.Quantile, is.Quantile),
		numeric("confidence", was.Confidence, is.Confidence),
		{"optimise", cmp.Or(string(was.Optimise), string(stats.ByAccuracy)), string(is.Optimise)},
	}
	// Where only one of the runs has a chain, no score of one is compared.
	if len(earlier.Fallback) > 0 && len(r.Fallback) > 0 {
		settings = append(settings, setting{"fallback", strings.Join(earlier.Fallback, ","), strings.Join(r.Fallback, ",")})
	}
	return differing(earlier.Log, r.Log, settings)
}

func (r *WaitsResult) differences(earlier *WaitsResult) []string {
	was, is := earlier.Options, r.Options
	settings := []setting{
		numeric("quantile", earlier.Quantile, r.Quantile),
		numeric("confidence", earlier.Confidence, r.Confidence),
		numeric("trim", was.Trim, is.Trim),
		numeric("months", float64(was.Months), float64(is.Months)),
		numeric("estimate factor", was.Factor, is.Factor),
	}
	if earlier.Processors != nil && r.Processors != nil {
		settings = append(settings, numeric("processors", float64(*earlier.Processors), float64(*r.Processors)))
	}
	names := func(all []string) string {
		if len(all) == 0 {
			return "none"
		}
		return strings.Join(all, ",")
	}
	return differing(earlier.Log, r.Log, append(settings,
		setting{"law", was.Law, is.Law},
		setting{"parameters", earlier.Parameters, r.Parameters},
		setting{"classes", names(earlier.Classes), names(r.Classes)},
		setting{"groups", names(earlier.Groups), names(r.Groups)},
		setting{"changes", earlier.Changes, r.Changes},
	))
}
