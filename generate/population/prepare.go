package population

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// prepared is a model with what laps share.
type prepared struct {
	m                    *population.Model
	factors              [][][]float64 // Cholesky, by stratum
	hours                []float64     // cumulative
	active               []float64     // activity by hour
	period               float64       // s
	periods              int
	classes              []population.RunClass // with GPUs or all, then without
	sizesUpTo            []float64             // cumulative shares
	bags                 []groups              // by stratum: jobs in a bag
	visits               []groups              // bags in a session
	seed                 uint64
	workers              int
	factor               float64 // users over those of the model
	load                 float64 // to reach
	asks                 [asks]bool
	runLaw               []sampler      // by class
	waits                []sampler      // by class
	rows                 []workload.Job // of the model's resources: what else jobs have
	within, apart, think sampler
	laws                 [][]float64 // of run times by class and cell, where there are estimates
}

func prepare(m *population.Model, o Options) *prepared {
	p := &prepared{m: m, classes: slices.Concat(m.RunTimes.Classes, m.RunTimes.WithoutGPUs), seed: o.Seed, workers: o.Workers, factor: 1}
	// The users of the model make a load that its other parts may say otherwise once
	// it has been edited.
	work := 0.0
	for i := range m.Users.Strata {
		work += m.Users.Strata[i].Work
	}
	p.load = m.Log.Load
	if o.Load > 0 {
		p.load = o.Load
	}
	if work > 0 {
		p.factor = p.load * float64(m.Processors) * m.Log.Days * day / work
	}
	if math.Abs(p.factor-1) < 1e-3 { // rounded numbers
		p.factor = 1
	}
	for i := range m.Users.Strata {
		p.factors = append(p.factors, cholesky(m.Users.Strata[i].Correlations))
	}
	weights := m.Cycle.Weights
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1}, 168)
	}
	p.hours = sums(weights)
	p.active = activities(p.hours)
	p.period = float64(len(p.hours)) * hour
	total, upTo := sum(m.Sizes.Shares), 0.0
	for _, x := range m.Sizes.Shares {
		upTo += x / total
		p.sizesUpTo = append(p.sizesUpTo, upTo)
	}
	p.periods = max(1, int(math.Round(m.Log.Days*day/p.period)))
	for what, mean := range asked {
		p.asks[what] = m.Has(mean)
	}
	p.rows = rowsOf(&m.Resources)
	for c := range p.classes {
		p.runLaw = append(p.runLaw, newSampler(&p.classes[c].Quantiles))
	}
	for c := range m.Waits.Classes {
		p.waits = append(p.waits, newSampler(&m.Waits.Classes[c].Quantiles))
	}
	p.within, p.apart, p.think = newSampler(&m.Sessions.Within), newSampler(&m.Sessions.Apart), newSampler(&m.Sessions.Think)
	if p.asks[asksTime] {
		for c := range p.classes {
			p.laws = append(p.laws, p.lawByCell(c))
		}
	}
	p.calibrate()
	return p
}

// cholesky is the lower factor of a correlation matrix; one that is not positive
// definite is moved towards the identity until it is.
func cholesky(lower [][]float64) [][]float64 {
	for keep := 1.0; ; keep *= .9 {
		l := make([][]float64, len(lower))
		ok := true
		for i := range lower {
			l[i] = make([]float64, i+1)
			for k := 0; k <= i && ok; k++ {
				x := lower[i][k]
				if k < i {
					x *= keep
				} else {
					x = 1
				}
				for j := range k {
					x -= l[i][j] * l[k][j]
				}
				if k < i {
					l[i][k] = x / l[k][k]
				} else if x < 1e-6 {
					ok = false
				} else {
					l[i][i] = math.Sqrt(x)
				}
			}
		}
		if ok {
			return l
		}
	}
}

func sum(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// sums are those of the values up to each, the same on any processor.
func sums(x []float64) []float64 {
	out, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		sum += v
		out[i] = sum
	}
	return out
}

func phi(z float64) float64 { return .5 * math.Erfc(-z/math.Sqrt2) }

// margin is the trait at a probability, 0 of one that the model has not.
func margin(q []float64, p float64) float64 {
	if len(q) == 0 {
		return 0
	}
	at := p * float64(len(q)-1)
	i := min(int(at), len(q)-2)
	return q[i] + (at-float64(i))*(q[i+1]-q[i])
}

// sampler is a law of quantiles by a table, which saves two logarithms a draw. Between
// places of the table it is linear; at both ends it is the law itself.
type sampler struct {
	law   *population.Quantiles
	table []float64 // nil where there is no law
}

const (
	samplerCells = 1024
	samplerEnd   = 8 // cells at each end
)

func newSampler(law *population.Quantiles) sampler {
	s := sampler{law: law}
	if len(law.P) == 0 {
		return s
	}
	s.table = make([]float64, samplerCells+1)
	for i := range s.table {
		s.table[i] = law.At(float64(i) / samplerCells)
	}
	return s
}

