package resample

import "math"

// parts is the number of loads in a period: one for each day of a week.
const parts = 7

// load is the work and the jobs submitted in a part of a period.
type load struct {
	work  float64 // processor seconds
	jobs  float64
	haste float64 // sum of 1 / max(run time, 10 s): the bounded slowdown that a second of waiting adds
}

// lot is a load of a user in the ring, before the user is moved.
type lot struct {
	period, of int // period from 0, and the number of periods of the ring with this part
	part       int
	load
}

// lots returns the loads of a user.
func (u *sourceUser) lots(r *ring) []lot {
	out := make([]lot, len(u.cells))
	for i, c := range u.cells {
		k, phase, of := r.spot(c.at)
		out[i] = lot{int(k), int(of), int(phase / r.period * parts), c.load}
	}
	return out
}

// course is the load of a lap up to the end of its window, part by part.
type course struct {
	loads    []load
	width    float64 // of a part, s
	last     float64 // share of the last part before the window's end
	capacity float64 // processors
}

// course returns a course without jobs. Its capacity is halfway between the mean load and the
// machine: no schedule keeps all processors busy, and below the mean load the queue would grow
// throughout. Without work or a machine the capacity is infinite: there is no queue.
func (t *Twin) course(factor, window float64) *course {
	period, _ := t.period()
	c := &course{width: period / parts, capacity: math.Inf(1)}
	c.loads = make([]load, int(math.Ceil(window/c.width)))
	c.last = window/c.width - float64(len(c.loads)-1)
	if machine := float64(t.processors); machine > 0 && !t.counted {
		c.capacity = min(machine, (machine+factor*t.total/t.span)/2)
	}
	return c
}

// add adds the loads of a user that is moved by move periods, multiplied by times.
func (c *course) add(lots []lot, move int, times float64) {
	for i := range lots {
		x := &lots[i]
		k := x.period + move
		if k >= x.of {
			k -= x.of
		}
		if part := parts*k + x.part; part < len(c.loads) {
			l, share := &c.loads[part], times
			if part == len(c.loads)-1 {
				share *= c.last
			}
			l.work += share * x.work
			l.jobs += share * x.jobs
			l.haste += share * x.haste
		}
	}
}

// scale scales the work to the given total.
func (c *course) scale(total float64) {
	sum := 0.0
	for i := range c.loads {
		sum += c.loads[i].work
	}
	for i := range c.loads {
		if sum > 0 {
			c.loads[i].work *= total / sum
		}
	}
}

// strain describes the effect of a course on its jobs.
type strain struct {
	wait     float64 // mean, plus 60 s
	slowdown float64 // mean
	bursts   float64 // sum of the squares of each part's share of the jobs
}

// strain returns the effect of a queue on the jobs of the course, if the work of a part beyond the
// capacity is left to the next part.
func (c *course) strain() strain {
	var s strain
	jobs, queue := 0.0, 0.0 // the queue is in seconds of work at capacity
	for i := range c.loads {
		l, before := &c.loads[i], queue
		queue = max(0, queue+l.work/c.capacity-c.width)
		wait := (before + queue) / 2
		s.wait += wait * l.jobs
		s.slowdown += wait * l.haste
		s.bursts += l.jobs * l.jobs
		jobs += l.jobs
	}
	if !(jobs > 0.5) { // none, apart from rounding errors of jobs taken out
		return strain{60, 1, 1}
	}
	return strain{60 + s.wait/jobs, 1 + s.slowdown/jobs, s.bursts / (jobs * jobs)}
}

// fit compares courses with a target.
type fit struct {
	target  *course
	strain  strain
	squares float64 // sum of squares of the target's work by period
}

func newFit(target *course) *fit { return &fit{target, target.strain(), squares(target, nil)} }

// misfit returns the distance of a course from the target: the squared differences of the work by
// period, divided by the target's squares, plus the squared differences of the logarithms of mean
// wait, mean slowdown and bursts. Work by period alone leaves the queue to chance: a user with more
// than a machine-week of work in a week can be moved to a week of many short jobs, and days of many
// jobs can coincide.
func (f *fit) misfit(c *course) float64 {
	s, t := c.strain(), f.strain
	sum := 0.0
	if f.squares > 0 {
		sum = squares(c, f.target) / f.squares
	}
	for _, ratio := range [...]float64{s.wait / t.wait, s.slowdown / t.slowdown, s.bursts / t.bursts} {
		x := math.Log(ratio)
		sum += x * x
	}
	return sum
}

// squares returns the sum of the squares of the work by period, less that of another course if it
// is not nil.
func squares(c, less *course) (sum float64) {
	work := 0.0
	for i := range c.loads {
		work += c.loads[i].work
		if less != nil {
			work -= less.loads[i].work
		}
		if i%parts == parts-1 || i == len(c.loads)-1 {
			sum += work * work
			work = 0
		}
	}
	return sum
}
