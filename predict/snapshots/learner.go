package snapshots

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/predict/forest"
)

// learner predicts the mean of two logarithms: that of a forest on the ranks of the
// features, which separates the jobs well, and that of a ridge regression on their
// logarithms, which extrapolates beyond the queues seen so far. The distribution about it
// is the forest's.
//
// A job that is still waiting is not left out, since then only short waits of the last
// days would remain: it counts with a wait that is drawn from the known ones that are
// longer than it has waited so far.
//
// The bound is the quantile of that distribution, moved by as much as the bounds of
// the snapshots so far should have been moved to cover the share: conformalised
// quantile regression (Romano, Patterson and Candes 2019, NeurIPS 32) on predictions
// that were made before their answers were known. Each snapshot has the same weight,
// since the jobs of one wait for the same events.
type learner struct {
	quantile float64
	random   *rand.Rand
	seed     uint64

	forest *forest.Forest
	ridge  *ridge
	ranks  []ranks // by feature
	move   float64
	bounds []float64 // of the rows of the snapshots so far, NaN where there were none
}

// NewForest returns the predictor "forest", a forest and a ridge regression on
// all features, with bounds at quantile, in (0, 1).
func NewForest(quantile float64, seed uint64) Predictor {
	return &learner{quantile: quantile, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
}

func (l *learner) Name() string { return "forest" }

// penalty is the ridge's: between those of the published ones, 100 and 10,000.
const penalty = 1000

// mostMoved bounds how far bounds are moved: a factor of 10.
const mostMoved = 1

func (l *learner) Learn(past []Row, now float64) error {
	for len(l.bounds) < len(past) { // rows that it did not predict
		l.bounds = append(l.bounds, math.NaN())
	}
	answers := l.answers(past, now)
	l.forest = nil
	if len(answers) == 0 {
		return nil
	}
	l.ridge = &ridge{name: "ridge", penalty: penalty, scale: symmetricLog}
	if err := l.ridge.fit(past, answers); err != nil {
		return err
	}
	t := forest.Table{Answers: answers}
	l.ranks = l.ranks[:0]
	for c := range past[0].Features {
		column := make([]float64, len(past))
		for i := range past {
			column[i] = past[i].Features[c]
		}
		r := ranksOf(column)
		for i, x := range column {
			column[i] = r.of(x)
		}
		l.ranks = append(l.ranks, r)
		t.Columns = append(t.Columns, column)
	}
	var err error
	l.forest, err = forest.Train(t, forest.Options{Seed: l.seed})
	l.move = l.conformal(past, now)
	return err
}

// answers returns the logarithms of the waits of all rows; those of waiting jobs are drawn.
// It returns nil if no wait is known.
func (l *learner) answers(past []Row, now float64) []float64 {
	logs := known(past, now)
	if len(logs) == 0 {
		return nil
	}
	slices.Sort(logs)
	answers := make([]float64, len(past))
	for i := range past {
		r := &past[i]
		if r.Known(now) {
			answers[i] = Log(r.Wait)
			continue
		}
		elapsed := Log(r.Elapsed(now))
		longer := logs[sort.SearchFloat64s(logs, elapsed):]
		if len(longer) == 0 {
			answers[i] = elapsed + math.Log10(2) // as long again
			continue
		}
		answers[i] = longer[l.random.IntN(len(longer))]
	}
	return answers
}

// conformal returns the amount by which bounds are moved.
func (l *learner) conformal(past []Row, now float64) float64 {
	type score struct{ missed, weight float64 }
	var scores []score
	total := 0.0
	for begin := 0; begin < len(past); {
		end := begin
		for end < len(past) && past[end].Time == past[begin].Time {
			end++
		}
		for i := begin; i < end; i++ {
			if l.bounds[i] != l.bounds[i] {
				continue
			}
			r := &past[i]
			missed := Log(r.Wait) - l.bounds[i]
			if !r.Known(now) { // that of the time so far or, below the bound, the largest of a covered wait: 0
				missed = max(Log(r.Elapsed(now))-l.bounds[i], 0)
			}
			weight := 1 / float64(end-begin)
			scores = append(scores, score{missed, weight})
			total += weight
		}
		begin = end
	}
	slices.SortFunc(scores, func(a, b score) int { return cmp.Compare(a.missed, b.missed) })
	sum := 0.0
	for _, s := range scores {
		if sum += s.weight; sum >= l.quantile*total {
			return max(-mostMoved, min(mostMoved, s.missed))
		}
	}
	return 0
}

func (l *learner) Predict(rows []Row, out []Prediction) {
	if l.forest == nil {
		for i := range rows {
			out[i] = Prediction{math.NaN(), math.NaN()}
			l.bounds = append(l.bounds, math.NaN())
		}
		return
	}
	l.ridge.Predict(rows, out)
	var s forest.Sample
	x := make([]float64, len(l.ranks))
	for i := range rows {
		for c, r := range l.ranks {
			x[c] = r.of(rows[i].Features[c])
		}
		l.forest.At(x, &s)
		of := s.Mean()
		out[i].Log = (out[i].Log + of) / 2
		bound := out[i].Log + s.Quantile(l.quantile) - of
		l.bounds = append(l.bounds, bound)
		out[i].Bound = bound + l.move
	}
}
