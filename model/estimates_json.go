package model

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// estimatesFile is the shape of a class's estimates in a model file; which
// fields there are depends on the kind.
type estimatesFile struct {
	Kind     EstimateKind    `json:"kind"`
	Max      float64         `json:"max_s,omitempty"`
	Distinct int64           `json:"distinct,omitempty"`
	Given    []EstimateShare `json:"given,omitempty"`
	Factor   float64         `json:"factor,omitempty"`
	RoundTo  *float64        `json:"round_s,omitempty"`
	LeftOut  *int64          `json:"left_out,omitempty"`
	Overrun  *int64          `json:"overrun,omitempty"`
	Bins     []LogEstimate   `json:"bins,omitempty"`
}

func (e Estimates) file() *estimatesFile {
	f := &estimatesFile{Kind: e.Kind, Max: e.Max, Distinct: e.Distinct, Given: e.Given, Factor: e.Factor, Bins: e.Log.Bins}
	if e.Kind == FromLog {
		f.RoundTo, f.LeftOut, f.Overrun = &e.Log.RoundTo, &e.Log.LeftOut, &e.Log.Overrun
	}
	return f
}

func (o *object) estimates() (e Estimates) {
	e.Kind = EstimateKind(o.text("kind", required))
	switch e.Kind {
	case TsafrirEstimates:
		e.Max, e.Distinct = o.number("max_s"), o.integer("distinct", optional)
		for i, raw := range o.array("given", optional) {
			g := o.p.object(fmt.Sprintf("%s[%d]", o.join("given"), i), raw)
			e.Given = append(e.Given, EstimateShare{g.number("time_s"), g.number("share")})
			g.done()
			if o.p.err != nil || i > MaxGivenEstimates {
				break
			}
		}
	case UniformEstimates:
		e.Factor = o.number("factor")
	case FromLog:
		e.Log = o.logEstimates()
	default:
		if o.p.err == nil {
			o.p.fail(e.validate(o.path, false))
			if o.p.err == nil { // no kind at all
				o.p.fail(&FieldError{Path: o.join("kind"), Saw: `""`, Want: fmt.Sprintf("%q, %q or %q", TsafrirEstimates, UniformEstimates, FromLog)})
			}
		}
	}
	o.done()
	return e
}

func (o *object) logEstimates() (l LogEstimates) {
	l.RoundTo = o.number("round_s")
	l.LeftOut, l.Overrun = o.integer("left_out", required), o.integer("overrun", required)
	for i, raw := range o.array("bins", required) {
		b := o.p.object(fmt.Sprintf("%s[%d]", o.join("bins"), i), raw)
		bin := LogEstimate{Time: b.number("time_s"), Jobs: b.integer("jobs", required)}
		list := b.array("accuracy", required)
		if len(list) != AccuracyCells {
			o.p.fail(&FieldError{Path: b.join("accuracy"), Saw: fmt.Sprintf("%d counts", len(list)), Want: fmt.Sprintf("%d, by share of the estimate", AccuracyCells)})
			return l
		}
		for k, raw := range list {
			if string(raw) == "null" || json.Unmarshal(raw, &bin.Accuracy[k]) != nil {
				o.p.fail(&FieldError{Path: fmt.Sprintf("%s[%d]", b.join("accuracy"), k), Saw: sample(raw), Want: "a whole number"})
			}
		}
		b.done()
		l.Bins = append(l.Bins, bin)
		if o.p.err != nil || i > MaxEstimateBins {
			break
		}
	}
	return l
}

// inOneLine takes the line breaks out of the lists of numbers that are fields
// of a name: there may be thousands. No text holds what is looked for, because
// quotes are escaped there.
func inOneLine(file []byte, name string) []byte {
	begin := []byte(`"` + name + `": [`)
	var out []byte
	for {
		before, rest, found := bytes.Cut(file, begin)
		out = append(out, before...)
		if !found {
			return out
		}
		list, after, _ := bytes.Cut(rest, []byte("]"))
		out = append(append(append(out, begin...), bytes.Join(bytes.Fields(list), []byte(" "))...), ']')
		file = after
	}
}
