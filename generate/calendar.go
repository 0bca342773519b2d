package generate

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
)

// calendar says which half hour of the local day, or week, an elapsed half
// hour of the log is. Where the zone's offset changes, local time jumps: the
// half hours that it leaves out are not passed through, and those that it
// repeats come twice, each as long and as busy as the first time. An offset
// that changes by other than whole half hours counts from the next whole one.
// After lastYear the offset stays as it is.
type calendar struct {
	start time.Time // zero: no zone, and the first day is a Monday
	slots int       // of the cycle: a day's or a week's
}

// lastYear is the last in which the clock is put forward and back: a rare job's
// gap may be a million years, with two changes in each.
const lastYear = 9999

// at returns the half hour of the cycle that elapsed half hour n begins in,
// and the first elapsed one at which the offset from local time is another.
func (c calendar) at(n float64) (slot int, until float64) {
	if c.start.IsZero() {
		first := int(time.Monday) * model.Slots
		return (first + int(math.Mod(n, float64(c.slots)))) % c.slots, math.Inf(1)
	}
	seconds := c.start.Unix()
	zone := c.start.Location()
	last := float64((time.Date(lastYear+1, time.January, 1, 0, 0, 0, 0, zone).Unix() - seconds) / model.SlotSeconds)
	beyond := max(0, n-last)
	t := time.Unix(seconds+int64(n-beyond)*model.SlotSeconds, 0).In(zone)
	slot = (int(t.Weekday())*model.Slots + 2*t.Hour() + t.Minute()/30) % c.slots
	slot = (slot + int(math.Mod(beyond, float64(c.slots)))) % c.slots
	_, end := t.ZoneBounds()
	if end.IsZero() || beyond > 0 {
		return slot, math.Inf(1)
	}
	return slot, max(n+1, math.Ceil(float64(end.Unix()-seconds)/model.SlotSeconds))
}
