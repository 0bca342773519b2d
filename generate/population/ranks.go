package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
)

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
	total := 0.0
	for _, w := range m {
		total += w
	}
	if !(total > 0) {
		return ranks{}
	}
	table := make([]float64, rankCells+1)
	sum := 0.0
	for i, w := range m {
		sum += w
		table[i] = sum / total
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
