package forecast

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// similar is the past jobs that are most like the request of one size.
type similar struct {
	group  string // "" for all, if there are too few similar ones
	sample int    // of asked.samples
}

// drawSamples draws the jobs of the history that predictors are judged on: of all jobs,
// and of the groups of the sizes.
func (a *asked) drawSamples() error {
	s, err := evaluate.DrawSample(a.past.all, a.q.Judged, a.q.Seed, nil)
	if err != nil {
		return err
	}
	a.samples = []*evaluate.Sample{s}
	a.similar = make([]similar, len(a.q.Sizes))
	if err := a.findGroups(); err != nil {
		return err
	}
	for _, s := range a.samples {
		s.Expect(a.judged(), len(a.q.Quantiles))
	}
	return nil
}

// judged are the predictors that bound waits.
func (a *asked) judged() []string {
	return slices.DeleteFunc(slices.Clone(a.q.Predictors), func(name string) bool {
		return name == standing.Simulated || name == standing.BQueue || name == standing.Estimates && !a.bounded()
	})
}

// findGroups draws a sample of each group of the sizes.
func (a *asked) findGroups() error {
	columns := a.q.Groups
	if len(columns) == 0 {
		columns = []string{sizeRanges}
	}
	all := a.samples[0]
	members := map[string]func(*workload.Request) bool{} // by group; nil for one of too few jobs
	var names []string                                   // of the groups with enough
	for i := range a.requests {
		for _, columns := range coarser(columns) {
			classes, err := workload.ClassesOf(columns, pastColumns)
			if err != nil {
				return err
			}
			if len(classes.Columns()) == 0 { // all jobs
				break
			}
			key := classes.RequestKey(&a.requests[i])
			name := classes.Label(key)
			if _, met := members[name]; !met {
				of := func(r *workload.Request) bool { return classes.RequestKey(r) == key }
				s, err := all.Like(a.past.all, SimilarJobs, a.q.Seed, of)
				if err != nil {
					return err
				}
				members[name] = nil
				if s.Jobs() >= SimilarJobs {
					members[name] = of
					names = append(names, name)
				}
			}
			if members[name] != nil {
				a.similar[i].group = name
				break
			}
		}
	}
	for _, name := range names {
		s, err := all.Like(a.past.all, a.q.Judged/max(2, len(names)), a.q.Seed, members[name])
		if err != nil {
			return err
		}
		for i := range a.similar {
			switch {
			case a.similar[i].group != name:
			case s.Jobs() < SimilarJobs:
				a.similar[i].group = ""
			default:
				a.similar[i].sample = len(a.samples)
			}
		}
		if s.Jobs() >= SimilarJobs {
			a.samples = append(a.samples, s)
		}
	}
	return nil
}

// judge fills in what all predictors covered, and recommends one for each size.
func (a *asked) judge() {
	if a.samples[0].Jobs() == 0 {
		return
	}
	for _, name := range a.q.Predictors {
		// Predictors without a bound for the request are not judged.
		if !slices.ContainsFunc(a.out.Predictions, func(p Prediction) bool { return p.Predictor == name && len(p.Bounds) > 0 }) {
			for _, s := range a.samples {
				s.Forget(name)
			}
		}
	}
	last := 0 // the largest quantile
	for k, q := range a.q.Quantiles {
		if q > a.q.Quantiles[last] {
			last = k
		}
	}
	scores := make([][][]evaluate.ArrivalScore, len(a.samples)) // by sample and quantile
	for i, s := range a.samples {
		for k, q := range a.q.Quantiles {
			of, _ := s.Scores(k, q)
			scores[i] = append(scores[i], of)
		}
	}
	all := a.samples[0]
	a.out.Record = &Record{Jobs: all.Jobs(), Of: all.Of(), Quantile: a.q.Quantiles[last], Draws: a.options.Draws, Kept: true}
	for i, size := range a.q.Sizes {
		// A sample may begin before there were enough past waits for any bound.
		if !slices.ContainsFunc(scores[a.similar[i].sample][last], func(s evaluate.ArrivalScore) bool { return s.Bounded >= SimilarJobs }) {
			a.similar[i] = similar{}
		}
		of := a.similar[i]
		s := a.samples[of.sample]
		a.out.Record.Sizes = append(a.out.Record.Sizes, SizeRecord{Processors: size, Group: of.group, Jobs: s.Jobs(), Of: s.Of(), Kept: true})
	}
	for i := range a.out.Predictions {
		p := &a.out.Predictions[i]
		of := a.similar[slices.Index(a.q.Sizes, p.Processors)].sample
		for k := range p.Bounds {
			b, s := &p.Bounds[k], scoreOf(scores[0][k], p.Predictor)
			b.Coverage, b.Jobs, b.Loss = s.Coverage, s.Bounded, s.CommonLoss
			if of > 0 {
				s = scoreOf(scores[of][k], p.Predictor)
				b.SimilarCoverage, b.SimilarJobs, b.SimilarLoss = s.Coverage, s.Bounded, s.CommonLoss
			}
		}
	}
	// On an empty machine a request starts at once, and a bound from past waits would mislead.
	if all.Jobs() < score.StretchJobs || a.out.State.Empty() {
		return
	}
	for i := range a.out.Record.Sizes {
		a.recommend(&a.out.Record.Sizes[i], last, scores[a.similar[i].sample][last])
	}
}

func scoreOf(scores []evaluate.ArrivalScore, predictor string) *evaluate.ArrivalScore {
	return &scores[slices.IndexFunc(scores, func(s evaluate.ArrivalScore) bool { return s.Predictor == predictor })]
}

// recommend marks the recommended prediction of a size, as Record says.
func (a *asked) recommend(size *SizeRecord, quantile int, scores []evaluate.ArrivalScore) {
	var best *Prediction
	var of score.BoundRecord
	var waits int
	for i := range a.out.Predictions {
		p := &a.out.Predictions[i]
		if p.Processors != size.Processors || len(p.Bounds) == 0 || math.IsNaN(float64(p.Bounds[quantile].Seconds)) {
			continue
		}
		s := scoreOf(scores, p.Predictor)
		if 2*s.Bounded < s.Jobs {
			continue
		}
		r := score.BoundRecord{Quantile: a.q.Quantiles[quantile], Coverage: float64(s.Coverage), Loss: float64(s.CommonLoss)}
		if best == nil || r.Better(of) {
			best, of, waits = p, r, s.Bounded
		}
	}
	if best == nil {
		return
	}
	best.Recommended, size.Kept = true, of.Kept()
	a.out.Record.Kept = a.out.Record.Kept && size.Kept
	if size.Group != "" && of.ClearlyBelow(waits) {
		a.warn("similar-not-covered", "%d processors: the %g%% bounds of the recommended %s covered only %.1f%% of %d waits of similar past jobs (%s): expect longer waits than its bounds say",
			size.Processors, 100*of.Quantile, best.Predictor, 100*of.Coverage, waits, size.Group)
	}
}

// first returns 1 if recommended, else 0, to sort by.
func first(recommended bool) int {
	if recommended {
		return 1
	}
	return 0
}
