package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Head describes the moment when a job has come to the head of the queue and cannot
// start: the number of processors that it lacks, and the running jobs that hold
// them.
type Head struct {
	Time    float64 // s, the current time, from the log's start
	Needed  int64   // n': processors needed beyond those that are free, above 0
	Running []Occupant
}

// Occupant is a running job.
type Occupant struct {
	Request *workload.Request
	Size    int64   // processors that it holds, above 0
	Age     float64 // s, since its start
}

// Benefactors returns the number of running jobs whose end alone would make
// room for the head: those with n' processors or more.
func (h *Head) Benefactors() int {
	n := 0
	for i := range h.Running {
		if h.Running[i].Size >= h.Needed {
			n++
		}
	}
	return n
}

// held returns the processors that the running jobs hold.
func (h *Head) held() int64 {
	held := int64(0)
	for i := range h.Running {
		held += h.Running[i].Size
	}
	return held
}

// laws returns the lifetimes of each running job's class, so that a search
// over times looks up each class only once.
func (h *Head) laws(l Lifetimes) []Lifetimes {
	laws := make([]Lifetimes, len(h.Running))
	for i := range laws {
		laws[i] = lifetimesOf(l, h.Running[i].Request)
	}
	return laws
}

// HeadPredictor predicts how long the job at the head of the queue will stay
// there, in seconds. The prediction is at least Shortest and below Longest; its
// Observations are the number of running jobs on which it rests.
type HeadPredictor interface {
	Name() string // the name in commands and tables, such as "downey-a"
	// Predict returns the predicted time at the head, and false if there is
	// no prediction.
	Predict(h *Head) (workload.Prediction, bool)
}

// headRule is a HeadPredictor without state: a rule and the lifetimes it is called with.
type headRule struct {
	name      string
	lifetimes Lifetimes
	rule      func(*Head, Lifetimes) (workload.Prediction, bool)
}

// Name implements HeadPredictor.
func (p headRule) Name() string { return p.name }

// Predict implements HeadPredictor.
func (p headRule) Predict(h *Head) (workload.Prediction, bool) { return p.rule(h, p.lifetimes) }

// Downey returns Downey's predictors in their customary order: downey-a,
// downey-a-exact, downey-b, downey-n32 and downey-benefactors.
func Downey(l Lifetimes) []HeadPredictor {
	return []HeadPredictor{DowneyA(l), DowneyAExact(l), DowneyB(l), DowneyN32(l), DowneyBenefactors(l)}
}

// DowneyA is Downey's predictor A with the approximation that the paper scores:
// the median of the time until the first benefactor ends,
//
//	prod over benefactors of (1 - C_i(t)) = 0.5,
//
// where C_i(t) is the probability that running job i ends within t seconds. A
// benefactor is a running job that holds at least the n' processors that the
// head lacks. Jobs that free enough only together are not considered, and
// without a benefactor there is no prediction. Downey (1997), "Predicting queue
// times on space-sharing parallel computers", section 4.1. (Equation 5 has its
// two products swapped; "greater than n'" in section 5.1 means at least n'.)
func DowneyA(l Lifetimes) HeadPredictor { return headRule{"downey-a", l, downeyA} }

// downeyA is the rule of DowneyA; false without a benefactor.
func downeyA(h *Head, l Lifetimes) (workload.Prediction, bool) {
	n := h.Benefactors()
	if n == 0 {
		return none()
	}
	laws := h.laws(l)
	t := earliest(func(t float64) float64 {
		allRun := 1.0
		for i := range h.Running {
			if r := &h.Running[i]; r.Size >= h.Needed {
				allRun *= laws[i].Survival(r.Request, r.Age, t)
			}
		}
		return 1 - allRun
	}, 0.5)
	return predicted(t, n)
}

// DowneyB is Downey's predictor B: the time at which the expected number of
// processors freed equals the number that the head needs,
//
//	sum over running jobs of n_i C_i(t) = n',
//
// where job i has n_i processors and ends within t seconds with probability
// C_i(t). Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 4.2.
//
// A head that needs all processors of the running jobs waits, in expectation,
// for the last possible end: the largest TMax - age. If a running job is older
// than TMax there is no last end and no prediction.
func DowneyB(l Lifetimes) HeadPredictor { return headRule{"downey-b", l, downeyB} }

// downeyB is the rule of DowneyB. It returns false if the expected number never
// reaches the number needed, or if the running jobs hold fewer processors, which
// is impossible on a real machine.
func downeyB(h *Head, l Lifetimes) (workload.Prediction, bool) {
	if h.held() < h.Needed {
		return none()
	}
	laws := h.laws(l)
	t := earliest(func(t float64) float64 {
		freed := 0.0
		for i := range h.Running {
			r := &h.Running[i]
			freed += float64(r.Size) * (1 - laws[i].Survival(r.Request, r.Age, t))
		}
		return freed
	}, float64(h.Needed))
	return predicted(t, len(h.Running))
}

