package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeArrivalsJSON struct {
	Jobs      int64                 `json:"jobs"`
	Clock     string                `json:"clock"`
	ByHour    []describeHourJSON    `json:"by_hour"`
	ByWeekday []describeWeekdayJSON `json:"by_weekday"`
	Both      []describeBothJSON    `json:"by_weekday_and_hour"`
}

type describeHourJSON struct {
	Hour int          `json:"hour"`
	Jobs int64        `json:"jobs"`
	Pct  stats.Number `json:"share_pct"`
}

type describeWeekdayJSON struct {
	Weekday string       `json:"weekday"`
	Jobs    int64        `json:"jobs"`
	Pct     stats.Number `json:"share_pct"`
}

type describeBothJSON struct {
	Weekday string  `json:"weekday"`
	Hours   []int64 `json:"jobs_by_hour"`
}

// fromMonday are the days of the week in the order that logs are read in.
var fromMonday = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

// arrivalsOf is submissions by hour and weekday. Its CSV has both at once, from
// which either follows.
func arrivalsOf(js *describeJSON, d inspect.Description, clock workload.Clock, note string) describeSection {
	a := d.Arrivals
	zone := "the site's clock, " + clock.Start.Location().String()
	if clock.Start.Location().String() == "" {
		zone = "the site's clock, UTC" + clock.Start.Format("-07:00")
	}
	if note != "" {
		zone = note
	}
	out := &describeArrivalsJSON{Jobs: a.Jobs, Clock: zone}
	s := describeSection{
		title:  fmt.Sprintf("Submissions by hour and weekday (%s)", zone),
		people: present.Table{Head: []string{"hour", "jobs", "share", "", "weekday", "jobs", "share"}},
		csv:    present.Table{Head: []string{"weekday", "hour", "jobs"}},
	}
	for _, day := range fromMonday {
		n := a.ByWeekday[day]
		out.ByWeekday = append(out.ByWeekday, describeWeekdayJSON{day.String(), n, share(n, a.Jobs)})
		out.Both = append(out.Both, describeBothJSON{day.String(), a.ByWeekdayHour[day][:]})
		for hour, n := range a.ByWeekdayHour[day] {
			s.csv.Add(day.String(), strconv.Itoa(hour), jobsText(n))
		}
	}
	for hour, n := range a.ByHour {
		out.ByHour = append(out.ByHour, describeHourJSON{hour, n, share(n, a.Jobs)})
		row := []string{strconv.Itoa(hour), jobsText(n), present.Percent(float64(share(n, a.Jobs))), "", "", "", ""}
		if hour < len(fromMonday) {
			w := out.ByWeekday[hour]
			row[4], row[5], row[6] = w.Weekday, jobsText(w.Jobs), present.Percent(w.Pct)
		}
		s.people.Add(row...)
	}
	js.Arrivals = out
	return s
}
