package inspect

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Months are in order of time, and the load of each is its work divided by the machine's capacity
// in the part of the month between the first and the last submission. By hand, on 10 processors:
// the log begins at noon of 30 January, 1.5 days before February; 64800 processor s are 64800/(10
// 129600) = 0.05 of the capacity. Its last job is submitted at noon of 1 March: February has 28
// days, with 1209600/(10 2419200) = 0.05, March half a day. The waits of February are 0 to 20 s,
// and one of March is unknown.
func TestByMonth(t *testing.T) {
	utc := workload.Clock{Start: time.Date(1997, 1, 30, 12, 0, 0, 0, time.UTC), Known: true}
	const day = 86400.0
	var jobs []workload.Job
	add := func(submit, wait, run float64) {
		j := workload.Job{Wait: wait, Run: run}
		j.Submit, j.Allocated, j.User = submit, 4, int64(len(jobs)%3)
		jobs = append(jobs, j)
	}
	add(0, 5, 16200)
	for i := range 21 {
		add(1.5*day+float64(i), float64(i), 14400)
	}
	add(30*day, 7, math.NaN())
	add(30*day, math.NaN(), math.NaN())
	o := DescribeOptions{By: "month", Processors: 10}
	d := describeWith(t, o, utc, usualLimits, jobs...)
	if got := d.By.Column; got != "month" {
		t.Errorf("by %q", got)
	}
	type row struct {
		month               string
		jobs, users, waits  int64
		median, q95, loaded float64
	}
	var got []row
	for _, v := range d.By.Values {
		got = append(got, row{v.Name, v.Jobs, int64(v.Users), v.Wait.Known, float64(v.Wait.Median), float64(v.Wait.Q95), float64(v.Load)})
	}
	nan := math.NaN()
	want := []row{{"1997-01", 1, 1, 1, 5, 5, 0.05}, {"1997-02", 21, 3, 21, 10, 19, 0.05}, {"1997-03", 2, 2, 1, 7, 7, nan}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// Without a date, months have 30 days, as in packages runtime and predict.
	d = describeWith(t, o, anyClock, usualLimits, jobs...)
	if n := len(d.By.Values); n != 2 || d.By.Values[0].Name != "days 0-29" || d.By.Values[1].Name != "days 30-59" {
		t.Errorf("without a date: %+v", d.By.Values)
	}
}
