package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// person is a user of the log.
type person struct {
	jobs     []int32 // by submission
	work     float64
	dayWork  float64   // the most in a day
	bags     []float64 // jobs of each
	sessions []float64 // bags of each
	bagZ     []float64
	sessionZ []float64
	traits   [population.NumTraits]float64
}

// steps are the equal steps of a margin.
const steps = 10

func (c *Collector) users(people []*person, m *population.Model, scale, periods, period, first float64) population.Users {
	u := population.Users{About: "users by work, most first: those that do 50 % of it, up to 95 %, the rest; of each, those that submit half of all jobs apart"}
	c.gapScores()
	total := 0.0
	for _, p := range people {
		total += p.work
	}
	strata := c.strata(people, total)
	for _, of := range strata {
		bagScores(of)
		for _, p := range of {
			c.traits(p, periods, period, first)
			c.requestTraits(p, m)
		}
	}
	pool := correlations(people)
	for _, of := range strata {
		s := population.Stratum{Users: int64(len(of))}
		for _, p := range of {
			s.Jobs += int64(len(p.jobs))
			s.Work += p.work
			s.DayWork = max(s.DayWork, population.Short(p.dayWork))
		}
		s.Jobs = int64(math.Round(float64(s.Jobs) * scale))
		s.Work = population.Short(s.Work * scale)
		var bags, visits []float64
		for _, p := range of {
			for _, n := range p.bags {
				if n > 1 {
					bags = append(bags, n)
				}
			}
			for _, n := range p.sessions {
				if n > 1 {
					visits = append(visits, n)
				}
			}
		}
		slices.Sort(bags)
		slices.Sort(visits)
		s.Bags, s.Sessions = population.NewQuantiles(bags), population.NewQuantiles(visits)
		for t := range population.NumTraits {
			if m.Has(t) {
				s.Margins[t] = margin(of, t)
			}
		}
		own := correlations(of)
		if !m.Has(population.ResourceMean) { // the last of the traits
			own = own[:population.ResourceMean]
		}
		w := float64(len(of)) / float64(len(of)+12)
		for i := range own {
			for k := range own[i] {
				own[i][k] = math.Round(1000*.9*(w*own[i][k]+(1-w)*pool[i][k])) / 1000
			}
			own[i][i] = 1
		}
		s.Correlations = own
		u.Strata = append(u.Strata, s)
	}
	return u
}

// strata sorts users by their work, and those of each of three levels of it by
// whether they are among those that submit half of the jobs.
func (c *Collector) strata(people []*person, total float64) (out [][]*person) {
	byJobs := slices.Clone(people)
	slices.SortStableFunc(byJobs, func(a, b *person) int { return cmp.Compare(len(b.jobs), len(a.jobs)) })
	many := map[*person]bool{}
	jobs := 0
	for _, p := range byJobs {
		if 2*jobs >= len(c.jobs) {
			break
		}
		jobs += len(p.jobs)
		many[p] = true
	}
	var of [3][2][]*person
	sum := 0.0
	for _, p := range people {
		level, k := 2, 0
		switch {
		case sum < .5*total:
			level = 0
		case sum < .95*total:
			level = 1
		}
		if many[p] {
			k = 1
		}
		sum += p.work
		of[level][k] = append(of[level][k], p)
	}
	for _, x := range of {
		if len(x[0]) < fewest || len(x[1]) < fewest {
			x[0], x[1] = append(x[0], x[1]...), nil
		}
		for _, s := range x {
			if len(s) > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

// fewest are the users of a stratum by jobs.
const fewest = 2

// people are the users, most work first.
func (c *Collector) people() []*person {
	at := map[int64]*person{}
	var out []*person
	for i := range c.jobs {
		j := &c.jobs[i]
		p := at[j.user]
		if p == nil {
			p = &person{}
			at[j.user] = p
			out = append(out, p)
		}
		p.jobs = append(p.jobs, int32(i))
		p.work += float64(j.size) * j.run
		switch j.bag {
		case opens:
			p.bags, p.sessions = append(p.bags, 1), append(p.sessions, 1)
		case inBag:
			p.bags[len(p.bags)-1]++
		default:
			p.bags = append(p.bags, 1)
			p.sessions[len(p.sessions)-1]++
		}
	}
	slices.SortStableFunc(out, func(a, b *person) int { return cmp.Compare(b.work, a.work) })
	return out
}

// margin are the quantiles of a trait at equal steps; a trait that nobody has is
// 0.
func margin(of []*person, t population.Trait) []float64 {
	var x []float64
	for _, p := range of {
		if v := p.traits[t]; !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	slices.Sort(x)
	out := make([]float64, steps+1)
	for k := range out {
		if len(x) == 0 {
			break
		}
		at := float64(k) / steps * float64(len(x)-1)
		i := int(at)
		v := x[i]
		if i+1 < len(x) {
			v += (at - float64(i)) * (x[i+1] - x[i])
		}
		out[k] = math.Round(v*1e4) / 1e4
	}
	return out
}

// correlations of the normal scores of traits; of those that are known of both.
func correlations(of []*person) [][]float64 {
	z := make([][]float64, population.NumTraits)
	for t := range z {
		z[t] = make([]float64, len(of))
		var known []int
		for i, p := range of {
			if !math.IsNaN(p.traits[t]) {
				known = append(known, i)
			}
		}
		scores(len(known), func(i int) float64 { return of[known[i]].traits[t] }, func(i int, s float64) { z[t][known[i]] = s })
	}
	out := make([][]float64, len(z))
	for a := range z {
		out[a] = make([]float64, a+1)
		for b := range a + 1 {
			var aa, bb, ab float64
			for i := range z[a] {
				aa, bb, ab = aa+z[a][i]*z[a][i], bb+z[b][i]*z[b][i], ab+z[a][i]*z[b][i]
			}
			if aa > 0 && bb > 0 {
				out[a][b] = ab / math.Sqrt(aa*bb)
			}
		}
		out[a][a] = 1
	}
	return out
}
