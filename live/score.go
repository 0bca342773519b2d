package live

import (
	"math"
	"time"
)

const (
	// recommendedAfter is how many answers have to be settled before a predictor is
	// recommended.
	recommendedAfter = 100
	// forgiven is how far below the quantile the coverage of a recommended predictor may be.
	forgiven = 0.01
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

// recommended returns the predictor to be put first: of those that cover the largest
// quantile, less a percentage point, the one with the smallest pinball loss there; if none
// covers so much, the one that covers most. It is "" while too few answers are settled.
// Package forecast recommends by the same rule.
func (s *Service) recommended(scores []BoundScore) string {
	levels := len(s.o.Quantiles)
	var best *BoundScore
	for i := levels - 1; i < len(scores); i += levels {
		b := &scores[i]
		if b.Settled < recommendedAfter || math.IsNaN(float64(b.Loss)) {
			continue
		}
		if best == nil || better(b, best) {
			best = b
		}
	}
	if best == nil {
		return ""
	}
	return best.Predictor
}

func better(a, b *BoundScore) bool {
	kept := func(s *BoundScore) bool { return float64(s.Coverage.All) >= s.Quantile-forgiven }
	switch x, y := kept(a), kept(b); {
	case x != y:
		return x
	case x:
		return a.Loss < b.Loss
	}
	return a.Coverage.All > b.Coverage.All
}
