package fit

import "github.com/loadstone-hpc/loadstone/stats"

// testsJSON is what a report in the form "loadstone.fit/1" has only on
// request.
type testsJSON struct {
	AD               *adJSON              `json:"anderson_darling,omitempty"`
	ChiSquare        *chiSquareJSON       `json:"chi_square,omitempty"`
	SampledChiSquare *chiSquareJSON       `json:"chi_square_samples,omitempty"`
	Intervals        *intervalsJSON       `json:"intervals,omitempty"`
	CrossValidation  *crossValidationJSON `json:"cross_validation,omitempty"`
	Subsamples       *subsamplesJSON      `json:"subsamples,omitempty"`
}

// significanceJSON is a test's p-value, null without the bootstrap. What is of
// the bootstrap alone is left out without it.
type significanceJSON struct {
	PValue           *float64 `json:"p_value"`
	Method           string   `json:"method"`
	Replicates       int      `json:"replicates"`
	Failed           *int     `json:"failed,omitempty"`
	Stopped          *bool    `json:"stopped,omitempty"`
	AsymptoticPValue *float64 `json:"p_value_asymptotic,omitempty"`
}

func (s Significance) json() significanceJSON {
	out := significanceJSON{PValue: finite(s.PValue), Method: s.Method, Replicates: s.Replicates}
	if s.Method == stats.ParametricBootstrap {
		out.Failed, out.Stopped, out.AsymptoticPValue = &s.Failed, &s.Stopped, finite(s.Asymptotic)
	}
	return out
}

type ksJSON struct {
	D float64 `json:"d"`
	significanceJSON
}

type adJSON struct {
	A2 *float64 `json:"a2"` // null where it is infinite
	significanceJSON
}

type chiSquareJSON struct {
	X2               *float64 `json:"x2"`
	Cells            int      `json:"cells"`
	DegreesOfFreedom int      `json:"degrees_of_freedom"`
	significanceJSON
}

func (c *ChiSquare) json() *chiSquareJSON {
	if c == nil {
		return nil
	}
	return &chiSquareJSON{finite(c.X2), c.Cells, c.DegreesOfFreedom, c.Significance.json()}
}

type intervalsJSON struct {
	Level      float64        `json:"level"`
	Method     string         `json:"method"`
	Replicates int            `json:"replicates"`
	Of         []intervalJSON `json:"parameters"`
}

type intervalJSON struct {
	Parameter string   `json:"parameter"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
}

type crossValidationJSON struct {
	Folds         int      `json:"folds"`
	LogLikelihood *float64 `json:"log_likelihood"` // null where a law gives a job no density
	Outside       int64    `json:"outside"`
}

type subsamplesJSON struct {
	Samples  int     `json:"samples"`
	Smallest int     `json:"smallest"`
	Largest  int     `json:"largest"`
	Level    float64 `json:"level"`
	Passed   int     `json:"passed"`
	Share    float64 `json:"share"`
}

func (r Report) testsJSON() testsJSON {
	out := testsJSON{ChiSquare: r.ChiSquare.json(), SampledChiSquare: r.SampledChiSquare.json()}
	if r.AD != nil {
		out.AD = &adJSON{finite(r.AD.A2), r.AD.Significance.json()}
	}
	if i := r.Intervals; i != nil {
		out.Intervals = &intervalsJSON{Level: i.Level, Method: i.Method, Replicates: i.Replicates}
		for _, p := range i.Of {
			out.Intervals.Of = append(out.Intervals.Of, intervalJSON{p.Name, finite(p.Low), finite(p.High)})
		}
	}
	if c := r.CrossValidation; c != nil {
		out.CrossValidation = &crossValidationJSON{c.Folds, finite(c.LogLikelihood), c.Outside}
	}
	if s := r.Subsamples; s != nil {
		out.Subsamples = &subsamplesJSON{s.Samples, s.Smallest, s.Largest, s.Level, s.Passed, s.Share()}
	}
	return out
}
