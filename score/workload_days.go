package score

import "github.com/loadstone-hpc/loadstone/model"

// dayCounts counts submissions by day and half hour, to know by how much the
// counts of a half hour vary from day to day. A nil one counts nothing.
type dayCounts struct {
	byDay map[int64]*[model.Slots]uint32
	full  bool // there were more days than are kept
}

// mostDays bounds the days kept: 90 years, 6 MB.
const mostDays = 1 << 15

func newDayCounts() *dayCounts { return &dayCounts{byDay: map[int64]*[model.Slots]uint32{}} }

func (d *dayCounts) add(at moment) {
	if d == nil {
		return
	}
	c := d.byDay[at.day]
	if c == nil {
		if len(d.byDay) == mostDays {
			d.full = true
			return
		}
		c = new([model.Slots]uint32)
		d.byDay[at.day] = c
	}
	c[at.slot]++
}
