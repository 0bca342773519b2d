package predict

import "github.com/loadstone-hpc/loadstone/workload"

// DowneyAExact is Downey's predictor A without its approximation: the median
// of the time at which the running jobs have freed the processors that the
// head needs, all of them considered. Downey (1997), "Predicting queue times
// on space-sharing parallel computers", section 4.1, adds up all 2^p outcomes
// of p running jobs and calls that infeasible; the same sum is a convolution
// over processors (see freed).
type DowneyAExact struct {
	Lifetimes Lifetimes
}

var _ HeadPredictor = DowneyAExact{}

// Name returns "downey-a-exact".
func (DowneyAExact) Name() string { return "downey-a-exact" }

// Predict implements HeadPredictor. It is false if the running jobs hold fewer
// than the needed processors, which is impossible on a real machine, or if the
// median is not finite.
func (p DowneyAExact) Predict(h *Head) (workload.Prediction, bool) {
	if h.held() < h.Needed {
		return none()
	}
	return predicted(earliest(newFreed(h, p.Lifetimes).by, 0.5), len(h.Running))
}

// freed computes the probability that within t seconds the running jobs free
// what the head needs:
//
//	Pr{ sum_i n_i B_i(t) >= n' }, B_i(t) independent, 1 with probability C_i(t)
//
// for job i of n_i processors, which ends within t with probability C_i(t). It
// takes O(p n') time for p running jobs. It never subtracts, so small
// probabilities and small complements are both computed with full relative
// accuracy.
type freed struct {
	head *Head
	laws []Lifetimes
	unit int64 // the sizes' greatest common divisor: processors come in these
	need int   // n' in units, rounded up
	// less[k] is the probability that the jobs so far free k units, k < need.
	less []float64
}

func newFreed(h *Head, l Lifetimes) *freed {
	f := &freed{head: h, laws: h.laws(l)}
	for i := range h.Running {
		f.unit = divisor(f.unit, h.Running[i].Size)
	}
	f.unit = max(1, f.unit)
	f.need = int((h.Needed + f.unit - 1) / f.unit)
	f.less = make([]float64, max(1, f.need))
	return f
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (f *freed) by(t float64) float64 {
	if f.need <= 0 {
		return 1
	}
	clear(f.less)
	f.less[0] = 1
	enough, top := 0.0, 0 // the probability of need and more; the most units below
	for i := range f.head.Running {
		r := &f.head.Running[i]
		runs := f.laws[i].Survival(r.Request, r.Age, t)
		if runs >= 1 {
			continue
		}
		ends := 1 - runs
		n := int(min(r.Size/f.unit, int64(f.need)))
		for k := min(top, f.need-1); k >= 0; k-- {
			p := f.less[k]
			if p == 0 {
				continue
			}
			if k+n >= f.need {
				enough += p * ends
			} else {
				f.less[k+n] += p * ends
			}
			f.less[k] = p * runs
		}
		top = min(top+n, f.need-1)
	}
	return enough
}
