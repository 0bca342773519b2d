package fit

import (
	"bytes"
	"encoding/json"
	"math"
)

// reportJSON is a report in the stable form "loadstone.fit/1".
type reportJSON struct {
	Attribute     Attribute   `json:"attribute"`
	Transform     Transform   `json:"transform"`
	By            string      `json:"by"`
	Family        string      `json:"family"`
	Method        string      `json:"method,omitempty"`
	Parameters    parameters  `json:"parameters"`
	Max           float64     `json:"max,omitempty"`
	Rounding      Rounding    `json:"rounding,omitempty"`
	Resolution    float64     `json:"resolution,omitempty"`
	Censored      float64     `json:"censored,omitempty"` // jobs
	Tried         []triedJSON `json:"tried,omitempty"`
	N             int64       `json:"n"`
	LeftOut       []LeftOut   `json:"left_out"`
	LogLikelihood *float64    `json:"log_likelihood"`
	AIC           *float64    `json:"aic"`
	BIC           *float64    `json:"bic"`
	KS            ksJSON      `json:"ks"`
	testsJSON
	Atoms      []atomJSON `json:"atoms,omitempty"`
	InModel    bool       `json:"in_model,omitempty"`
	Status     Status     `json:"status"`
	Iterations int        `json:"iterations"`
	Warnings   []string   `json:"warnings"`
}

type atomJSON struct {
	Component int     `json:"component"`
	Share     float64 `json:"share"`
	Value     float64 `json:"value"`
	Jobs      int64   `json:"jobs"`
}

type triedJSON struct {
	Components    int      `json:"components"`
	LogLikelihood *float64 `json:"log_likelihood"`
	BIC           *float64 `json:"bic"`
	Status        Status   `json:"status"`
}

// parameters are an object that keeps their order.
type parameters Report

func (p parameters) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, q := range p.Parameters {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(q.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(finite(q.Value))
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON writes the report as one element of "fits" of the stable form
// "loadstone.fit/1". What is not finite, such as the likelihood of a law that
// gives a job no density, is null.
func (r Report) MarshalJSON() ([]byte, error) {
	out := reportJSON{
		Attribute: r.Attribute, Transform: r.Transform, By: r.By, Family: r.Family, Method: r.Method,
		Parameters: parameters(r), N: r.N, LeftOut: append([]LeftOut{}, r.LeftOut...),
		LogLikelihood: finite(r.LogLikelihood), AIC: finite(r.AIC), BIC: finite(r.BIC),
		KS:        ksJSON{r.KS.D, r.KS.json()},
		testsJSON: r.testsJSON(),
		Status:    r.Status, Iterations: r.Iterations, Warnings: append([]string{}, r.Warnings...),
	}
	out.InModel = r.InModel
	for _, a := range r.Atoms {
		out.Atoms = append(out.Atoms, atomJSON(a))
	}
	out.Max, out.Rounding, out.Resolution, out.Censored = r.Max, r.Rounding, r.Resolution, r.Censored
	for _, c := range r.Tried {
		out.Tried = append(out.Tried, triedJSON{c.Components, finite(c.LogLikelihood), finite(c.BIC), c.Status})
	}
	return json.Marshal(out)
}

// finite returns a pointer to v, or nil, which is null, where it is not finite.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
