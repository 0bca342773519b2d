package live

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/score"
)

const (
	// recommendedAfter is how many answers have to be settled before a predictor is
	// recommended.
	recommendedAfter = 100
	// scoredEvery is how often scores are made anew, at the most.
	scoredEvery = 5 * time.Second
)

// Scores returns how often the answers about real jobs have held.
func (s *Service) Scores() (*Scores, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	scores := *v.scores
	scores.State = s.momentNow(v)
	return &scores, nil
}

// scoresNow makes the scores of a moment.
func (s *Service) scoresNow(at float64) *Scores {
	e := s.engine
	missing, open := e.waiting(at)
	scores := &Scores{Schema: ScoresSchema, Bounds: e.audit.score(at, missing, open), Forecasts: e.forecasts.score(at), Hours: []Hour{}}
	if !math.IsNaN(e.since) {
		since := s.timeAt(e.since)
		scores.Since = &since
	}
	for start, slots := range e.audit.hours.last(at, hoursKept) {
		scores.Hours = append(scores.Hours, Hour{s.timeAt(start), append([]HourBound{}, *slots...)})
	}
	scores.Recommended = s.recommended(scores.Bounds)
	return scores
}

// recommended returns the predictor to be put first: the best one by its record at the
// largest quantile. It is "" while too few answers are settled.
func (s *Service) recommended(scores []BoundScore) (name string) {
	levels := len(s.o.Quantiles)
	var best score.BoundRecord
	for i := levels - 1; i < len(scores); i += levels {
		b := &scores[i]
		if b.Settled < recommendedAfter || math.IsNaN(float64(b.QuantileLoss)) {
			continue
		}
		r := score.BoundRecord{Quantile: b.Quantile, Coverage: float64(b.Coverage.All), Loss: float64(b.QuantileLoss)}
		if name == "" || r.Better(best) {
			name, best = b.Predictor, r
		}
	}
	return name
}
