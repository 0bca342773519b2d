package population

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// prepare returns the Workload of a model, with the data that all laps share.
func prepare(m *population.Model, o Options) *Workload {
	w := &Workload{m: m, o: o, factor: 1, load: m.Log.Load, cycle: jobCycle(m), rows: rowsOf(&m.Resources), sizeLaw: newAtoms(m.Sizes.Shares)}
	// In an edited model, the load that its users make may differ from the load it states.
	work := 0.0
	for i := range m.Users.Strata {
		work += m.Users.Strata[i].Work
		w.copulas = append(w.copulas, cholesky(m.Users.Strata[i].Correlations))
	}
	if o.Load > 0 {
		w.load = o.Load
	}
	if work > 0 {
		w.factor = w.load * float64(m.Processors) * m.Log.Days * day / work
	}
	if math.Abs(w.factor-1) < 1e-3 { // the model's numbers are rounded
		w.factor = 1
	}
	for what := range w.asks {
		w.asks[what] = m.Asks(what)
	}
	w.classes = slices.Concat(m.RunTimes.Classes, m.RunTimes.WithoutGPUs)
	w.runs, w.waits = samplers(w.classes), samplers(m.Waits.Classes)
	w.within, w.apart, w.think = newSampler(&m.Sessions.Within), newSampler(&m.Sessions.Apart), newSampler(&m.Sessions.Think)
	if w.asks[population.AsksTime] {
		for c := range w.classes {
			w.cells = append(w.cells, byRunCell(&w.runs[c]))
		}
	}
	w.calibrate()
	return w
}

// cholesky returns the lower Cholesky factor of a correlation matrix. A matrix that is not
// positive definite is moved towards the identity until it is.
func cholesky(lower [][]float64) [][]float64 {
	for keep := 1.0; ; keep *= .9 {
		l := make([][]float64, len(lower))
		ok := true
		for i := range lower {
			l[i] = make([]float64, i+1)
			for k := 0; k <= i && ok; k++ {
				x := lower[i][k] * keep
				if k == i {
					x = 1
				}
				for j := range k {
					x -= l[i][j] * l[k][j]
				}
				if k < i {
					l[i][k] = x / l[k][k]
				} else if ok = x >= 1e-6; ok {
					l[i][i] = math.Sqrt(x)
				}
			}
		}
		if ok {
			return l
		}
	}
}

// people draws the users of a lap, and the number of jobs and the work of each.
func (w *Workload) people(rng *rand.Rand) (people []person) {
	for s := range w.m.Users.Strata {
		of := &w.m.Users.Strata[s]
		want := float64(of.Users) * w.factor
		n := int(want)
		if rng.Float64() < want-float64(n) {
			n++
		}
		first := len(people)
		var jobs, work float64
		for _, t := range w.traits(s, n, rng) {
			x := person{stratum: s, traits: t}
			x.work = math.Exp(x.traits.LnWork)
			jobs += math.Exp(x.traits.LnJobs)
			work += x.work
			people = append(people, x)
		}
		users := people[first:]
		scale := float64(of.Jobs) * w.factor / jobs
		for range 4 {
			got := 0.0
			for i := range users {
				x := &users[i]
				x.count = max(1, int(math.Round(scale*math.Exp(x.traits.LnJobs))))
				got += float64(x.count)
			}
			if n > 0 {
				scale *= float64(of.Jobs) * w.factor / got
			}
		}
		for i := range users {
			users[i].work *= of.Work * w.factor / work
		}
	}
	return people
}

// traits draws the traits of n users of a stratum; traits that the model lacks are 0. Each n-th
// part of a trait's distribution supplies one value (Latin hypercube sampling, McKay, Beckman and
// Conover, Technometrics 21, 1979), and the values are assigned in the order of the copula's
// scores. A few users have most of the work, and chance should not make them all large or all
// small.
func (w *Workload) traits(stratum, n int, rng *rand.Rand) []population.Traits {
	users, scores := make([]population.Traits, n), make([][population.NumTraits]float64, n)
	var z [population.NumTraits]float64
	for u := range scores {
		for i := range w.m.NumTraits() {
			z[i] = rng.NormFloat64()
		}
		for i, v := range z {
			if i < len(w.copulas[stratum]) { // other traits are not correlated with any
				v = 0
				for k, f := range w.copulas[stratum][i] {
					v += f * z[k]
				}
			}
			scores[u][i] = v
		}
	}
	order := make([]int, n)
	for i, margin := range w.m.Users.Strata[stratum].Margins.All() {
		if len(margin) == 0 {
			continue
		}
		for u := range order {
			order[u] = u
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a][i], scores[b][i]) })
		for k, u := range order {
			p := (float64(k) + rng.Float64()) / float64(n)
			users[u].All()[i] = between(margin, p*float64(len(margin)-1))
		}
	}
	return users
}

// sampler returns quantiles of a distribution from a table, which saves two logarithms per draw.
// It interpolates linearly between entries, and evaluates the distribution itself near both ends.
type sampler struct {
	law   *population.Quantiles
	table []float64 // nil without a distribution
}

const (
	samplerCells = 1024
	samplerEnd   = 8 // cells at each end
)