// at returns the quantile at a probability, 0 where there is no law.
func (s *sampler) at(p float64) float64 {
	if s.table == nil {
		return 0
	}
	x := p * samplerCells
	i := int(x)
	if i < samplerEnd || i >= samplerCells-samplerEnd {
		return s.law.At(p)
	}
	return s.table[i] + (x-float64(i))*(s.table[i+1]-s.table[i])
}

// ranks turns scores into probabilities: by the normal law, or, once there is a
// table, by the mixture of the users' own laws, which has other tails.
type ranks struct{ table []float64 }

const (
	rankCells = 256
	rankEdge  = 6.0
)

func (r *ranks) at(z float64) float64 {
	if r.table == nil {
		return phi(z)
	}
	at := math.Max(0, math.Min(rankCells-1e-9, (z+rankEdge)/(2*rankEdge)*rankCells))
	i := int(at)
	return r.table[i] + (at-float64(i))*(r.table[i+1]-r.table[i])
}

// quantile is that of the normal law, of a probability between 0 and 1.
func quantile(p float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*math.Max(1e-9, math.Min(1-1e-9, p))-1)
}

const (
	examples = 1000 // users of a stratum that are drawn to calibrate it
	rounds   = 3    // of the calibration
	points   = 32   // of the normal law
)

// calibrate finds, by users drawn for that alone, what scores of bags and sessions
// come out, so that their ranks have the law that the model gives.
func (p *prepared) calibrate() {
	n := len(p.m.Users.Strata)
	p.bags, p.visits = make([]groups, n), make([]groups, n)
	par.Each(p.workers, n, func(s int) {
		of := &p.m.Users.Strata[s]
		bags := groups{law: newSampler(&of.Bags), one: population.BagOne}
		visits := groups{law: newSampler(&of.Sessions), one: population.SessionOne}
		rng := rand.New(rand.NewPCG(uint64(s), 0))
		users := make([]traits, examples)
		for i := range users {
			users[i] = p.traits(s, rng)
		}
		for range rounds {
			var ofBags, ofVisits mixture
			for i := range users {
				t := &users[i]
				n := math.Exp(t[population.LnJobs]) / bags.mean(t)
				ofBags.add(n, &bags, t)
				ofVisits.add(n/visits.mean(t), &visits, t)
			}
			bags.ranks, visits.ranks = ofBags.ranks(), ofVisits.ranks()
		}
		p.bags[s], p.visits[s] = bags, visits
	})
}

// groups says how many jobs are in the bags of a stratum's users, or bags in their
// sessions.
type groups struct {
	law   sampler          // of those of more than one
	ranks ranks            // of their scores
	one   population.Trait // share of those of one; the mean score of others and its deviation are the next traits
}

// several is how many there are at a normal score: one below the probability of one.
func (g *groups) several(t *traits, z float64) int {
	u, one := phi(z), t[g.one]
	if u < one || one == 1 {
		return 1
	}
	return g.at(t, quantile((u-one)/(1-one)))
}

// at is how many there are at a normal score among those of more than one.
func (g *groups) at(t *traits, z float64) int {
	return max(1, int(math.Round(g.law.at(g.ranks.at(t[g.one+1]+t[g.one+2]*z)))))
}

// mean is how many a user has on average.
func (g *groups) mean(t *traits) float64 {
	sum := 0.0
	for _, z := range normalPoints {
		sum += float64(g.at(t, z))
	}
	return t[g.one] + (1-t[g.one])*sum/points
}

// normalPoints are quantiles of the normal law at even probabilities.
var normalPoints = func() (z [points]float64) {
	for i := range z {
		z[i] = quantile((float64(i) + .5) / points)
	}
	return z
}()

// mixture has the weights of scores by cell.
type mixture [rankCells + 1]float64

// add adds the scores of a user's groups of more than one, of so many groups in all.
func (m *mixture) add(n float64, g *groups, t *traits) {
	w, mean, sd := n*(1-t[g.one])/points, t[g.one+1], t[g.one+2]
	for _, z := range normalPoints {
		at := math.Max(0, math.Min(rankCells-1, (mean+sd*z+rankEdge)/(2*rankEdge)*rankCells))
		m[int(at)+1] += w
	}
}

// ranks makes a table of the weights.
func (m *mixture) ranks() ranks {
	total := sum(m[:])
	if !(total > 0) {
		return ranks{}
	}
	table := sums(m[:])
	for i := range table {
		table[i] /= total
	}
	return ranks{table}
}

// traits are those of a user.
type traits [population.NumTraits]float64

// traits draws those of a user.
func (p *prepared) traits(stratum int, rng *rand.Rand) (t traits) {
	var z traits
	n := len(z)
	if !p.asks[asksResources] {
		n = int(population.ResourceMean) // the last
	}
	for i := range n {
		z[i] = rng.NormFloat64()
	}
	of := &p.m.Users.Strata[stratum]
	for i := range t {
		v := z[i]
		if i < len(p.factors[stratum]) { // others are correlated with none
			v = 0
			for k, f := range p.factors[stratum][i] {
				v += f * z[k]
			}
		}
		t[i] = margin(of.Margins[i], phi(v))
	}
	return t
}
