package cli

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeLoadJSON struct {
	Asked     stats.Number           `json:"interval_asked_s"`
	Width     stats.Number           `json:"interval_s"`
	Intervals []describeIntervalJSON `json:"intervals"`
}

type describeIntervalJSON struct {
	Start   stats.Number `json:"start_s"`
	Time    string       `json:"start,omitempty"`
	Covered stats.Number `json:"covered_s"`
	Jobs    int64        `json:"jobs"`
	Work    stats.Number `json:"work_processor_s"`
	Load    stats.Number `json:"offered_load"`
}

// loadOf is the offered load over time.
func loadOf(js *describeJSON, d inspect.Description, clock workload.Clock) describeSection {
	l := d.Load
	out := &describeLoadJSON{Asked: stats.Number(l.Asked), Width: stats.Number(l.Width), Intervals: []describeIntervalJSON{}}
	s := describeSection{
		title:  "Offered load of the jobs submitted in each " + spanText(l.Width),
		people: present.Table{Head: []string{"start", "covered", "jobs", "processor hours", "load"}},
		csv:    present.Table{Head: []string{"start_s", "covered_s", "jobs", "work_processor_s", "offered_load"}},
	}
	var loads []float64
	for _, i := range l.Intervals {
		row := describeIntervalJSON{Start: stats.Number(i.Start), Covered: stats.Number(i.Seconds), Jobs: i.Jobs, Work: stats.Number(i.Work), Load: stats.Number(i.Load)}
		if dated(clock, i.Start) {
			row.Time = clock.At(i.Start).Format(time.RFC3339)
		}
		out.Intervals = append(out.Intervals, row)
		s.people.Add(moment(clock, i.Start), fmt.Sprintf("%.0f%%", 100*i.Seconds/l.Width), jobsText(i.Jobs), present.Fixed(i.Work/3600, 1), present.Fixed(i.Load, 3))
		s.csv.Add(present.Full(row.Start), present.Full(row.Covered), jobsText(i.Jobs), present.Full(row.Work), present.Full(row.Load))
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
			return present.Sig(n) + " " + u.one + "s"
		}
	}
	return present.Sig(seconds) + " seconds"
}
