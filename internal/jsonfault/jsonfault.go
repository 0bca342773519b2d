// Package jsonfault puts errors of package encoding/json in the words of the file that
// was read, without Go's names of types.
package jsonfault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Line returns the line of data, from 1, that is not JSON. It is false where data ends
// too early, and for errors other than of syntax.
func Line(data []byte, err error) (line int, ok bool) {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset >= int64(len(data)) {
		return 0, false
	}
	return 1 + bytes.Count(data[:syntax.Offset], []byte{'\n'}), true
}

// Kind returns the field that has a value of a wrong kind, "" for the whole, with the
// kind that was seen, such as "number", and the one that was expected, such as "a list".
// It is false for other errors.
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

// Unknown returns the name of the field that a strict decoder does not know. It is
// false for other errors.
func Unknown(err error) (name string, ok bool) {
	quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field ")
	return strings.Trim(quoted, `"`), ok
}

// Words returns err in words; one that is not of package json stays.
func Words(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("saw text that is no JSON, or not all of it")
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
