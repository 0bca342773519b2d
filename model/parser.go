package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
)

// wellFormed checks what encoding/json lets pass or does not place: syntax
// (with the line), text after the model, fields given twice.
func wellFormed(data []byte) error {
	var whole json.RawMessage
	err := json.Unmarshal(data, &whole)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		return walk(d, "")
	case len(bytes.TrimSpace(data)) == 0:
		return &FieldError{Saw: "an empty file", Want: "a JSON object"}
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "after top-level value"):
		return &FieldError{Saw: "something behind the model's last brace", Want: "the end of the file"}
	case !errors.As(err, &syntax) || syntax.Offset >= int64(len(data)):
		return &FieldError{Saw: "the file ends in the middle of the model", Err: err}
	}
	line := 1 + bytes.Count(data[:syntax.Offset], []byte{'\n'})
	return &FieldError{Saw: fmt.Sprintf("line %d is not JSON", line), Err: err}
}

// walk reads one value, of valid JSON, and refuses fields given twice.
func walk(d *json.Decoder, path string) error {
	t, err := d.Token()
	if err != nil {
		return &FieldError{Path: path, Err: err} // a number too long, say
	}
	switch t {
	case json.Delim('{'):
		seen := map[string]bool{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return &FieldError{Path: path, Err: err}
			}
			name, _ := key.(string)
			inner := strings.TrimPrefix(path+"."+name, ".")
			if seen[name] {
				return &FieldError{Path: inner, Saw: "given twice", Want: "one value"}
			}
			seen[name] = true
			if err := walk(d, inner); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			if err := walk(d, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = d.Token() // the closing bracket
	return err
}

// parser keeps the first error; after it, values read are zero.
type parser struct{ err error }

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// object is a JSON object whose fields are taken by name.
type object struct {
	p      *parser
	path   string
	fields map[string]json.RawMessage
	names  []string // asked for so far, for the message about unknown ones
}

type need bool

const (
	required need = true
	optional need = false
)

func (p *parser) object(path string, raw []byte) *object {
	o := &object{p: p, path: path}
	if p.err == nil && (json.Unmarshal(raw, &o.fields) != nil || o.fields == nil) {
		p.fail(&FieldError{Path: path, Saw: sample(raw), Want: "a JSON object"})
	}
	return o
}

func (o *object) join(name string) string {
	if !plainName.MatchString(name) { // such as a line end, of a foreign file
		name = strconv.Quote(name)
	}
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

func (o *object) has(name string) bool {
	_, ok := o.fields[name]
	return ok
}

// take returns a field and removes it.
func (o *object) take(name string, n need) (json.RawMessage, bool) {
	o.names = append(o.names, name)
	raw, ok := o.fields[name]
	delete(o.fields, name)
	if !ok && n == required {
		o.p.fail(&FieldError{Path: o.join(name), Saw: "missing", Want: "a value"})
	}
	return raw, ok && o.p.err == nil
}

// read takes a field and decodes it; null is no value.
func (o *object) read(name string, n need, into any, want string) {
	raw, ok := o.take(name, n)
	if !ok {
		return
	}
	if string(raw) == "null" || json.Unmarshal(raw, into) != nil {
		o.p.fail(&FieldError{Path: o.join(name), Saw: sample(raw), Want: want})
	}
}

func (o *object) text(name string, n need) (s string) {
	o.read(name, n, &s, "text in quotes")
	return s
}

func (o *object) number(name string) (x float64) {
	o.read(name, required, &x, "a number")
	return x
}

func (o *object) integer(name string, n need) (x int64) {
	o.read(name, n, &x, "a whole number")
	return x
}

func (o *object) array(name string, n need) (a []json.RawMessage) {
	o.read(name, n, &a, "a list in brackets")
	return a
}

func (o *object) object(name string) *object {
	raw, ok := o.take(name, required)
	if !ok {
		return &object{p: o.p, path: o.join(name)}
	}
	return o.p.object(o.join(name), raw)
}

// done fails for a field that was not taken.
func (o *object) done() {
	first := ""
	for name := range o.fields {
		if first == "" || name < first {
			first = name
		}
	}
	if len(o.fields) > 0 {
		o.p.fail(&FieldError{Path: o.join(first), Saw: "unknown field", Want: "one of " + strings.Join(o.names, ", ")})
	}
}

// sample shows a piece of a file in a message.
func sample(raw []byte) string {
	raw = bytes.Join(bytes.Fields(raw), []byte(" ")) // one line
	if len(raw) > 40 {
		return string(raw[:40]) + "..."
	}
	return string(raw)
}

// plainName is what the names of a model's fields are made of.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// lawError puts a law's path before package dist's error.
func lawError(path string, err error) error {
	var p *dist.ParameterError
	if !errors.As(err, &p) {
		return &FieldError{Path: path, Err: err}
	}
	if p.Parameter == "max_ln" {
		return &FieldError{Path: path + ".max_ln", Saw: number(p.Value), Want: p.Want}
	}
	return &FieldError{Path: path + ".parameters." + p.Parameter, Saw: number(p.Value), Want: p.Want}
}
