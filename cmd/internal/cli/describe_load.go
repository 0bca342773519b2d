package cli

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeLoadJSON struct {
	Asked     number                 `json:"interval_asked_s"`
	Width     number                 `json:"interval_s"`
	Intervals []describeIntervalJSON `json:"intervals"`
}

type describeIntervalJSON struct {
	Start   number `json:"start_s"`
	Time    string `json:"start,omitempty"`
	Covered number `json:"covered_s"`
	Jobs    int64  `json:"jobs"`
	Work    number `json:"work_processor_s"`
	Load    number `json:"offered_load"`
}

// loadOf is the offered load over time.
func loadOf(js *describeJSON, d inspect.Description, clock workload.Clock) describeSection {
	l := d.Load
	out := &describeLoadJSON{Asked: number(l.Asked), Width: number(l.Width), Intervals: []describeIntervalJSON{}}
	s := describeSection{
		title:  "Offered load of the jobs submitted in each " + spanText(l.Width),
		people: table{head: []string{"start", "covered", "jobs", "processor hours", "load"}},
		csv:    table{head: []string{"start_s", "covered_s", "jobs", "work_processor_s", "offered_load"}},
	}
	var loads []float64
	for _, i := range l.Intervals {
		row := describeIntervalJSON{Start: number(i.Start), Covered: number(i.Seconds), Jobs: i.Jobs, Work: number(i.Work), Load: number(i.Load)}
		if dated(clock, i.Start) {
			row.Time = clock.At(i.Start).Format(time.RFC3339)
		}
		out.Intervals = append(out.Intervals, row)
		s.people.add(moment(clock, i.Start), fmt.Sprintf("%.0f%%", 100*i.Seconds/l.Width), jobsText(i.Jobs), fixed(i.Work/3600, 1), fixed(i.Load, 3))
		s.csv.add(row.Start.text(), row.Covered.text(), jobsText(i.Jobs), row.Work.text(), row.Load.text())
		if !math.IsNaN(i.Load) && i.Seconds >= l.Width/2 {
			loads = append(loads, i.Load)
		}
	}
	if len(loads) > 0 {
		slices.Sort(loads)
		s.after = append(s.after, fmt.Sprintf("Load of those covered by half or more: median %.3f, lowest %.3f, highest %.3f.", stats.Quantile(loads, 0.5), loads[0], loads[len(loads)-1]))
	}
	if l.Width > l.Asked {
		s.after = append(s.after, fmt.Sprintf("Intervals of %s would be too many: neighbours are joined.", spanText(l.Asked)))
	}
	js.Load = out
	return s
}

// spanText writes a length of time in its largest whole unit.
func spanText(seconds float64) string {
	for _, u := range []struct {
		seconds float64
		one     string
	}{{week, "week"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if n := seconds / u.seconds; n == math.Trunc(n) && n > 0 {
			if n == 1 {
				return u.one
			}
			return sig(n) + " " + u.one + "s"
		}
	}
	return sig(seconds) + " seconds"
}
