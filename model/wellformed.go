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
		if f := jsonfault.Repeated(data); f != nil {
			return &FieldError{Path: f.Path, Saw: f.Saw, Want: f.Want}
		}
		return nil
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