// DowneyN32 is the combined predictor of the queue-times paper: A if fewer than
// 32 processors are needed and A has a prediction, else B. Downey (1997),
// "Predicting queue times on space-sharing parallel computers", section 5.3; 32
// was chosen there by comparing the correlations over ranges of n' on one log.
func DowneyN32(l Lifetimes) HeadPredictor { return headRule{"downey-n32", l, downeyN32} }

// downeyN32 is the rule of DowneyN32.
func downeyN32(h *Head, l Lifetimes) (workload.Prediction, bool) {
	if h.Needed < 32 && h.Benefactors() > 0 {
		return downeyA(h, l)
	}
	return downeyB(h, l)
}

// DowneyBenefactors is the combined predictor of the allocation paper: A if
// there are two benefactors or more (see DowneyA), else B. Downey (1997),
// "Using queue time predictions for processor allocation", section 5.
func DowneyBenefactors(l Lifetimes) HeadPredictor {
	return headRule{"downey-benefactors", l, downeyBenefactors}
}

// downeyBenefactors is the rule of DowneyBenefactors.
func downeyBenefactors(h *Head, l Lifetimes) (workload.Prediction, bool) {
	if h.Benefactors() >= 2 {
		return downeyA(h, l)
	}
	return downeyB(h, l)
}

// DowneyAExact is Downey's predictor A without its approximation: the median
// of the time at which the running jobs have freed the processors that the
// head needs, all of them considered. Downey (1997), "Predicting queue times
// on space-sharing parallel computers", section 4.1, adds up all 2^p outcomes
// of p running jobs and calls that infeasible; the same sum is a convolution
// over processors (see freed).
func DowneyAExact(l Lifetimes) HeadPredictor { return headRule{"downey-a-exact", l, downeyAExact} }

// downeyAExact is the rule of DowneyAExact. It returns false if the running jobs hold
// fewer processors than needed, which is impossible on a real machine, or if the
// median is not finite.
func downeyAExact(h *Head, l Lifetimes) (workload.Prediction, bool) {
	if h.held() < h.Needed {
		return none()
	}
	return predicted(earliest(newFreed(h, l).by, 0.5), len(h.Running))
}

// freed computes the probability that within t seconds the running jobs free
// the processors that the head needs:
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
	unit int64 // greatest common divisor of the running jobs' sizes
	need int   // n' in units, rounded up
	// less[k], k < need, is the probability that the jobs considered so far
	// free exactly k units.
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

// divisor returns the greatest common divisor of a and b.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// by returns the probability that the processors needed are free after t seconds.
func (f *freed) by(t float64) float64 {
	if f.need <= 0 {
		return 1
	}
	clear(f.less)
	f.less[0] = 1
	enough, top := 0.0, 0 // the probability of need or more units; the highest k with less[k] > 0
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

// Unbiased corrects the bias of another predictor by the outcomes of its
// predictions: exp(b0 + b1 ln predicted), where ln actual = b0 + b1 ln
// predicted is the least-squares line of all earlier predictions whose job has
// started. Downey (1997), "Using queue time predictions for processor
// allocation", section 5.4, which fits one line to a whole run; here the line
// is updated after each job. There is no correction before 30 jobs with a
// prediction have started.
type Unbiased struct {
	inner HeadPredictor
	line  stats.Correlation
	asked float64 // ln of the latest inner prediction; NaN if its outcome is not awaited
}

// NewUnbiased returns an Unbiased that corrects the predictions of inner.
func NewUnbiased(inner HeadPredictor) *Unbiased { return &Unbiased{inner: inner, asked: math.NaN()} }

const unbiasedFrom = 30 // outcomes before the first correction

// Name returns the inner predictor's name and "-unbiased".
func (u *Unbiased) Name() string { return u.inner.Name() + "-unbiased" }

// Predict implements HeadPredictor.
func (u *Unbiased) Predict(h *Head) (workload.Prediction, bool) {
	p, ok := u.inner.Predict(h)
	u.asked = math.NaN()
	if !ok {
		return p, false
	}
	u.asked = math.Log(p.Seconds)
	if slope := u.line.Slope(); u.line.N() >= unbiasedFrom && !math.IsNaN(slope) {
		return predicted(max(math.Exp(u.line.Intercept()+slope*u.asked), Shortest), p.Observations)
	}
	return p, true
}

// Learn updates the line with the actual time at the head, in seconds, of the job of the latest
// prediction. AtHead calls it when the job starts.
func (u *Unbiased) Learn(actual float64) {
	if !math.IsNaN(u.asked) && actual > 0 {
		u.line.Add(u.asked, math.Log(actual))
	}
	u.asked = math.NaN()
}
