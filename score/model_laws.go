package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// laws are what the sizes and run times of a class follow.
type laws struct {
	probability map[int64]float64 // that a size is at most this one, for sizes seen and their predecessors
	groups      map[int]*mixture  // of the run times by sizeGroup
	all         mixture
	size        float64 // mean
	area        float64 // mean of size times run time
	areaSquare  float64 // mean of its square
}

// mixture is the law of the run times of some sizes: of each size it is
// truncated and weighted by itself, and their sum needs the two Gammas only.
type mixture struct {
	times         model.LnRunTimes
	weight        float64 // probability of the sizes
	first, second float64 // factors of the two Gammas
	most          float64 // s, to which longer run times are cut; +Inf for none
}

func (m *mixture) add(probability, p, mass float64) {
	m.weight += probability
	m.first += probability * p / mass
	m.second += probability * (1 - p) / mass
}

// upTo is the probability of a run time of at most t seconds.
func (m *mixture) upTo(t float64) float64 {
	if t <= 0 {
		return 0
	}
	ln := math.Log(t)
	if ln >= m.times.MaxLn || t > m.most {
		return 1
	}
	return min(1, (m.first*m.times.Law.First.CDF(ln)+m.second*m.times.Law.Second.CDF(ln))/m.weight)
}

func (k *classCheck) findLaws() *laws {
	if k.laws != nil {
		return k.laws
	}
	r := k.class.Lublin().RunTimes
	most := k.class.LongestRun()
	l := &laws{probability: map[int64]float64{0: 0}, groups: map[int]*mixture{}, all: mixture{times: r, most: most}}
	var mass, mean, square [2]float64 // of the Gammas, cut
	for i, g := range []dist.Gamma{r.Law.First, r.Law.Second} {
		mass[i] = g.CDF(r.MaxLn)
		below, maxLn := mass[i], r.MaxLn
		if ln := math.Log(most); ln < maxLn {
			below, maxLn = g.CDF(ln), ln
			mean[i] = (mass[i] - below) * most
			square[i] = mean[i] * most
		}
		if below > 0 {
			cut := dist.Ln{Inner: g, MaxLn: maxLn}
			mean[i] += below * cut.Mean()
			square[i] += below * (cut.Variance() + cut.Mean()*cut.Mean())
		}
	}
	wanted := map[int64]bool{}
	values, _ := k.part.values[size].Values()
	for _, v := range values {
		wanted[int64(v)], wanted[int64(v)-1] = true, true
	}
	upTo := 0.0
	for n := int64(1); n <= k.processors; n++ {
		if q := k.class.Sizes.Probability(n, k.processors); q > 0 {
			upTo += q
			p, s := r.P(n), float64(n)
			whole := p*mass[0] + (1-p)*mass[1]
			g := sizeGroup(n)
			if l.groups[g] == nil {
				l.groups[g] = &mixture{times: r, most: most}
			}
			l.groups[g].add(q, p, whole)
			l.all.add(q, p, whole)
			l.size += q * s
			l.area += q * s * (p*mean[0] + (1-p)*mean[1]) / whole
			l.areaSquare += q * s * s * (p*square[0] + (1-p)*square[1]) / whole
		}
		if wanted[n] {
			l.probability[n] = min(1, upTo)
		}
	}
	k.laws = l
	return l
}

// at is the probability that a size is at most n; n was seen, or is beside
// what was.
func (l *laws) at(n, processors int64) float64 {
	if n >= processors {
		return 1
	}
	return l.probability[n]
}
