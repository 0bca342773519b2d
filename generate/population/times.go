package population

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// cycle says when users begin sessions.
type cycle struct {
	hours   []float64 // sessions before the start of each hour and before the end of the last, in units of the weights
	active  []float64 // activity by hour: over the mean
	period  float64   // s
	periods int       // of a lap
}

// asleep is the activity of hours in which nobody begins a session, over the mean.
const asleep = 1e-3

// newCycle is a cycle of weights by hour, one period of so many of a lap.
func newCycle(weights []float64, periods int) cycle {
	c := cycle{hours: append([]float64{0}, sums(weights)...), period: float64(len(weights)) * hour, periods: periods}
	for _, x := range weights {
		c.active = append(c.active, asleep+x*float64(len(weights))/c.total())
	}
	return c
}

// jobCycle is the cycle of the model's jobs.
func jobCycle(m *population.Model) cycle {
	weights := m.Cycle.Weights
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1}, 168)
	}
	return newCycle(weights, max(1, int(math.Round(m.Log.Days*24/float64(len(weights))))))
}

const (
	cycleRounds = 6 // in which the hours of sessions are found
	hourSteps   = 3 // of each
)

// sessionCycle finds when users begin sessions, so that all jobs of a lap come by the model's
// hours of the day, although sessions last: from the hours of the jobs of the sessions that begin
// in each hour, in rounds, because users who begin at other hours also pause at others.
func (w *Workload) sessionCycle(l *lap) cycle {
	c, weights := w.cycle, make([]float64, len(w.active))
	for range cycleRounds {
		par.Each(w.o.Workers, len(l.people), func(u int) { w.times(&c, &l.people[u], w.stream(l, scheduling, u*draws)) })
		var arrivals [24][24]float64
		start, inSession, jobs, squares := 0, 0.0, 0.0, 0.0 // squares: of the jobs in each session
		for _, j := range l.jobs() {
			arrival := hourOfDay(j.at)
			if j.how == opens {
				start, inSession = arrival, 0
			}
			arrivals[start][arrival]++
			squares += 2*inSession + 1
			inSession++
			jobs++
		}
		var want [24]float64
		for h := range weights {
			want[h%24] += jobs * (w.hours[h+1] - w.hours[h]) / w.total()
		}
		factors := hourFactors(&arrivals, &want, squares/jobs) // the jobs in the session of a mean job
		for h := range weights {
			weights[h] = factors[h%24] * (c.hours[h+1] - c.hours[h])
		}
		c = newCycle(weights, c.periods)
	}
	return c
}

// hourFactors returns the factor for the sessions that begin in each hour, so that about as many
// jobs as wanted come in each hour. arrivals are jobs by the hour in which their session begins,
// and their own. Each step multiplies a factor by the mean, over the jobs of these sessions, of
// the wanted jobs in the job's hour over those that come in it (Richardson, Journal of the Optical
// Society of America 62, 1972). In this mean damping further jobs are taken to match already, so
// that the factor of an hour in which hardly any session begins changes little.
func hourFactors(arrivals *[24][24]float64, want *[24]float64, damping float64) (factors [24]float64) {
	for h := range factors {
		factors[h] = 1
	}
	for range hourSteps {
		var got [24]float64
		for start, jobs := range arrivals {
			for h, n := range jobs {
				got[h] += factors[start] * n
			}
		}
		for start, jobs := range arrivals {
			ratios := damping
			for h, n := range jobs {
				if n > 0 {
					ratios += n * want[h] / got[h]
				}
			}
			factors[start] *= ratios / (sum(jobs[:]) + damping)
		}
	}
	return factors
}

func hourOfDay(at float64) int { return int(at/hour) % 24 }

// length is that of a lap, s.
func (c *cycle) length() float64 { return float64(c.periods) * c.period }

// days are those of a period.
func (c *cycle) days() int { return len(c.active) / 24 }

func (c *cycle) total() float64 { return c.hours[len(c.hours)-1] }

