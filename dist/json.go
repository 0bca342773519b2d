package dist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
)

// Family is how laws of one name are read from a file. To read a custom law, give its
// Family to Unmarshal, or to Decode of package model.
type Family struct {
	// Name is what the law's method Family returns: "log-logistic".
	Name string
	// Parameters are the names of its parameters, in their order; of the mixtures of this
	// package, those of one component.
	Parameters []string
	// New makes the law with the given parameters, in the order of Parameters. They may be
	// out of range, which the law's Validate reports.
	New func(p []float64) (Law, error)

	// mixture, of the mixtures of this package, returns the names of the parameters of
	// a law of which a file gives so many.
	mixture func(given int) []string
}

// Families returns the families of this package, sorted by name.
func Families() []Family {
	return []Family{
		NewFamily(Exponential{}), NewFamily(Gamma{}), mixtureOf(NewGammaMixture), NewFamily(HyperGamma{}), NewFamily(LogNormal{}),
		mixtureOf(NewMultiStageUniformLog), NewFamily(Normal{}), NewFamily(Pareto{}), NewFamily(TwoStageUniform{}), NewFamily(Uniform{}),
		NewFamily(UniformLog{}), NewFamily(Weibull{}),
	}
}

// NewFamily returns the family of a law with a fixed number of parameters. Its value does not
// matter.
func NewFamily(law Named) Family {
	return Family{
		Name: law.Family(), Parameters: names(Parameters(law)),
		New: func(p []float64) (Law, error) { return withParameters(law, p), nil },
	}
}

// withParameters is a law of the type of another.
func withParameters[L Law](law L, p []float64) L {
	made := reflect.New(reflect.TypeOf(law)).Elem()
	for i, f := range fieldsOf(made, 0) {
		f.value.SetFloat(p[i])
	}
	return made.Interface().(L)
}

// mixtureOf is the family of the mixtures of a law.
func mixtureOf[L Component, M Law](mixture func(...Weighted[L]) (M, error)) Family {
	var zero L
	each := len(Parameters(zero)) + 1 // and the weight
	mixed := func(given int) []string {
		n := max(1, min((given+each-1)/each, MaxComponents))
		return names(make(parts[L], n).parameters())
	}
	return Family{
		Name: zero.mixed().family, Parameters: mixed(1), mixture: mixed,
		New: func(p []float64) (Law, error) {
			var parts []Weighted[L]
			for c := range slices.Chunk(p, each) {
				if zero.mixed().weightFirst {
					parts = append(parts, Weighted[L]{c[0], withParameters(zero, c[1:])})
				} else {
					parts = append(parts, Weighted[L]{c[each-1], withParameters(zero, c)})
				}
			}
			return mixture(parts...)
		},
	}
}

func names(parameters []Parameter) []string {
	var names []string
	for _, p := range parameters {
		names = append(names, p.Name)
	}
	return names
}

// decodeFamily builds the law of that name from its parameters.
func decodeFamily(name string, parameters map[string]*float64, more []Family) (Law, error) {
	table := append(Families(), more...)
	i := slices.IndexFunc(table, func(f Family) bool { return f.Name == name })
	if i < 0 {
		var known []string
		for _, f := range table {
			known = append(known, f.Name)
		}
		return nil, fmt.Errorf("law: family is %q, want one of %s", name, list(known))
	}
	names := table[i].Parameters
	if mixture := table[i].mixture; mixture != nil {
		names = mixture(len(parameters))
	}
	values := make([]float64, len(names))
	for i, p := range names {
		v, ok := parameters[p]
		if !ok || v == nil {
			return nil, fmt.Errorf("%s: parameter %q is missing, want numbers for %s", name, p, list(names))
		}
		values[i] = *v
	}
	var unknown []string
	for p := range parameters {
		if !slices.Contains(names, p) {
			unknown = append(unknown, p)
		}
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		return nil, fmt.Errorf("%s: unknown parameter %q, want %s", name, unknown[0], list(names))
	}
	l, err := table[i].New(values)
	if err == nil && i >= len(table)-len(more) {
		err = Check(l)
	}
	return l, err
}

