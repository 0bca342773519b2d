package live

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ScoresSchema names the JSON form of Scores and its version.
const ScoresSchema = "loadstone.scores/1"

// Scores tells how often the answers about real jobs have held.
type Scores struct {
	Schema      string       `json:"schema"`
	State       State        `json:"state"`
	Since       *time.Time   `json:"since" help:"When the first answer that is scored was given."`
	Recommended string       `json:"recommended,omitempty" help:"The predictor that answers put first."`
	Bounds      []BoundScore `json:"bounds"`
}

// BoundScore is the score of one predictor at one quantile.
type BoundScore struct {
	Predictor string  `json:"predictor" label:"predictor"`
	Quantile  float64 `json:"quantile" label:"level"`
	Answers   int     `json:"answers" metric:"bound_answers_total" help:"Jobs that it gave a bound."`
	Coverage
	Held            int `json:"held" metric:"bound_held_total" help:"Settled answers that held."`
	Censored        int `json:"censored" metric:"bound_censored_total" help:"Answers about jobs that were withdrawn before the bound was reached."`
	Open            int `json:"open" help:"Answers about jobs that wait, within the bound."`
	score.BoundLoss     // of the jobs that started
}

// slot is one predictor at one quantile.
type slot struct {
	predictor string
	quantile  float64
}

// tally is the scores of the answers about real jobs, by slot.
type tally []slotTally

// slotTally is the scores of a slot.
type slotTally struct {
	slot
	answers, censored int
	held, missed      int // settled; a missed one may still wait
	loss              score.WaitBoundTally
}

func newTally(slots []slot) (t tally) {
	for _, s := range slots {
		t = append(t, slotTally{slot: s, loss: score.WaitBoundTally{BoundTally: score.BoundTally{Quantile: s.quantile}}})
	}
	return t
}

// gave counts the answers of a job that is scored.
func (t tally) gave(given []float64) {
	for i, bound := range given {
		if !math.IsNaN(bound) {
			t[i].answers++
		}
	}
}

// started settles the answers of a job that has started.
func (t tally) started(given []float64, wait float64) {
	for i, bound := range given {
		t[i].loss.Add(bound, wait)
		switch {
		case wait <= bound:
			t[i].held++
		case wait > bound:
			t[i].missed++
		}
	}
}

// withdrawn settles the answers of a job that left after having waited so long.
func (t tally) withdrawn(given []float64, waited float64) {
	for i, bound := range given {
		switch {
		case waited > bound:
			t[i].missed++
		case waited <= bound:
			t[i].censored++
		}
	}
}

// scores are those of a moment. A scored job that waits beyond a bound has missed it.
func (e *engine) scores(now float64) []BoundScore {
	missed, open := make([]int, len(e.tally)), make([]int, len(e.tally))
	for _, o := range e.open {
		if !o.waits() || !o.scored {
			continue
		}
		for i, bound := range o.given {
			switch waited := now - o.request.Submit; {
			case waited > bound:
				missed[i]++
			case waited <= bound:
				open[i]++
			}
		}
	}
	out := []BoundScore{}
	for i, t := range e.tally {
		settled := t.held + t.missed + missed[i]
		out = append(out, BoundScore{
			Predictor: t.predictor, Quantile: t.quantile, Answers: t.answers, Censored: t.censored, Open: open[i],
			Held: t.held, Coverage: Coverage{stats.Number(float64(t.held) / float64(settled)), settled}, BoundLoss: t.loss.Loss(),
		})
	}
	return out
}

// scoredEvery is how often scores are made anew, at the most.
const scoredEvery = 5 * time.Second

// Scores returns how often the answers about real jobs have held.
func (s *Service) Scores() (*Scores, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	scores := *v.scores
	scores.State = s.stateNow(v)
	return &scores, nil
}

// scoresNow makes the scores of a moment.
func (s *Service) scoresNow(at float64) *Scores {
	scores := &Scores{Schema: ScoresSchema, Bounds: s.engine.scores(at)}
	if !math.IsNaN(s.engine.since) {
		since := s.timeAt(s.engine.since)
		scores.Since = &since
	}
	if best := best(s.tested(scores.Bounds)); best != nil {
		scores.Recommended = best.predictor
	}
	return scores
}

// tested are the scores of all predictors at the largest quantile.
func (s *Service) tested(scores []BoundScore) (all []tested) {
	levels := len(s.o.Quantiles)
	for i := levels - 1; i < len(scores); i += levels {
		b := &scores[i]
		all = append(all, tested{b.Predictor, b.Jobs, score.BoundRecord{Quantile: b.Quantile, Coverage: float64(b.Share), Loss: float64(b.QuantileLoss)}})
	}
	return all
}

// covered is what the bounds of a predictor have covered, by quantile.
func (s *Scores) covered(predictor string) (all []Coverage) {
	for i := range s.Bounds {
		if s.Bounds[i].Predictor == predictor {
			all = append(all, s.Bounds[i].Coverage)
		}
	}
	return all
}