// hourOf is the hour in which so many sessions have begun.
func (c *cycle) hourOf(sessions float64) int {
	return max(0, min(len(c.active), sort.SearchFloat64s(c.hours, sessions))-1)
}

// begun are the sessions that begin up to a moment, in units of the cycle's weights.
func (c *cycle) begun(at float64) float64 {
	k := math.Floor(at / c.period)
	return k*c.total() + between(c.hours, (at-k*c.period)/hour)
}

// moment is the inverse of begun.
func (c *cycle) moment(sessions float64) float64 {
	k := math.Floor(sessions / c.total())
	in := sessions - k*c.total()
	h := c.hourOf(in)
	part := 0.0
	if w := c.hours[h+1] - c.hours[h]; w > 0 {
		part = (in - c.hours[h]) / w
	}
	return k*c.period + (float64(h)+part)*hour
}

// activity is the share of sessions that begin in the hour of a moment, over the
// mean hour's.
func (c *cycle) activity(at float64) float64 {
	return c.active[min(len(c.active)-1, int((at-math.Floor(at/c.period)*c.period)/hour))]
}

// atHour is the probability that a bag waits for the end of a job, given that of any
// hour: the odds are multiplied by how active users are then over how active they
// are at the job's submission, since who sleeps when a job ends does not wait for it.
func (c *cycle) atHour(chance, submitted, ended float64) float64 {
	odds := chance * c.activity(ended) / c.activity(submitted)
	return odds / (odds + 1 - chance)
}

// diary has the days on which a user begins its sessions.
type diary struct {
	*cycle
	begins []float64 // s, rising
	shares []float64 // of the day in what is done on it and on later ones
	today  int       // of these days
	todo   int       // sessions that are still to begin today
	costs  []float64 // of the sessions from today's first on that is not begun: shares in all that the user does
	left   float64   // the sum of these
}

// diary draws the days on which a user begins its sessions, from the user's first
// week.
func (c *cycle) diary(x *person, rng *rand.Rand) *diary {
	t := &x.traits
	span := max(1, min(c.periods, int(math.Round(math.Exp(t.LnSpan)))))
	active := max(1, min(span, int(math.Round(t.Active*float64(span)))))
	var begins []float64
	for _, w := range rng.Perm(span)[:active] {
		var taken [7]bool
		for range max(1, min(c.days(), int(t.Days+rng.Float64()))) {
			d := 0
			for range 20 {
				if d = c.hourOf(rng.Float64()*c.total()) / 24; !taken[d] {
					begins = append(begins, float64(w)*c.period+float64(d)*day)
					taken[d] = true
					break
				}
			}
		}
	}
	if n := len(x.sessions); len(begins) > n {
		rng.Shuffle(len(begins), func(i, k int) { begins[i], begins[k] = begins[k], begins[i] })
		begins = begins[:n]
	}
	slices.Sort(begins)
	d := &diary{cycle: c, begins: begins, shares: make([]float64, len(begins)), today: -1, costs: x.costs, left: 1}
	sum := 0.0
	for k, x := range slices.Backward(c.byDay(begins, t, rng)) {
		sum += x
		d.shares[k] = x / sum
	}
	return d
}

// byDay draws how much a user does on its days, relatively. The period with most has at least the
// share of the user's largest week.
func (c *cycle) byDay(begins []float64, t *population.Traits, rng *rand.Rand) (days []float64) {
	periods, largest := make([]float64, c.periods), 0
	for _, at := range begins {
		x, k := gamma(t.DayCV, rng.NormFloat64()), int(at/c.period)
		days = append(days, x)
		if periods[k] += x; periods[k] > periods[largest] {
			largest = k
		}
	}
	share := math.Exp(t.LnWeek)
	if others := sum(periods) - periods[largest]; others > 0 && share < 1 {
		scale := math.Max(1, share/(1-share)*others/periods[largest])
		for i, at := range begins {
			if int(at/c.period) == largest {
				days[i] *= scale
			}
		}
	}
	return days
}

