package dist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
)

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
