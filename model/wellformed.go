package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
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
	}
	if line, ok := jsonfault.Line(data, err); ok {
		return &FieldError{Saw: fmt.Sprintf("line %d is not JSON", line), Err: err}
	}
	return &FieldError{Saw: "the file ends in the middle of the model", Err: err}
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
