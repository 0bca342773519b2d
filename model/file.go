package model

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/loadstone-hpc/loadstone/dist"
)

// maxFile is the largest model file that Decode reads, in bytes: a class
// takes about a thousand.
const maxFile = 64 << 20

// Decode reads a model file. It is strict: a field that is unknown, missing,
// repeated or out of range, another schema version, and text after the model
// are each a *FieldError that gives the path of the field and what is allowed.
// A model of users (loadstone.population/1), which the command fit -o writes, is read by
// package model/population. families are custom families of laws, in addition to those of
// package dist.
func Decode(r io.Reader, families ...dist.Family) (Site, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return Site{}, err
	}
	if len(data) > maxFile {
		return Site{}, &FieldError{Saw: "a file of more than 64 MB", Want: "a model file"}
	}
	if err := wellFormed(data); err != nil {
		return Site{}, err
	}
	var s Site
	if err := (&form{families: families}).run(read, data, s.visit); err != nil {
		return Site{}, err
	}
	if err := s.Validate(); err != nil {
		return Site{}, err
	}
	return s, nil
}

// Validate returns nil, or a *FieldError for the first field that is out of
// its range.
func (s Site) Validate() error { return new(form).run(check, nil, s.visit) }

// Encode writes the model as JSON: indented by two spaces, with fields in a
// fixed order, numbers that are read back exactly, and a newline at the end. A
// model that Validate rejects is not written.
func Encode(w io.Writer, s Site) error {
	if err := s.Validate(); err != nil {
		return err
	}
	var plain, b bytes.Buffer
	f := &form{out: &plain}
	if err := f.run(write, nil, s.visit); err != nil {
		return err
	}
	if err := json.Indent(&b, plain.Bytes(), "", "  "); err != nil {
		return &FieldError{Err: err}
	}
	b.WriteByte('\n')
	_, err := w.Write(inOneLine(b.Bytes(), "accuracy"))
	return err
}

// run visits a whole model, of which raw is the text where it is read.
func (f *form) run(t task, raw []byte, visit func(*form)) (err error) {
	f.task, f.fault = t, &err
	f.visit(raw, visit)
	return err
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
