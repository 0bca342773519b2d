package delimited

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvTimes reads a log's moments: all of them are numbers of seconds, or all
// are timestamps.
type csvTimes struct {
	stamps bool
	start  int64 // what moments are counted from, s since 1970; 0 where they count from the log's start
	zone   *time.Location
}

const wantPoint = "seconds, or a time such as 2024-05-31 14:30:00"

// instant is a timestamp's seconds since 1970. A local time that the clock
// went over twice is the first of the two, and odd, as is one that it leapt
// over.
func (t *csvTimes) instant(clock *parse.Clock, v []byte) (seconds int64, fraction float64, odd csvRule, want string) {
	seconds, fraction, local, want := parse.Stamp(v)
	if want == "" && local && t.zone != time.UTC {
		first, last, missed := clock.Instants(seconds)
		switch seconds = first; {
		case missed:
			odd = csvSkipped
		case first != last:
			odd = csvRepeated
		}
	}
	return seconds, fraction, odd, want
}

// parsePoint reads a moment in seconds from the log's start.
func (t *csvTimes) parsePoint(clock *parse.Clock, v []byte) (x float64, odd csvRule, want string) {
	if !t.stamps {
		if x, want = parse.Number(v); want != "" {
			if _, _, _, bad := parse.Stamp(v); bad == "" {
				want = "seconds, as in the first times of the file"
			} else {
				want = wantPoint
			}
		}
		return x - float64(t.start), 0, want
	}
	seconds, fraction, odd, want := t.instant(clock, v)
	return float64(seconds-t.start) + fraction, odd, want
}

// between is the time from one moment to another. Timestamps are of
// microseconds at the finest, which their difference need not blur.
func (t *csvTimes) between(from, to float64) float64 {
	if d := to - from; t.start == 0 || !(math.Abs(d) < 1e9) {
		return d
	}
	return math.Round((to-from)*1e6) / 1e6
}
