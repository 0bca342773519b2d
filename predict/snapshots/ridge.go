package snapshots

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ridge is a linear regression of the logarithm of the wait on the features, each
// standardised to mean 0 and variance 1, that minimises the sum of squared errors and
// penalty times the sum of squared coefficients but the constant's (Hoerl and Kennard
// 1970, Technometrics 12). A missing feature counts as its mean.
type ridge struct {
	name    string
	penalty float64
	scale   func(float64) float64 // of a feature, before it is standardised

	centre, width []float64 // by feature
	weights       mat.VecDense
	constant      float64
}

// NewRidge returns the predictor "ridge-PENALTY", a ridge regression on the features
// as they are; with logs "ridge-log-PENALTY", on their symmetric logarithms,
// sign(x) ln(1+|x|).
func NewRidge(penalty float64, logs bool) Predictor {
	if logs {
		return &ridge{name: fmt.Sprintf("ridge-log-%g", penalty), penalty: penalty, scale: symmetricLog}
	}
	return &ridge{name: fmt.Sprintf("ridge-%g", penalty), penalty: penalty, scale: func(x float64) float64 { return x }}
}

func symmetricLog(x float64) float64 { return math.Copysign(math.Log1p(math.Abs(x)), x) }

func (r *ridge) Name() string { return r.name }

func (r *ridge) Learn(past []Row, now float64) error {
	var rows []Row
	var logs []float64
	for i := range past {
		if p := &past[i]; p.Known(now) {
			rows, logs = append(rows, *p), append(logs, Log(p.Wait))
		}
	}
	return r.fit(rows, logs)
}

// fit fits the regression to the answers of rows.
func (r *ridge) fit(rows []Row, answers []float64) error {
	r.constant = math.NaN()
	if len(rows) == 0 {
		return nil
	}
	r.constant = mean(answers)
	r.standardise(rows)
	m := len(r.centre)
	// The normal equations, row by row: of two products, no matrix of all rows.
	squares, products := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
	const block = 1024
	x := mat.NewDense(block, m, nil)
	for begin := 0; begin < len(rows); begin += block {
		end := min(begin+block, len(rows))
		part := x.Slice(0, end-begin, 0, m).(*mat.Dense)
		y := mat.NewVecDense(end-begin, nil)
		for i := begin; i < end; i++ {
			r.standard(rows[i].Features, part.RawRowView(i-begin))
			y.SetVec(i-begin, answers[i]-r.constant)
		}
		var s mat.SymDense
		s.SymOuterK(1, part.T())
		squares.AddSym(squares, &s)
		var p mat.VecDense
		p.MulVec(part.T(), y)
		products.AddVec(products, &p)
	}
	for c := range m {
		squares.SetSym(c, c, squares.At(c, c)+r.penalty)
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(squares) {
		return fmt.Errorf("%s: the normal equations cannot be solved", r.name)
	}
	r.weights.Reset()
	return cholesky.SolveVecTo(&r.weights, products)
}

// standardise finds the mean and the standard deviation of each feature.
func (r *ridge) standardise(rows []Row) {
	m := len(rows[0].Features)
	r.centre, r.width = make([]float64, m), make([]float64, m)
	for c := range m {
		n, sum := 0.0, 0.0
		for i := range rows {
			if x := r.scale(rows[i].Features[c]); x == x {
				n++
				sum += x
			}
		}
		r.width[c] = 1
		if n == 0 {
			continue
		}
		r.centre[c] = sum / n
		squares := 0.0
		for i := range rows {
			if x := r.scale(rows[i].Features[c]); x == x {
				squares += (x - r.centre[c]) * (x - r.centre[c])
			}
		}
		if squares > 0 {
			r.width[c] = math.Sqrt(squares / n)
		}
	}
}

// standard puts the standardised features into x.
func (r *ridge) standard(features, x []float64) {
	for c, v := range features {
		if v = (r.scale(v) - r.centre[c]) / r.width[c]; v != v {
			v = 0
		}
		x[c] = v
	}
}

func (r *ridge) Predict(rows []Row, out []Prediction) {
	x := make([]float64, len(r.centre))
	for i := range rows {
		out[i] = Prediction{r.constant, math.NaN()}
		if r.constant == r.constant {
			r.standard(rows[i].Features, x)
			out[i].Log += mat.Dot(&r.weights, mat.NewVecDense(len(x), x))
		}
	}
}
