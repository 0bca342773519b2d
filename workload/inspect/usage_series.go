package inspect

import (
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// stretch is a part of a log's time, and what happened in it.
type stretch struct {
	label    string
	from, to float64 // s
	covered  float64 // s between the first and the last submission
	amount           // of the jobs submitted

	busy, queue  float64 // processor s of the jobs that ran, job s waiting
	users        stats.Cardinality
	waits        summary
	failed, done int64 // of those that have an outcome
}

// submitted counts a job by its outcome and its wait.
func (x *stretch) submitted(status int64, wait float64) {
	switch status {
	case workload.StatusFailed, workload.StatusLastFailed:
		x.failed++
		x.done++
	case workload.StatusCompleted, workload.StatusLastCompleted, workload.StatusCancelled:
		x.done++
	}
	x.waits.add(wait)
}

func (x *stretch) failedShare() stats.Share { return stats.Share(float64(x.failed) / float64(x.done)) }

// series are stretches of time, each of which begins where the one before it ends.
type series []stretch

// at is the stretch that a time is in, nil for none. The last one has its end.
func (all series) at(t float64) *stretch {
	n := len(all)
	if n == 0 || !(t >= all[0].from && t <= all[n-1].to) {
		return nil
	}
	return &all[min(all.ending(t), n-1)]
}

// ending finds the first stretch that ends after a time.
func (all series) ending(t float64) int {
	return sort.Search(len(all), func(k int) bool { return all[k].to > t })
}

// overlaps calls use for each stretch that from to to overlaps, with the seconds.
func (all series) overlaps(from, to float64, use func(x *stretch, seconds float64)) {
	if !(from < to) {
		return
	}
	for k := all.ending(from); k < len(all) && all[k].from < to; k++ {
		use(&all[k], min(to, all[k].to)-max(from, all[k].from))
	}
}

// add adds a stretch.
func (all *series) add(label string, from, to float64, d *Description) {
	first, last := d.submissions()
	x := stretch{label: label, from: from, to: to, covered: max(0, min(to, last)-max(from, first))}
	x.waits.values.Limit = 4096
	*all = append(*all, x)
}

// wallSeries are equal stretches by the clock of the site that cover the submissions; one of
// them begins shift seconds after the midnight before second 0.
func wallSeries(d *Description, width, shift float64, label func(from float64) string) (all series) {
	first, last := d.submissions()
	w := newWall(d.Clock, width)
	for k := math.Floor((w.shows(first) - shift) / width); len(all) == 0 || all[len(all)-1].to <= last; k++ {
		from := w.second(k*width + shift)
		all.add(label(from), from, w.second((k+1)*width+shift), d)
	}
	return all
}

// intervalWidth is how long the intervals of a log of so many seconds are: a chart shows no more
// than 200.
func intervalWidth(seconds float64) float64 {
	width := 3600.0
	for _, longer := range []float64{3, 6, 12, 24, 7 * 24, 28 * 24, 84 * 24, 364 * 24} {
		if seconds/width > 198 {
			width = 3600 * longer
		}
	}
	for seconds/width > 198 {
		width *= 2
	}
	return width
}

// completePeriod is the share of a period that a log covers at the least where the
// period is to be compared.
const completePeriod = 0.9

// periodUnits are ways to divide a log's time, in the order of preference: by the first of
// which enough periods are complete. A comparison of fewer months says little that one of
// weeks does not say better.
var periodUnits = []struct {
	name  string
	days  float64
	least int // complete periods
}{{"month", 30, 8}, {"week", 7, 4}, {"day", 1, 4}}

// periodsOf divides a log into calendar months, or runs of 30 days where it has no dates; into
// weeks, which begin on Mondays; or into days. A log that is too short or too long has none.
func periodsOf(d *Description) (unit string, all series) {
	first, last := d.submissions()
	from, to := d.Clock.Month(first), d.Clock.Month(last)
	dated := d.Clock.Dates(first, last)
	for _, u := range periodUnits {
		if all = nil; !(last > first) || (last-first)/86400 > 1000*u.days || from == workload.Unknown || to == workload.Unknown {
			continue
		}
		if u.name == "month" {
			for k := from; k <= to; k++ {
				p := d.Clock.MonthPeriod(k)
				all.add(p.Label, p.From, p.To, d)
			}
		} else {
			shift := 0.0
			if dated && u.name == "week" {
				shift = -86400 * float64((d.Clock.Start.Weekday()+6)%7)
			}
			all = wallSeries(d, 86400*u.days, shift, func(from float64) string {
				if dated {
					return d.Clock.At(from).Format(time.DateOnly)
				}
				return fmt.Sprintf("%s from day %.0f", u.name, from/86400+1)
			})
		}
		complete := 0
		for k := range all {
			if x := &all[k]; x.covered >= completePeriod*(x.to-x.from) {
				complete++
			}
		}
		if complete >= u.least {
			return u.name, all
		}
	}
	return "", nil
}
