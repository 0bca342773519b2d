package population

import "github.com/loadstone-hpc/loadstone/model/population"

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
