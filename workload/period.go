package workload

import (
	"fmt"
	"iter"
	"math"
	"time"
)

// Period is a part of a log's time: the jobs with From <= submission < To, in
// seconds of the log. The last of Parts includes To.
type Period struct {
	Number   int64   // ascending in time
	From, To float64 // s, from the log's start
	Label    string  // "1996-01 to 1996-04", or "part 2 of 5"
}

// Division divides a log's time into periods. Months and Parts make one.
type Division struct {
	months   int64 // 0 for parts
	clock    Clock
	from, to float64
	parts    int64
}

// undatedMonth is the length of a month of a log without dates, days.
const undatedMonth = 30

// Months divides time into calendar months, in the site's time zone, or into
// runs of several, which begin with January: 4 gives Downey's January to
// April, May to August and September to December. months must divide 12. A month of a log
// without dates is 30 days from its start.
func Months(clock Clock, months int) (Division, error) {
	if months < 1 || 12%months != 0 {
		return Division{}, fmt.Errorf("periods of %d months, want 1, 2, 3, 4, 6 or 12", months)
	}
	return Division{months: int64(months), clock: clock}, nil
}

// Parts divides the time from the first to the last submission, in seconds of
// the log as SubmitSpan finds them, into equal parts.
func Parts(first, last float64, parts int) (Division, error) {
	if !(first < last) || math.IsInf(last-first, 1) {
		return Division{}, fmt.Errorf("time from %s to %s to divide, want a finite time from earlier to later", seconds(first), seconds(last))
	}
	if parts < 1 {
		return Division{}, fmt.Errorf("%d parts, want at least 1", parts)
	}
	return Division{from: first, to: last, parts: int64(parts)}, nil
}

// SubmitSpan returns the first and the last submission of a log, in seconds,
// whatever the order of its jobs; known is false where no job has one. An
// error of jobs ends it.
func SubmitSpan(jobs iter.Seq2[Job, error]) (first, last float64, known bool, err error) {
	for j, err := range jobs {
		switch {
		case err != nil:
			return 0, 0, false, err
		case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		case !known:
			first, last, known = j.Submit, j.Submit, true
		default:
			first, last = min(first, j.Submit), max(last, j.Submit)
		}
	}
	return first, last, known, nil
}

// Number returns the number of the period that a submission is in; false where
// it is in none: unknown, outside the parts, or too far for a calendar.
func (d Division) Number(submit float64) (int64, bool) {
	if d.months == 0 {
		if !(submit >= d.from && submit <= d.to) {
			return 0, false
		}
		n := int64((submit - d.from) / (d.to - d.from) * float64(d.parts))
		return min(n, d.parts-1), true
	}
	if !(math.Abs(submit) < dated) {
		return 0, false
	}
	if !d.clock.Known {
		return int64(math.Floor(submit / float64(d.months*undatedMonth*86400))), true
	}
	at := d.clock.At(math.Floor(submit))
	month := int64(at.Year())*12 + int64(at.Month()) - 1
	if month < 0 {
		month -= d.months - 1 // a division that rounds down
	}
	return month / d.months, true
}

// Period returns the period of that number.
func (d Division) Period(number int64) Period {
	if d.months == 0 {
		at := func(n int64) float64 { return d.from + (d.to-d.from)*(float64(n)/float64(d.parts)) }
		return Period{number, at(number), at(number + 1), fmt.Sprintf("part %d of %d", number+1, d.parts)}
	}
	if !d.clock.Known {
		first, next := undatedMonth*d.months*number, undatedMonth*d.months*(number+1)
		return Period{number, float64(first) * 86400, float64(next) * 86400, fmt.Sprintf("days %d-%d", first, next-1)}
	}
	begin := func(number int64) time.Time {
		return time.Date(0, time.Month(1+number*d.months), 1, 0, 0, 0, 0, d.clock.Start.Location())
	}
	from, to := begin(number), begin(number+1)
	label := from.Format("2006-01")
	if d.months > 1 {
		label += " to " + to.AddDate(0, -1, 0).Format("2006-01")
	}
	at := func(t time.Time) float64 { return float64(t.Unix() - d.clock.Start.Unix()) }
	return Period{number, at(from), at(to), label}
}