func newSampler(law *population.Quantiles) sampler {
	s := sampler{law: law}
	for i := 0; len(law.P) > 0 && i <= samplerCells; i++ {
		s.table = append(s.table, law.At(float64(i)/samplerCells))
	}
	return s
}

func samplers(classes []population.LawClass) (all []sampler) {
	for c := range classes {
		all = append(all, newSampler(&classes[c].Quantiles))
	}
	return all
}

// at returns the quantile at a probability, or 0 without a distribution.
func (s *sampler) at(p float64) float64 {
	if s.table == nil {
		return 0
	}
	x := p * samplerCells
	if i := int(x); i < samplerEnd || i >= samplerCells-samplerEnd {
		return s.law.At(p)
	}
	return between(s.table, x)
}

// between returns the value at a fractional index of a table, by linear interpolation.
func between(table []float64, at float64) float64 {
	i := min(int(at), len(table)-2)
	return table[i] + (at-float64(i))*(table[i+1]-table[i])
}

// groups is the distribution of the number of jobs in the bags of a stratum's users, or of bags
// in their sessions.
type groups struct {
	law    sampler                                            // numbers above one
	ranks  atoms                                              // distribution of their scores, by cell; nil: normal
	traits func(t *population.Traits) (one, mean, sd float64) // share of ones; scores of the numbers above one
}

// several returns the number at a normal score, which is 1 below the share of ones.
func (g *groups) several(t *population.Traits, z float64) int {
	u := phi(z)
	one, mean, sd := g.traits(t)
	if u < one || one == 1 {
		return 1
	}
	return g.at(mean + sd*quantile((u-one)/(1-one)))
}

// at returns the number at a score among the numbers above one.
func (g *groups) at(z float64) int { return max(1, int(math.Round(g.law.at(g.rank(z))))) }

// mean returns the mean number for a user.
func (g *groups) mean(t *population.Traits) float64 {
	one, mean, sd := g.traits(t)
	sum := 0.0
	for _, z := range normalPoints {
		sum += float64(g.at(mean + sd*z))
	}
	return one + (1-one)*sum/points
}

// rank turns a score into a probability by the normal distribution or, once g.ranks is set, by
// the mixture of the users' own distributions, whose tails differ.
func (g *groups) rank(z float64) float64 {
	if g.ranks == nil {
		return phi(z)
	}
	return between(g.ranks, math.Max(0, math.Min(rankCells, rankCell(z))))
}

const (
	rankCells = 256
	rankEdge  = 6.0
)

func rankCell(z float64) float64 { return (z + rankEdge) / (2 * rankEdge) * rankCells }

const (
	examples = 300 // number of users drawn to calibrate a stratum
	rounds   = 3   // of calibration
	points   = 32  // number of normalPoints
)

// normalPoints holds normal quantiles at evenly spaced probabilities.
var normalPoints = func() (z [points]float64) {
	for i := range z {
		z[i] = quantile((float64(i) + .5) / points)
	}
	return z
}()

// calibrate finds the distribution of the scores of bags and sessions, from users drawn for this
// purpose only, so that their ranks follow the model's distributions.
func (w *Workload) calibrate() {
	n := len(w.m.Users.Strata)
	w.bags, w.visits = make([]groups, n), make([]groups, n)
	par.Each(w.o.Workers, n, func(s int) {
		of := &w.m.Users.Strata[s]
		bags := groups{law: newSampler(&of.Bags), traits: func(t *population.Traits) (one, mean, sd float64) { return t.BagOne, t.BagMean, t.BagSD }}
		visits := groups{law: newSampler(&of.Sessions), traits: func(t *population.Traits) (one, mean, sd float64) { return t.SessionOne, t.SessionMean, t.SessionSD }}
		rng := rand.New(rand.NewPCG(uint64(s), 0))
		users := w.traits(s, examples, rng)
		for range rounds {
			ofBags, ofVisits := make([]float64, rankCells+1), make([]float64, rankCells+1)
			for i := range users {
				t := &users[i]
				n := math.Exp(t.LnJobs) / bags.mean(t)
				bags.count(ofBags, n, t)
				visits.count(ofVisits, n/visits.mean(t), t)
			}
			bags.ranks, visits.ranks = newAtoms(ofBags), newAtoms(ofVisits)
		}
		w.bags[s], w.visits[s] = bags, visits
	})
}

// count adds to scores, by cell, the expected scores above one of a user's n groups.
func (g *groups) count(scores []float64, n float64, t *population.Traits) {
	one, mean, sd := g.traits(t)
	for _, z := range normalPoints {
		at := math.Max(0, math.Min(rankCells-1, rankCell(mean+sd*z)))
		scores[int(at)+1] += n * (1 - one) / points
	}
}

// rowsOf returns the rows of resources as jobs whose other values are unknown. If there are none,
// it returns one job without any values.
func rowsOf(r *population.Resources) []workload.Job {
	rows := slices.Repeat([]workload.Job{workload.UnknownJob()}, max(1, len(r.Sizes)))
	for _, c := range r.Columns {
		column := workload.FindColumn(c.Name)
		for i, x := range c.Values {
			switch {
			case x < 0:
			case column.Float():
				column.SetNumber(&rows[i], x)
			default:
				column.SetInt(&rows[i], int64(x))
			}
		}
	}
	for i := range rows {
		rows[i].Derive()
	}
	return rows
}
