package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Templates of models whose published parameters are not all at hand, by
// their names on the command line. What is missing is null in the text, and
// the user's to give.
const (
	Poisson       = "poisson"
	Feitelson1996 = "feitelson1996"
	Jann1997      = "jann1997"
)

// Templates lists the names that Template knows.
func Templates() []string { return []string{Feitelson1996, Jann1997, Poisson} }

// Missing is a field of a template that has to be given.
type Missing struct {
	Path    string // such as "classes[0].arrivals.interarrival.parameters.mean"
	Meaning string
}

// Template returns the text of a model file with null for each field that is
// missing, which Decode refuses, and what these fields mean. It is false for
// another name.
func Template(name string) (text string, missing []Missing, ok bool) {
	var site map[string]any
	switch name {
	case Poisson:
		site, missing = poissonTemplate()
	case Feitelson1996:
		site, missing = feitelson1996Template()
	case Jann1997:
		site, missing = jann1997Template()
	default:
		return "", nil, false
	}
	var b strings.Builder
	writeOrdered(&b, site, "")
	return b.String() + "\n", missing, true
}

// inOrder are the fields of templates in the order of a model file.
var inOrder = []string{
	"schema", "name", "source", "processors", "classes", "column", "value", "sizes", "shares", "size", "share",
	"run_times", "first", "second", "p_intercept", "p_slope", "arrivals", "method", "interarrival", "family", "parameters",
	"shape_1", "scale_1", "shape_2", "scale_2", "p", "mean",
}

