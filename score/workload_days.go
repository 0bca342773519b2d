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

func (d *dayCounts) of(day int64) *[model.Slots]uint32 {
	c := d.byDay[day]
	if c == nil {
		if len(d.byDay) == mostDays {
			d.full = true
			return new([model.Slots]uint32)
		}
		c = new([model.Slots]uint32)
		d.byDay[day] = c
	}
	return c
}

func (d *dayCounts) add(at moment) {
	if d != nil {
		d.of(at.day)[at.slot]++
	}
}

func (d *dayCounts) merge(o *dayCounts) {
	if d == nil {
		return
	}
	for day, from := range o.byDay {
		to := d.of(day)
		for i, n := range from {
			to[i] += n
		}
	}
	d.full = d.full || o.full
}
