package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Encode returns the JSON form of the struct that v points to, which DecodeWith can decode. It is
// indented by two spaces and in the order of the struct, with each list of numbers on one line.
// Fields that are zero are omitted, unless they are required.
func Encode(codec Codec, v any) ([]byte, error) {
	var plain, indented bytes.Buffer
	if err := (&writer{codec, &plain}).object(v); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, plain.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	text := numbers.ReplaceAllFunc(indented.Bytes(), func(list []byte) []byte {
		return append(append([]byte("["), bytes.Join(bytes.Fields(list[1:len(list)-1]), []byte(" "))...), ']')
	})
	return append(text, '\n'), nil
}

// numbers matches an indented list of numbers. It does not match within strings, in which line
// ends are escaped.
var numbers = regexp.MustCompile(`\[\n[-+0-9eE., \n]*\]`)

type writer struct {
	codec Codec
	*bytes.Buffer
}

// object writes the struct that v points to.
func (w *writer) object(v any) error {
	fields := opt.Fields(v)
	separator := "{"
	for _, f := range fields {
		value := reflect.ValueOf(f.Pointer()).Elem()
		if value.IsZero() && !f.RequiredWith(setIn(fields)) {
			continue
		}
		w.WriteString(separator + strconv.Quote(f.Name) + ":")
		separator = ","
		if err := w.value(value); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if separator == "{" {
		w.WriteString(separator)
	}
	w.WriteByte('}')
	return nil
}

func (w *writer) value(v reflect.Value) error {
	if w.codec != nil {
		if text, known, err := w.codec.Encode(v.Interface()); known {
			w.Write(text)
			return err
		}
	}
	switch {
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		return w.value(v.Elem())
	case v.Kind() == reflect.Struct:
		return w.object(v.Addr().Interface())
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		w.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				w.WriteByte(',')
			}
			if err := w.value(v.Index(i)); err != nil {
				return err
			}
		}
		w.WriteByte(']')
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v.Interface())
}

// setIn returns a function that reports whether the named field is not zero.
func setIn(fields []*opt.Field) func(name string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(fields, func(f *opt.Field) bool { return f.Name == name && f.IsSet() })
	}
}

// Validate returns a *workload.OptionError for the first value in the struct that v points to
// that is missing, out of its range, or rejected by a method Check. Its option is a path such as
// "clusters[1].speed".
func Validate(v any) error { return validate("", v) }

func validate(path string, v any) error {
	fields := opt.Fields(v)
	for _, f := range fields {
		if err := f.Missing(setIn(fields)); err != nil && !f.IsNumeric() {
			return Within(path, err)
		}
		if !f.IsSet() && !f.RequiredWith(setIn(fields)) { // it was omitted
			continue
		}
		if err := validateValue(join(path, f.Name), reflect.ValueOf(f.Pointer()).Elem(), f); err != nil {
			return err
		}
	}
	err := opt.CheckGiven(fields, setIn(fields))
	if err == nil {
		err = opt.CheckParts(v)
	}
	return Within(path, err)
}

func validateValue(path string, v reflect.Value, f *opt.Field) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return validateValue(path, v.Elem(), f)
	case reflect.Struct:
		return validate(path, v.Addr().Interface())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := validateValue(fmt.Sprintf("%s[%d]", path, i), v.Index(i), f); err != nil {
				return err
			}
		}
		return nil
	}
	err := f.CheckItem(v)
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		option.Option = path
	}
	return err
}

// Within converts an error about the value at path to one about the whole: it prepends path to the
// option of a *workload.OptionError. Other errors are unchanged.
func Within(path string, err error) error {
	var option *workload.OptionError
	if errors.As(err, &option) {
		return &workload.OptionError{Option: join(path, option.Option), Saw: option.Saw, Want: option.Want}
	}
	return err
}