// writeOrdered writes a template as Encode writes a model, but for short
// objects, which are on one line.
func writeOrdered(b *strings.Builder, v any, indent string) {
	inner := indent + "  "
	switch v := v.(type) {
	case fields:
		b.WriteString("{\n")
		n := 0
		for _, name := range inOrder {
			field, ok := v[name]
			if !ok {
				continue
			}
			fmt.Fprintf(b, "%s%q: ", inner, name)
			writeOrdered(b, field, inner)
			if n++; n < len(v) {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteString(indent + "}")
	case []any:
		b.WriteString("[\n")
		for i, element := range v {
			b.WriteString(inner)
			writeOrdered(b, element, inner)
			if i < len(v)-1 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteString(indent + "]")
	case []SizeShare:
		b.WriteString("[\n")
		for i, row := range v {
			fmt.Fprintf(b, "%s{\"size\": %d, \"share\": %s}", inner, row.Size, number(row.Share))
			if i < len(v)-1 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteString(indent + "]")
	case string:
		b.WriteString(strconv.Quote(v))
	case Method:
		b.WriteString(strconv.Quote(string(v)))
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, v)
	}
}

// TemplateError says that a model is a template, and what it lacks.
type TemplateError struct {
	Name    string
	Missing []Missing
}

func (e *TemplateError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: %s is a template: its parameters are not all published where they could be had, and are not invented; missing:", e.Name)
	for i, m := range e.Missing {
		if i == 4 && len(e.Missing) > 6 {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Missing)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", m.Path, m.Meaning)
	}
	return b.String()
}

type fields = map[string]any

// lawTemplate is a law whose parameters are all missing.
func lawTemplate(family string, parameters ...string) fields {
	p := fields{}
	for _, name := range parameters {
		p[name] = nil
	}
	return fields{"family": family, "parameters": p}
}

func templateSite(name, source string, processors any, classes ...any) fields {
	return fields{"schema": Schema, "name": name, "source": source, "processors": processors, "classes": classes}
}

// poissonTemplate is the simplest of all: Poisson arrivals, exponential run
// times, serial jobs.
func poissonTemplate() (fields, []Missing) {
	const class = "classes[0]."
	return templateSite(Poisson, "Poisson arrivals, exponential run times: rate and mean as given by the user", nil, fields{
			"name":      "all",
			"sizes":     fields{"shares": []SizeShare{{1, 1}}},
			"run_times": fields{"first": lawTemplate("exponential", "mean")},
			"arrivals":  fields{"method": Stationary, "interarrival": lawTemplate("exponential", "mean")},
		}), []Missing{
			{"processors", "of the machine"},
			{class + "run_times.first.parameters.mean", "s, mean run time"},
			{class + "arrivals.interarrival.parameters.mean", "s, mean time between submissions"},
		}
}

// feitelson1996Template has the sizes that are at hand, harmonic of order 1.5
// on 128 processors without the tuning by hand of small sizes and powers of
// two, and leaves the run times and the rate to the user.
func feitelson1996Template() (fields, []Missing) {
	const class = "classes[0]."
	return templateSite(Feitelson1996, "Feitelson (1996), Packing schemes for gang scheduling: sizes harmonic of order 1.5, without the paper's tuning by hand, which is not at hand; run times and rate as given by the user", 128, fields{
			"name":  "all",
			"sizes": fields{"shares": []SizeShare(harmonicSizes(128, 1.5))},
			"run_times": fields{
				"first": lawTemplate("exponential", "mean"), "second": lawTemplate("exponential", "mean"),
				"p_intercept": nil, "p_slope": nil,
			},
			"arrivals": fields{"method": Stationary, "interarrival": lawTemplate("exponential", "mean")},
		}), []Missing{
			{class + "run_times.first.parameters.mean", "s, mean of the shorter of the two exponential run times"},
			{class + "run_times.second.parameters.mean", "s, mean of the longer one (unverified: 7 times the shorter)"},
			{class + "run_times.p_intercept", "share of the shorter one at size 0 (unverified: 0.95)"},
			{class + "run_times.p_slope", "its slope over the size (unverified: -0.2 over the 128 processors)"},
			{class + "arrivals.interarrival.parameters.mean", "s, mean time between submissions, which the model does not set"},
		}
}

// jann1997Template has a class for every range of sizes by powers of two, for
// the 322 nodes of the log that the model was made of. Interarrival and run
// times are hyper-Erlang of common order: two Gammas of seconds of one whole
// shape, the order, with the rates' reciprocals as scales.
func jann1997Template() (fields, []Missing) {
	hyperErlang := func() fields { return lawTemplate("hyper-gamma", "shape_1", "scale_1", "shape_2", "scale_2", "p") }
	var classes []any
	var missing []Missing
	for lo := 1; lo <= 322; lo *= 2 {
		hi := min(2*lo-1, 322)
		name := fmt.Sprintf("%d-%d", lo, hi)
		var shares any
		path := fmt.Sprintf("classes[%d].", len(classes))
		if lo == hi {
			name, shares = "1", []SizeShare{{1, 1}}
		} else {
			missing = append(missing, Missing{path + "sizes.shares", fmt.Sprintf("the sizes from %d to %d with their shares", lo, hi)})
		}
		for _, part := range []string{"run_times.first", "arrivals.interarrival"} {
			missing = append(missing,
				Missing{path + part + ".parameters.shape_1", "order of the hyper-Erlang law, a whole number, and the same as shape_2"},
				Missing{path + part + ".parameters.scale_1", "s, one over the first rate"},
				Missing{path + part + ".parameters.shape_2", "the order again"},
				Missing{path + part + ".parameters.scale_2", "s, one over the second rate"},
				Missing{path + part + ".parameters.p", "share of the first"})
		}
		classes = append(classes, fields{
			"name": name, "column": "queue_id", "value": len(classes) + 1,
			"sizes":     fields{"shares": shares},
			"run_times": fields{"first": hyperErlang()},
			"arrivals":  fields{"method": Stationary, "interarrival": hyperErlang()},
		})
	}
	return templateSite(Jann1997, "Jann and others (1997), Modeling of workload in MPPs: hyper-Erlang of common order by range of sizes, for 322 nodes of the CTC SP2; the parameters of the paper's tables as given by the user", 322, classes...), missing
}
