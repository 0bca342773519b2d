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

// Family describes how to read the laws of one name from a file. To read a custom law, pass its
// Family to Unmarshal, or to Decode of package model.
type Family struct {
	// Name is the result of the law's method Family, such as "log-logistic".
	Name string
	// Parameters are the names of the law's parameters, in order; for the mixtures of this
	// package, those of one component.
	Parameters []string
	// New returns the law with the given parameters, in the order of Parameters. They may be out
	// of range; the law's Validate reports that.
	New func(p []float64) (Law, error)

	// mixture, set for the mixtures of this package, returns the names of the parameters of a law
	// for which a file has the given number of them.
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

// NewFamily returns the family of a law with a fixed number of parameters. Only the type of law
// matters, not its value.
func NewFamily(law Named) Family {
	return Family{
		Name: law.Family(), Parameters: names(Parameters(law)),
		New: func(p []float64) (Law, error) { return withParameters(law, p), nil },
	}
}

// withParameters returns a law of the type of law with the parameters p.
func withParameters[L Law](law L, p []float64) L {
	made := reflect.New(reflect.TypeOf(law)).Elem()
	for i, f := range fieldsOf(made, 0) {
		f.value.SetFloat(p[i])
	}
	return made.Interface().(L)
}

// mixtureOf returns the family of the mixtures of L.
func mixtureOf[L Component, M Law](mixture func(...Weighted[L]) (M, error)) Family {
	var zero L
	each := len(Parameters(zero)) + 1 // including the weight
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

// decodeFamily returns the law with the given family name and parameters. more are families in
// addition to those of this package.
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

// wire is the JSON form of a law.
type wire struct {
	Transform  string              `json:"transform,omitempty"` // "" or "ln"
	Family     string              `json:"family"`
	Parameters map[string]*float64 `json:"parameters"`
	MaxLn      *float64            `json:"max_ln,omitempty"` // with "ln" only
}

// Marshal returns the law as {"family": .., "parameters": {..}}. For an Ln, the object also has
// "transform": "ln" at the beginning and, if the law is truncated, "max_ln" at the end. The
// parameters keep their order. It is an error if Validate rejects the law.
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
			return nil, err // a law of another package may accept NaN
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
// parameters, missing parameters and values out of range are errors that name the field and the
// allowed values. more are families in addition to those of this package; their laws have to pass
// Check.
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

// JSON wraps a law that encoding/json reads or writes as part of a larger value. A nil Law is
// null.
type JSON struct{ Law Law }

// MarshalJSON calls Marshal.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j.Law == nil {
		return []byte("null"), nil
	}
	return Marshal(j.Law)
}

// JSONShape returns a nil pointer to the type that corresponds to the JSON.
func (JSON) JSONShape() any { return (*wire)(nil) }

// UnmarshalJSON calls Unmarshal without more families.
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

// list joins names with commas, for an error message.
func list(names []string) string { return strings.Join(names, ", ") }
