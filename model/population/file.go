package population

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/model"
)

// maxFile is the largest file that Decode reads, in bytes: a log of 448,000 jobs
// takes about 60,000.
const maxFile = 16 << 20

// Decode reads a model file. It is strict: a field that is unknown, missing,
// repeated or out of range is a *model.FieldError that names the field.
func Decode(r io.Reader) (Model, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return Model{}, err
	}
	if len(data) > maxFile {
		return Model{}, &model.FieldError{Saw: "a file of more than 16 MB", Want: "a model file"}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var m Model
	if err := d.Decode(&m); err != nil {
		return Model{}, fault(data, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Model{}, &model.FieldError{Saw: "text after the model", Want: "one model in a file"}
	}
	if f := jsonfault.Repeated(data); f != nil {
		return Model{}, &model.FieldError{Path: f.Path, Saw: f.Saw, Want: f.Want}
	}
	if f := oddField(data, reflect.TypeFor[Model]()); f != nil {
		return Model{}, f
	}
	return m, m.Validate()
}

// IsModel reports whether a JSON text names the schema of a model of users. The
// text may be cut off or damaged after the name.
func IsModel(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			return false
		}
		if key == "schema" {
			return value == Schema
		}
	}
	return false
}

// fault says where a file is wrong.
func fault(data []byte, err error) error {
	if path, saw, want, ok := jsonfault.Kind(err); ok {
		return &model.FieldError{Path: path, Saw: saw, Want: want}
	}
	if line, ok := jsonfault.Line(data, err); ok {
		return &model.FieldError{Saw: fmt.Sprintf("line %d is not JSON", line), Err: err}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &model.FieldError{Saw: "the file ends in the middle of the model", Err: err}
	}
	var field *model.FieldError
	if errors.As(err, &field) {
		return field
	}
	if _, ok := jsonfault.Unknown(err); ok {
		if f := oddField(data, reflect.TypeFor[Model]()); f != nil {
			return f
		}
	}
	return &model.FieldError{Err: err}
}

// Encode writes the model as JSON, indented by two spaces, with each list of
// numbers on one line. A model that Validate rejects is not written.
func Encode(w io.Writer, m Model) error {
	if err := m.Validate(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	data = numbers.ReplaceAllFunc(data, func(list []byte) []byte {
		return append(append([]byte("["), bytes.Join(bytes.Fields(list[1:len(list)-1]), []byte(" "))...), ']')
	})
	_, err = w.Write(append(data, '\n'))
	return err
}

// numbers is a list of numbers. No text has a bracket followed by a line end,
// which is escaped there.
var numbers = regexp.MustCompile(`\[\n[-+0-9eE., \n]*\]`)

// MarshalJSON writes the margins as an object, in the order of the traits.
func (m Margins) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for t, q := range m {
		if q == nil {
			continue
		}
		list, err := json.Marshal(q)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%q:%s", Trait(t).String(), list)
	}
	return append(append([]byte("{"), bytes.TrimPrefix(b.Bytes(), []byte(","))...), '}'), nil
}

// UnmarshalJSON reads an object. A trait that is missing is nil, which Validate
// rejects.
func (m *Margins) UnmarshalJSON(data []byte) error {
	var of map[string]json.RawMessage
	if err := json.Unmarshal(data, &of); err != nil {
		return err
	}
	for t, name := range traitNames {
		m[t] = nil
		if list, ok := of[name]; ok {
			err := json.Unmarshal(list, &m[t])
			if _, saw, want, ok := jsonfault.Kind(err); ok { // its field is that within the margins
				return &model.FieldError{Path: "users.strata[].margins." + name, Saw: saw, Want: want}
			} else if err != nil {
				return err
			}
			if f := oddField(list, reflect.TypeFor[[]float64]()); f != nil {
				f.Path = "users.strata[].margins." + name + f.Path
				return f
			}
		}
		delete(of, name)
	}
	for name := range of {
		return &model.FieldError{Path: "users.strata[].margins." + name, Saw: "an unknown trait", Want: "one of " + strings.Join(traitNames[:], ", ")}
	}
	return nil
}
