package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// wall counts the seconds that a site's clock shows since the midnight before second
// 0 of the log, so that days begin at midnight. Where the log's start is not known,
// second 0 is that midnight.
type wall struct {
	clock  workload.Clock
	phase  float64 // s, what the clock shows at second 0
	offset int     // s, the zone's at second 0
	saving bool    // follow changes to and from summer time; else hours are all 3600 s
	asked  float64 // the quarter asked last, and by how much the clock is ahead of second 0's
	ahead  float64
}

// newWall returns the clock for stretches of a width, s. Those of whole days follow
// summer time.
func newWall(clock workload.Clock, width float64) wall {
	w := wall{clock: clock, asked: math.NaN(), saving: math.Mod(width, 86400) == 0}
	if clock.Known {
		at := clock.Start
		_, w.offset = at.Zone()
		w.phase = at.Sub(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.FixedZone("", w.offset))).Seconds()
	}
	return w
}

// shows is what the clock shows at a second of the log.
func (w *wall) shows(t float64) float64 { return t + w.phase + w.change(t) }

// second is the inverse of shows.
func (w *wall) second(shows float64) float64 {
	t := shows - w.phase
	return t - w.change(t-w.change(t))
}

// change is by how much the zone's offset at a second differs from that at second 0.
func (w *wall) change(t float64) float64 {
	if !w.saving || !w.clock.Dates(t) {
		return 0
	}
	if q := math.Floor((float64(w.clock.Start.Unix()) + t) / quarter); q != w.asked {
		_, offset := w.clock.At(t).Zone()
		w.asked, w.ahead = q, float64(offset-w.offset)
	}
	return w.ahead
}
