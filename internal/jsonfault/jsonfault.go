// Package jsonfault describes errors in JSON files by line, field and expected value, without
// the names of Go types. Repeated finds duplicate fields. The other functions translate errors
// of encoding/json. Files of settings are read by package strict.
package jsonfault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Kind returns the field whose value has the wrong type, "" for the whole document, the type
// that was seen, such as "number", and the one that was expected, such as "a list". ok is
// false for other errors.
func Kind(err error) (field, saw, want string, ok bool) {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return "", "", "", false
	}
	return strings.ToLower(kind.Field), kind.Value, wordsOf(kind.Type), true
}

func wordsOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text in quotes"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Map:
		if number := wordsOf(t.Elem()); number == "a number" {
			return "an object of numbers"
		}
	case reflect.Pointer:
		return wordsOf(t.Elem())
	}
	return "an object"
}

// Unknown returns the name of the field that a decoder with DisallowUnknownFields rejected.
// ok is false for other errors.
func Unknown(err error) (name string, ok bool) {
	quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field ")
	return strings.Trim(quoted, `"`), ok
}

// Words returns an error of encoding/json with a message for users, and other errors
// unchanged.
func Words(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("saw invalid or incomplete JSON")
	}
	if field, saw, want, ok := Kind(err); ok {
		if field != "" {
			field += ": "
		}
		article := "a"
		if saw == "array" || saw == "object" {
			article = "an"
		}
		return fmt.Errorf("%ssaw %s %s, want %s", field, article, saw, want)
	}
	if name, ok := Unknown(err); ok {
		return fmt.Errorf("unknown field %q", name)
	}
	return err
}