// gamma turns a normal score into a gamma variate of mean 1 and of a coefficient of
// variation, by the cube of Wilson and Hilferty (PNAS 17, 1931), not below a tenth.
func gamma(cv, z float64) float64 {
	v := cv * cv / 9
	x := 1 - v + z*math.Sqrt(v)
	return math.Max(.1, x*x*x)
}

// next turns to the day on which a session begins that is not to begin before a moment,
// and takes it. A day that is over leaves its sessions to later ones.
func (d *diary) next(from float64) {
	for last := len(d.begins) - 1; d.today < last && (d.todo == 0 || from >= d.begins[d.today]+day); {
		d.today++
		quota, sum := d.left*d.shares[d.today], d.costs[0]
		most := len(d.costs) - (last - d.today) // each day has one
		for d.todo = 1; d.todo < most && sum+d.costs[d.todo]/2 <= quota; d.todo++ {
			sum += d.costs[d.todo]
		}
	}
	d.todo = max(1, d.todo) - 1
	d.left -= d.costs[0]
	d.costs = d.costs[1:]
}

// opening draws when a user's next session begins, from a moment on: at the first of
// as many moments by the cycle as sessions are still to begin on the day.
func (d *diary) opening(from float64, rng *rand.Rand) float64 {
	d.next(from)
	lo, hi := math.Max(d.begins[d.today], from), d.begins[d.today]+day
	if lo >= hi { // the last day is over
		hi = lo + day
	}
	u := rng.Float64()
	if d.todo > 0 {
		u = 1 - math.Pow(u, 1/float64(d.todo+1))
	}
	a, b := d.begun(lo), d.begun(hi)
	if !(b > a) { // nobody begins a session
		return lo + u*(hi-lo)
	}
	return math.Max(lo, math.Min(hi, d.moment(a+u*(b-a))))
}

// cost finds a user's work, and the shares of its sessions in what it does: half by their number,
// half by their work.
func (x *person) cost() {
	x.work, x.costs = 0, make([]float64, len(x.sessions))
	jobs := x.jobs
	for i, n := range x.sessions {
		for k := range jobs[:n] {
			x.costs[i] += jobs[k].work()
		}
		x.work += x.costs[i]
		jobs = jobs[n:]
	}
	for i, work := range x.costs {
		x.costs[i] = .5/float64(len(x.costs)) + .5*work/math.Max(1, x.work)
	}
}

// times gives a user's jobs their times, from the user's first week, by a cycle of sessions.
func (w *Workload) times(c *cycle, x *person, rng *rand.Rand) {
	days, at := c.diary(x, rng), math.Inf(-1)
	var underWay sessions.UnderWay
	var bag sessions.Bag
	for i := range x.jobs {
		j := &x.jobs[i]
		switch j.how {
		case opens:
			at = days.opening(at+hour+1, rng)
		case inBag:
			at += w.within.at(j.gap)
		case apart:
			prev := &x.jobs[i-1]
			response := prev.run + prev.wait
			chance := population.Follows(x.traits.Follow, response)
			if to := at + response + w.think.at(rng.Float64()); rng.Float64() < c.atHour(chance, at, to) {
				at = to
			} else {
				at += w.apart.at(j.gap)
			}
		}
		if j.how != inBag {
			bag.Finish(&underWay)
			_, work := x.bag(i, (*job).work)
			at = w.free(c, &underWay, at, math.Exp(x.traits.LnAtOnce)-work, rng)
		}
		at = math.Floor(at)
		j.at = at
		bag.Add(float64(j.size), at+j.run)
	}
}

// free returns when from a moment on the user has no more work under way than some, or none: at
// the end of a job, or a day later than planned if the user then sleeps.
func (w *Workload) free(c *cycle, u *sessions.UnderWay, at, most float64, rng *rand.Rand) float64 {
	for {
		if work := u.Work(at); work == 0 || work <= most {
			return at
		}
		if end := u.NextEnd(); rng.Float64() < c.activity(end)/c.activity(at) {
			at = end + w.think.at(rng.Float64())
		} else {
			at += day
		}
	}
}
