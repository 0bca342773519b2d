package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// person is a user of the log.
type person struct {
	jobs      []int32   // by submission
	templates [][]int32 // jobs of one size and request in a row
	work      float64
	dayWork   float64   // the most in a day
	bags      []float64 // jobs of each
	sessions  []float64 // bags of each
	bagZ      []float64 // scores of those of more than one
	sessionZ  []float64
	traits    [population.NumTraits]float64
}

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
		if n := len(p.jobs); n == 0 || !c.jobs[p.jobs[n-1]].like(j) {
			p.templates = append(p.templates, nil)
		}
		last := &p.templates[len(p.templates)-1]
		p.jobs, *last = append(p.jobs, int32(i)), append(*last, int32(i))
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

func (c *Collector) users(people []*person, m *population.Model, t times) population.Users {
	u := population.Users{About: "users by work, most first: those that do 50 % of it, up to 95 %, the rest; of each, those that submit half of all jobs apart"}
	strata := c.strata(people)
	for _, of := range strata {
		s := population.Stratum{Users: int64(len(of))}
		s.Bags = several(of, func(p *person) []float64 { return p.bags }, func(p *person, z []float64) { p.bagZ = z })
		s.Sessions = several(of, func(p *person) []float64 { return p.sessions }, func(p *person, z []float64) { p.sessionZ = z })
		for _, p := range of {
			c.traits(p, m, t)
			s.Jobs += int64(len(p.jobs))
			s.Work += p.work
			s.DayWork = max(s.DayWork, population.Short(p.dayWork))
		}
		s.Jobs = int64(math.Round(float64(s.Jobs) * t.scale))
		s.Work = population.Short(s.Work * t.scale)
		for k := range population.NumTraits {
			if m.Has(k) {
				s.Margins[k] = margin(of, k)
			}
		}
		u.Strata = append(u.Strata, s)
	}
	pool := correlations(people)
	for n, of := range strata {
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
		u.Strata[n].Correlations = own
	}
	return u
}

// several returns the law of the sizes of groups that have more than one member, and sets their
// scores among those of a stratum.
func several(of []*person, groups func(p *person) []float64, set func(p *person, z []float64)) population.Quantiles {
	var x []float64
	more := func(p *person) []float64 {
		return slices.DeleteFunc(slices.Clone(groups(p)), func(n float64) bool { return n == 1 })
	}
	for _, p := range of {
		x = append(x, more(p)...)
	}
	z := scores(x)
	for _, p := range of {
		n := len(more(p))
		set(p, z[:n])
		z = z[n:]
	}
	return quantiles(x)
}

// strata sorts users by their work, and those of each of three levels of it by
// whether they are among those that submit half of the jobs.
func (c *Collector) strata(people []*person) (out [][]*person) {
	byJobs := slices.Clone(people)
	slices.SortStableFunc(byJobs, func(a, b *person) int { return cmp.Compare(len(b.jobs), len(a.jobs)) })
	many := map[*person]bool{}
	jobs, total, sum := 0, 0.0, 0.0
	for _, p := range byJobs {
		many[p] = 2*jobs < len(c.jobs)
		jobs += len(p.jobs)
	}
	for _, p := range people {
		total += p.work
	}
	var of [3][2][]*person
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
	const fewest = 2 // users of a stratum by jobs
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

// margin are the quantiles of a trait at ten equal steps; a trait that nobody has is
// 0.
func margin(of []*person, t population.Trait) []float64 {
	const steps = 10
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
		var known []int
		var x []float64
		for i, p := range of {
			if v := p.traits[t]; !math.IsNaN(v) {
				known, x = append(known, i), append(x, v)
			}
		}
		z[t] = make([]float64, len(of))
		for k, s := range scores(x) {
			z[t][known[k]] = s
		}
	}
	out := make([][]float64, len(z))
	for a := range z {
		out[a] = make([]float64, a+1)
		for b := range a {
			var aa, bb, ab float64
			for i := range of {
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
