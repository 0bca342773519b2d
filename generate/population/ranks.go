package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// ranks turns scores into probabilities: by the normal law, or, once there is a
// table, by the mixture of the users' own laws, which has other tails.
type ranks struct{ table []float64 }

const (
	rankCells = 512
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

// learn makes a table of weighted scores.
func learn(weights []float64) ranks {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if !(total > 0) {
		return ranks{}
	}
	r := ranks{make([]float64, rankCells+1)}
	sum := 0.0
	for i, w := range weights {
		sum += w
		r.table[i+1] = sum / total
	}
	return r
}

// quantile is that of the normal law, of a probability between 0 and 1.
func quantile(p float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*math.Max(1e-9, math.Min(1-1e-9, p))-1)
}

const (
	examples    = 150 // users of a stratum that are tried
	exampleJobs = 400
)

// calibrate finds, by users drawn for that alone, what scores of bags and sessions
// come out, so that their ranks have the law that the model gives.
func (p *prepared) calibrate() {
	n := len(p.m.Users.Strata)
	p.bags, p.visits = make([]ranks, n), make([]ranks, n)
	for s := range p.m.Users.Strata {
		of := &p.m.Users.Strata[s]
		for round := range 2 {
			rng := rand.New(rand.NewPCG(uint64(s), uint64(round)))
			bags, visits := make([]float64, rankCells), make([]float64, rankCells)
			for range examples {
				t := p.traits(s, rng)
				jobs := math.Exp(t[population.LnJobs])
				made := 0
				var own, ownVisits []float64
				for float64(made) < math.Min(jobs, exampleJobs) {
					z := rng.NormFloat64()
					k := p.several(&of.Sessions, &p.visits[s], t[population.SessionOne], t[population.SessionMean], t[population.SessionSD], z)
					if u := phi(z); u >= t[population.SessionOne] && t[population.SessionOne] < 1 {
						ownVisits = append(ownVisits, t[population.SessionMean]+t[population.SessionSD]*quantile((u-t[population.SessionOne])/(1-t[population.SessionOne])))
					}
					for ; k > 0 && float64(made) < math.Min(jobs, exampleJobs); k-- {
						z := rng.NormFloat64()
						made += p.several(&of.Bags, &p.bags[s], t[population.BagOne], t[population.BagMean], t[population.BagSD], z)
						if u := phi(z); u >= t[population.BagOne] && t[population.BagOne] < 1 {
							own = append(own, t[population.BagMean]+t[population.BagSD]*quantile((u-t[population.BagOne])/(1-t[population.BagOne])))
						}
					}
				}
				w := jobs / float64(made)
				for _, z := range own {
					bags[rankCell(z)] += w
				}
				for _, z := range ownVisits {
					visits[rankCell(z)] += w
				}
			}
			p.bags[s], p.visits[s] = learn(bags), learn(visits)
		}
	}
}

func rankCell(z float64) int {
	return int(math.Max(0, math.Min(rankCells-1, (z+rankEdge)/(2*rankEdge)*rankCells)))
}

// traits draws those of a user.
func (p *prepared) traits(stratum int, rng *rand.Rand) (t [population.NumTraits]float64) {
	var z [population.NumTraits]float64
	for i := range z {
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
