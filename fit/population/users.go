package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/stats"
)

// users divides the users into strata, and finds for each the quantiles and correlations of its
// users' traits.
func (f *fitter) users() {
	slices.SortStableFunc(f.people, func(a, b *person) int { return cmp.Compare(b.work, a.work) })
	strata := f.strata()
	u := population.Users{About: "users by decreasing work: the first 50 % of it, up to 95 %, the rest; in each level, users who submit half of all jobs are separate"}
	for _, users := range strata {
		s := population.Stratum{Users: int64(len(users))}
		s.Bags = several(users, func(p *person) *groups { return &p.bags })
		s.Sessions = several(users, func(p *person) *groups { return &p.sessions })
		for _, p := range users {
			f.traits(p)
			s.Jobs += int64(len(p.jobs))
			s.Work += p.work
		}
		s.Jobs = int64(math.Round(float64(s.Jobs) * f.scale))
		s.Work = population.Short(s.Work * f.scale)
		for t := range population.NumTraits {
			if f.m.Has(t) {
				s.Margins.All()[t] = margin(users, t)
			}
		}
		u.Strata = append(u.Strata, s)
	}
	pool := correlations(f.people)
	for n, users := range strata {
		own := correlations(users)[:f.m.NumTraits()]
		w := float64(len(users)) / float64(len(users)+12)
		for i := range own {
			for k := range own[i] {
				own[i][k] = math.Round(1000*.9*(w*own[i][k]+(1-w)*pool[i][k])) / 1000
			}
			own[i][i] = 1
		}
		u.Strata[n].Correlations = own
	}
	f.m.Users = u
}

// several returns the quantiles of the sizes of groups with more than one member, and sets the
// scores of these sizes within a stratum.
func several(users []*person, of func(p *person) *groups) population.Quantiles {
	var all []float64
	n := make([]int, len(users))
	for i, p := range users {
		for _, size := range of(p).sizes {
			if size > 1 {
				all = append(all, size)
				n[i]++
			}
		}
	}
	z := scores(all)
	for i, p := range users {
		of(p).scores, z = z[:n[i]], z[n[i]:]
	}
	return quantiles(all)
}

// strata divides the users, sorted by decreasing work, into three levels: those who do half of
// the work, those up to 95 % of it, and the rest. Each level is divided into the users who are
// not among those who submit half of the jobs, and the users who are, if it has at least two of
// both.
func (f *fitter) strata() (strata [][]*person) {
	byJobs := slices.Clone(f.people)
	slices.SortStableFunc(byJobs, func(a, b *person) int { return cmp.Compare(len(b.jobs), len(a.jobs)) })
	many := map[*person]bool{}
	jobs, total, sum := 0, 0.0, 0.0
	for _, p := range byJobs {
		many[p] = 2*jobs < len(f.jobs)
		jobs += len(p.jobs)
	}
	for _, p := range f.people {
		total += p.work
	}
	var levels [3]struct{ few, many []*person }
	for _, p := range f.people {
		level := &levels[2]
		switch {
		case sum < .5*total:
			level = &levels[0]
		case sum < .95*total:
			level = &levels[1]
		}
		if many[p] {
			level.many = append(level.many, p)
		} else {
			level.few = append(level.few, p)
		}
		sum += p.work
	}
	const fewest = 2 // in each part of a level
	for _, x := range levels {
		if min(len(x.few), len(x.many)) < fewest {
			x.few, x.many = append(x.few, x.many...), nil
		}
		for _, s := range [][]*person{x.few, x.many} {
			if len(s) > 0 {
				strata = append(strata, s)
			}
		}
	}
	return strata
}

// margin returns the quantiles of a trait at ten equal steps, or zeros if no user has the trait.
func margin(users []*person, t int) []float64 {
	const steps = 10
	out := make([]float64, steps+1)
	x, _ := known(users, t)
	if len(x) == 0 {
		return out
	}
	slices.Sort(x)
	for k := range out {
		out[k] = math.Round(stats.Quantile(x, float64(k)/steps)*1e4) / 1e4
	}
	return out
}

// known returns the values of a trait for the users whose jobs determine it, and the indexes of
// these users.
func known(users []*person, t int) (x []float64, which []int) {
	for i, p := range users {
		if v := p.traits.All()[t]; !math.IsNaN(v) {
			x, which = append(x, v), append(which, i)
		}
	}
	return x, which
}

// correlations returns the lower triangle of the correlations of the traits' normal scores. An
// undetermined trait has the score 0.
func correlations(users []*person) [][]float64 {
	z, out := make([][]float64, population.NumTraits), make([][]float64, population.NumTraits)
	for a := range z {
		z[a], out[a] = make([]float64, len(users)), make([]float64, a+1)
		x, which := known(users, a)
		for k, s := range scores(x) {
			z[a][which[k]] = s
		}
		for b := range a {
			var aa, bb, ab float64
			for i := range users {
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
