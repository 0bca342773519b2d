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

// cycle is a distribution over the hours of a period, a week or a day: of the jobs, or of the
// starts of sessions.
type cycle struct {
	hours   []float64 // cumulative weight at the start of each hour and at the end of the last
	active  []float64 // activity by hour, relative to the mean
	period  float64   // s
	periods int       // in a lap
}

// asleep is the activity, relative to the mean, of an hour in which no session begins.
const asleep = 1e-3

// newCycle returns a cycle with the given weights by hour of a period, and periods to a lap.
func newCycle(weights []float64, periods int) cycle {
	c := cycle{hours: append([]float64{0}, sums(weights)...), period: float64(len(weights)) * hour, periods: periods}
	for _, x := range weights {
		c.active = append(c.active, asleep+x*float64(len(weights))/c.total())
	}
	return c
}

// jobCycle returns the cycle of the model's jobs, uniform over the week if it has none.
func jobCycle(m *population.Model) cycle {
	weights := m.Cycle.Weights
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1}, 168)
	}
	return newCycle(weights, max(1, int(math.Round(m.Log.Days*24/float64(len(weights))))))
}

const (
	cycleRounds = 6 // of sessionCycle
	hourSteps   = 3 // of hourFactors in each round
)

// sessionCycle finds the cycle of session starts for which all jobs of a lap follow the model's
// hours of the day, although sessions last. It uses the hours of the jobs of the sessions that
// begin in each hour, in rounds, because users who begin at other hours also pause at other
// hours.
func (w *Workload) sessionCycle(l *lap) cycle {
	c, weights := w.cycle, make([]float64, len(w.active))
	for range cycleRounds {
		par.Each(w.o.Workers, len(l.people), func(u int) { w.times(&c, &l.people[u], w.stream(l, scheduling, u*draws)) })
		var arrivals [24][24]float64
		start, inSession, jobs, squares := 0, 0.0, 0.0, 0.0 // squares: sum of the squared sizes of sessions
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
		factors := hourFactors(&arrivals, &want, squares/jobs) // mean over the jobs of the size of their session
		for h := range weights {
			weights[h] = factors[h%24] * (c.hours[h+1] - c.hours[h])
		}
		c = newCycle(weights, c.periods)
	}
	return c
}

// hourFactors returns the factors by which to multiply the sessions that begin in each hour, so
// that about the wanted number of jobs come in each hour. arrivals[s][h] is the number of jobs in
// hour h from sessions that begin in hour s. Each step multiplies a factor by the mean, over the
// jobs of these sessions, of the ratio of wanted to actual jobs in the job's hour (Richardson,
// Journal of the Optical Society of America 62, 1972). This mean includes damping further jobs
// with ratio 1, so that the factor of an hour in which hardly any session begins changes little.
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

// length returns the length of a lap in seconds.
func (c *cycle) length() float64 { return float64(c.periods) * c.period }

// days returns the number of days in a period.
func (c *cycle) days() int { return len(c.active) / 24 }

func (c *cycle) total() float64 { return c.hours[len(c.hours)-1] }

// hourOf returns the hour in which the cumulative weight reaches sessions.
func (c *cycle) hourOf(sessions float64) int {
	return max(0, min(len(c.active), sort.SearchFloat64s(c.hours, sessions))-1)
}

// begun returns the cumulative weight from time 0 to at.
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

// activity returns the activity in the hour of a moment, relative to the mean hour.
func (c *cycle) activity(at float64) float64 {
	return c.active[min(len(c.active)-1, int((at-math.Floor(at/c.period)*c.period)/hour))]
}

// atHour returns the probability that a bag waits for the end of a job, given that probability
// for an average hour. The odds are multiplied by the ratio of the activity at the job's end to
// that at its submission, because a user who is asleep when a job ends does not wait for it.
func (c *cycle) atHour(chance, submitted, ended float64) float64 {
	odds := chance * c.activity(ended) / c.activity(submitted)
	return odds / (odds + 1 - chance)
}

// diary holds the days on which a user begins sessions.
type diary struct {
	*cycle
	begins []float64 // s, rising
	shares []float64 // share of each day in the activity of that day and all later ones
	today  int       // index in begins
	todo   int       // number of sessions still to begin today
	costs  []float64 // shares in the user's activity of the sessions that have not begun
	left   float64   // sum of costs
}

// diary draws the days on which a user begins sessions, in seconds from the start of the user's
// first period.
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

// byDay draws the relative activity of a user on each day. The busiest period has at least the
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

// gamma turns a normal score into a gamma variate of mean 1 with a given coefficient of
// variation, by the cube-root transformation of Wilson and Hilferty (PNAS 17, 1931). The result
// is at least 0.1.
func gamma(cv, z float64) float64 {
	v := cv * cv / 9
	x := 1 - v + z*math.Sqrt(v)
	return math.Max(.1, x*x*x)
}

// next takes the next session, which begins at from or later, and advances to its day. Sessions
// left over from a day that has passed move to later days.
func (d *diary) next(from float64) {
	for last := len(d.begins) - 1; d.today < last && (d.todo == 0 || from >= d.begins[d.today]+day); {
		d.today++
		quota, sum := d.left*d.shares[d.today], d.costs[0]
		most := len(d.costs) - (last - d.today) // leaves one for each later day
		for d.todo = 1; d.todo < most && sum+d.costs[d.todo]/2 <= quota; d.todo++ {
			sum += d.costs[d.todo]
		}
	}
	d.todo = max(1, d.todo) - 1
	d.left -= d.costs[0]
	d.costs = d.costs[1:]
}

// opening draws the time, at from or later, when a user's next session begins: the earliest of as
// many times drawn from the cycle as sessions are still to begin on the day.
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

// cost sets a user's work and the shares of the sessions in the user's activity: half by number,
// half by work.
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

// times sets the submission times of a user's jobs, in seconds from the user's first period, by a
// cycle of session starts.
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

// free returns the first moment, at or later, when the user has at most the work most under way,
// or none. It moves on to the end of a job or, if the user is asleep then, by a day.
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