// wire is a law in JSON.
type wire struct {
	Transform  string              `json:"transform,omitempty"` // "" or "ln"
	Family     string              `json:"family"`
	Parameters map[string]*float64 `json:"parameters"`
	MaxLn      *float64            `json:"max_ln,omitempty"` // with "ln" only
}

// Marshal returns the law as {"family": .., "parameters": {..}}, an Ln with
// "transform": "ln" before it and, if it is cut, "max_ln" after it. The
// parameters keep their order. A law that Validate rejects is an error, so
// that no file holds one.
func Marshal(l Law) ([]byte, error) {
	if err := Validate(l); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	ln, isLn := l.(Ln)
	if isLn {
		b.WriteString(`"transform":"ln",`)
	}
	fmt.Fprintf(&b, `"family":%q,"parameters":{`, FamilyOf(l))
	for i, p := range Parameters(l) {
		if i > 0 {
			b.WriteByte(',')
		}
		v, err := json.Marshal(p.Value)
		if err != nil {
			return nil, err // unreachable: the law is valid, so p is finite
		}
		fmt.Fprintf(&b, "%q:%s", p.Name, v)
	}
	b.WriteByte('}')
	if isLn && ln.MaxLn != 0 {
		v, err := json.Marshal(ln.MaxLn)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `,"max_ln":%s`, v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Unmarshal reads a law from the JSON form that Marshal writes. Unknown fields, families and
// parameters, missing parameters and values out of range are errors that name
// the field and what is allowed. more are families beside those of this package, whose
// laws have to pass Check.
func Unmarshal(data []byte, more ...Family) (Law, error) {
	var w wire
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return nil, fmt.Errorf("law: %w", inWords(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("law: more data after the object")
	}
	l, err := w.law(more)
	if err != nil {
		return nil, err
	}
	if err := Validate(l); err != nil {
		return nil, err
	}
	return l, nil
}

// inWords describes an error in the JSON of a law without Go's type names.
func inWords(err error) error {
	if name, ok := jsonfault.Unknown(err); ok {
		return fmt.Errorf("unknown field %q, want family, parameters, transform, max_ln", name)
	}
	return jsonfault.Words(err)
}

func (w wire) law(more []Family) (Law, error) {
	inner, err := decodeFamily(w.Family, w.Parameters, more)
	if err != nil {
		return nil, err
	}
	switch {
	case w.Transform == "ln":
		l := Ln{Inner: inner}
		if w.MaxLn != nil {
			if *w.MaxLn == 0 {
				return nil, &ParameterError{"ln", "max_ln", 0, "a number other than 0; leave it out for no limit"}
			}
			l.MaxLn = *w.MaxLn
		}
		return l, nil
	case w.Transform != "":
		return nil, fmt.Errorf(`law: transform is %q, want "ln", or no transform at all`, w.Transform)
	case w.MaxLn != nil:
		return nil, errors.New(`law: max_ln is given without "transform": "ln"`)
	}
	return inner, nil
}

// JSON carries a law through encoding/json as a field of a larger structure.
// A nil Law is null.
type JSON struct{ Law Law }

// MarshalJSON calls Marshal.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j.Law == nil {
		return []byte("null"), nil
	}
	return Marshal(j.Law)
}

// JSONShape returns the type that the JSON has.
func (JSON) JSONShape() any { return (*wire)(nil) }

// UnmarshalJSON calls Unmarshal: it knows the families of this package.
func (j *JSON) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		j.Law = nil
		return nil
	}
	l, err := Unmarshal(data)
	if err != nil {
		return err
	}
	j.Law = l
	return nil
}

// list joins names for an error message.
func list(names []string) string { return strings.Join(names, ", ") }
