package reshape

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	halfHours = 48 // of a day
	maxUsers  = 100_000
)

// dayCounts are each user's jobs by the time of the day.
type dayCounts struct {
	clock workload.Clock
	users map[int64]*userDay
}

// userDay is one user's day, all days of the log together.
type userDay struct {
	slots [halfHours]slotCount
}

type slotCount struct {
	jobs int32
	days int32 // on which there were any
	last int32 // such day
	// Of a peak:
	peak bool
	stay int32 // jobs of it that stay
	seen int32 // jobs of it settled
}

// slot is the half hour of the day, and the day, of a job's submission.
func (c *dayCounts) slot(j *workload.Job) (slot int, day int32, ok bool) {
	if !(math.Abs(j.Submit) < 1<<46) || j.User == workload.Unknown {
		return 0, 0, false
	}
	t := c.clock.At(j.Submit)
	_, offset := t.Zone()
	local := t.Unix() + int64(offset)
	second := (local%86400 + 86400) % 86400
	return int(second / 1800), int32((local - second) / 86400), true
}

func (c *dayCounts) add(j *workload.Job, o *Outcome) {
	slot, day, ok := c.slot(j)
	if !ok {
		return
	}
	u := c.users[j.User]
	if u == nil {
		if len(c.users) == maxUsers {
			o.Warnings.Add("daily-peak-users", fmt.Sprintf("daily-peak: jobs not examined, of users after the first %d", maxUsers), 0, fmt.Sprintf("user %d", j.User))
			return
		}
		u = new(userDay)
		c.users[j.User] = u
	}
	s := &u.slots[slot]
	if s.jobs == 0 || s.last != day {
		s.days++
		s.last = day
	}
	if s.jobs < math.MaxInt32 {
		s.jobs++
	}
}

// findPeaks marks the slots that are peaks, the widest first.
func (u *userDay) findPeaks(d *DailyPeak) {
	for width := d.Width; width > 0; width-- {
		for from := range halfHours {
			before := &u.slots[(from+halfHours-1)%halfHours]
			behind := &u.slots[(from+width)%halfHours]
			mean := (float64(before.jobs) + float64(behind.jobs)) / 2
			isPeak := true
			for i := range width {
				s := &u.slots[(from+i)%halfHours]
				isPeak = isPeak && !s.peak && int(s.jobs) >= d.Jobs && int(s.days) >= d.Days && float64(s.jobs) >= d.Factor*mean
			}
			if !isPeak {
				continue
			}
			for i := range width {
				s := &u.slots[(from+i)%halfHours]
				s.peak = true
				if d.Action == "cap" {
					s.stay = int32(math.Round(mean))
				}
			}
		}
	}
}

// surplus is why a job is removed from a peak, or "". It is asked of every job
// once, in order.
func (c *dayCounts) surplus(j *workload.Job) string {
	slot, _, ok := c.slot(j)
	if !ok {
		return ""
	}
	u := c.users[j.User]
	if u == nil || !u.slots[slot].peak {
		return ""
	}
	s := &u.slots[slot]
	// The stay first multiples of jobs/stay that are passed stay.
	i := int64(s.seen)
	s.seen++
	if (i+1)*int64(s.stay)/int64(s.jobs) > i*int64(s.stay)/int64(s.jobs) {
		return ""
	}
	return fmt.Sprintf("user=%d submitted %d jobs on %d days from %d:%02d to %d:%02d; %d stay",
		j.User, s.jobs, s.days, slot/2, slot%2*30, (slot+1)/2, (slot+1)%2*30, s.stay)
}
