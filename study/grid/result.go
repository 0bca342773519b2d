package grid

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ResultSchema names the JSON form of Result and its version.
const ResultSchema = "loadstone.grid-scores/1"

// Result is the result of Compute: the scores of policies on the jobs of a
// window of a log.
type Result struct {
	Schema   string             `json:"schema"`
	Log      workload.Summary   `json:"log"`
	Window   Studied            `json:"window"`
	Grid     Grid               `json:"grid"`
	Tau      float64            `json:"tau_s"`
	Learning *Learning          `json:"predictions,omitempty"` // nil if no policy predicts
	Feedback *Dependencies      `json:"feedback,omitempty"`    // nil where the simulation is open
	Scores   []Score            `json:"scores"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	// Jobs are those of the window, in order of submission, and Outcomes the
	// results of each policy, in the order of Scores.
	Jobs     []workload.Job `json:"-"`
	Outcomes []Outcome      `json:"-"`
}

// Studied is the window of the log that was studied.
type Studied struct {
	Asked int          `json:"asked_days"` // 0 for the whole log
	Days  float64      `json:"days"`       // length of the window; a log may be shorter than asked
	From  float64      `json:"from_s"`
	To    float64      `json:"to_s"`
	Jobs  int          `json:"jobs"`
	Sites int          `json:"sites"`
	Load  stats.Number `json:"offered_load"` // work over the grid's capacity in these days
}

// FromDay is the day of the log on which the window begins, from 0.
func (s *Studied) FromDay() float64 { return s.From / day }

// Learning describes the jobs from which predictors learn.
type Learning struct {
	Classes   []string `json:"classes"` // the finest first
	History   string   `json:"history"` // HistoryGrid or HistoryCluster
	Corrected bool     `json:"corrected"`
}

// Score contains the scores of one policy.
type Score struct {
	Policy string `json:"policy" show:"policy"`
	score.Grid
	Agreement     stats.Number        `json:"agreement_pct" show:"as first,%"` // with the first policy: score.AgreementPct
	Feedback      *FeedbackScore      `json:"feedback,omitempty" row:"flat"`   // nil where the simulation is open
	Clusters      []score.GridCluster `json:"clusters" row:"named" csv:"jobs"`
	Distributions Distributions       `json:"distributions"`
}

// Distributions are the distribution functions of score.GridTally.
type Distributions struct {
	Wait     []Point `json:"wait_s"`
	Response []Point `json:"response_s"`
	Slowdown []Point `json:"bounded_slowdown"`
}

// Point is a score.Share with names in JSON.
type Point struct {
	Value  float64 `json:"value"`
	AtMost float64 `json:"at_most"`
}

func points(all []score.Share) []Point {
	out := []Point{}
	for _, s := range all {
		out = append(out, Point{s.Value, s.AtMost})
	}
	return out
}

// Scores returns the scores of a study's outcomes on its grid.
func Scores(g Grid, outcomes []Outcome) []Score {
	var all []Score
	for i := range outcomes {
		o := &outcomes[i]
		d := o.Tally.Distributions()
		s := Score{
			Policy: o.Policy.Name(), Grid: o.Tally.Result(),
			Agreement:     stats.Number(score.AgreementPct(outcomes[0].Clusters(), o.Clusters())),
			Distributions: Distributions{points(d.Wait), points(d.Response), points(d.Slowdown)},
		}
		s.Clusters = s.Grid.Clusters
		for k := range s.Clusters {
			s.Clusters[k].Name = g.Clusters[k].Name
		}
		all = append(all, s)
	}
	return all
}

// OddOf returns the warnings of the outcomes, each once even if several
// policies have it.
func OddOf(outcomes []Outcome) []workload.Warning {
	var all []workload.Warning
	for _, o := range outcomes {
		for _, w := range o.Warnings {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}
