package stats

import (
	"fmt"
	"math"
)

// lagRegression is the least-squares regression of a series' differences on a
// constant, its level and lagged differences, as the Cholesky factor of the
// regressors' correlations. Centring takes the constant out, and scaling keeps
// the factor well conditioned; a factor serves every leading set of regressors
// at once.
type lagRegression struct {
	n      int       // observations
	z      []float64 // the factor's solution for the differences, of variance 1
	corner float64   // the factor's last diagonal element
}

// tiny is the least share of a regressor's variance that the others may leave
// unexplained: below it the factor is noise.
const tiny = 1e-13

// newLagRegression regresses on p lagged differences; the level comes first
// among the regressors, or last.
func newLagRegression(x []float64, p int, levelLast bool) (lagRegression, error) {
	n := len(x) - 1 - p
	columns := p + 1
	// The regressors at observation i, i from 0, and the difference itself as
	// the last column.
	column := func(c, i int) float64 {
		at := i + p // x[at+1] - x[at] is regressed
		switch {
		case c == columns:
			return x[at+1] - x[at]
		case levelLast && c == p, !levelLast && c == 0:
			return x[at]
		case levelLast:
			c++
		}
		return x[at+1-c] - x[at-c]
	}
	sums := newProducts(columns+1, n, column)
	factor, err := sums.cholesky()
	if err != nil {
		return lagRegression{}, fmt.Errorf("%w: %d values and %d lags", ErrExactSeries, len(x), p)
	}
	r := lagRegression{n: n, z: factor[columns][:columns], corner: factor[columns-1][columns-1]}
	return r, nil
}

// residual is the share of the differences' variance that the first k
// regressors leave unexplained.
func (r lagRegression) residual(k int) float64 {
	left := 1.0
	for _, z := range r.z[:k] {
		left -= z * z
	}
	return left
}

// t is the t statistic of the last regressor's coefficient. The factor's
// corner cancels: it is in the coefficient and in its standard error.
func (r lagRegression) t() float64 {
	k := len(r.z)
	free := float64(r.n - k - 1) // and the constant
	return r.z[k-1] * math.Sqrt(free/r.residual(k))
}

// products are the sums of products of centred columns.
type products [][]float64 // lower triangle

// newProducts sums in blocks of rows, so that columns that are lagged copies of
// one another are read from the cache.
func newProducts(columns, rows int, at func(c, i int) float64) products {
	mean := make([]float64, columns)
	for c := range mean {
		for i := range rows {
			mean[c] += at(c, i)
		}
		mean[c] /= float64(rows)
	}
	s := make(products, columns)
	for c := range s {
		s[c] = make([]float64, c+1)
	}
	const block = 256
	values := make([][block]float64, columns)
	for from := 0; from < rows; from += block {
		m := min(block, rows-from)
		for c := range values {
			for i := range m {
				values[c][i] = at(c, from+i) - mean[c]
			}
		}
		for a := range s {
			for b := range s[a] {
				sum := 0.0
				u, v := values[a][:m], values[b][:m]
				for i := range u {
					sum += u[i] * v[i]
				}
				s[a][b] += sum
			}
		}
	}
	return s
}

// cholesky returns the lower factor of the columns' correlations.
func (s products) cholesky() ([][]float64, error) {
	factor := make([][]float64, len(s))
	for a := range s {
		factor[a] = make([]float64, a+1)
		for b := range a + 1 {
			sum := s[a][b] / math.Sqrt(s[a][a]) / math.Sqrt(s[b][b])
			for k := range b {
				sum -= factor[a][k] * factor[b][k]
			}
			if a > b {
				factor[a][b] = sum / factor[b][b]
				continue
			}
			if !(sum > tiny) {
				return nil, ErrExactSeries
			}
			factor[a][a] = math.Sqrt(sum)
		}
	}
	return factor, nil
}
