package live

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ScoresSchema is the name and version of the JSON form of Scores.
const ScoresSchema = "loadstone.scores/1"

// Scores contains the scores of the answers about real jobs.
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
	score.BoundLoss     // of the jobs that have started
}

// slot is one predictor at one quantile.
type slot struct {
	predictor string
	quantile  float64
}

// tally counts the answers about real jobs and their outcomes, by slot.
type tally []slotTally

// slotTally counts the answers of a slot.
type slotTally struct {
	slot
	answers, censored int
	held, missed      int // the settled answers
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

// withdrawn settles the answers of a job that was withdrawn after waiting for some seconds.
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

// scores returns the scores at the time now. An answer counts as missed as soon as its job has
// waited longer than the bound.
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

// scoredEvery is the least time between computations of the scores.
const scoredEvery = 5 * time.Second

// Scores returns the scores of the answers about real jobs. Before the first state the error
// is ErrNotReady.
func (s *Service) Scores() (*Scores, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	scores := *v.scores
	scores.State = s.stateNow(v)
	return &scores, nil
}

// scoresNow returns the Scores at a time, without their State.
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

// tested returns the records of all predictors at the largest quantile.
func (s *Service) tested(scores []BoundScore) (all []tested) {
	levels := len(s.o.Quantiles)
	for i := levels - 1; i < len(scores); i += levels {
		b := &scores[i]
		all = append(all, tested{b.Predictor, b.Jobs, score.BoundRecord{Quantile: b.Quantile, Coverage: float64(b.Share), Loss: float64(b.QuantileLoss)}})
	}
	return all
}

// covered returns the coverage of a predictor's bounds by quantile.
func (s *Scores) covered(predictor string) (all []Coverage) {
	for i := range s.Bounds {
		if s.Bounds[i].Predictor == predictor {
			all = append(all, s.Bounds[i].Coverage)
		}
	}
	return all
}
