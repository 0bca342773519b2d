package jsonfault

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type file struct {
	Name  string             `json:"name"`
	Jobs  int64              `json:"jobs"`
	Share float64            `json:"share"`
	Whole bool               `json:"whole"`
	List  []string           `json:"list"`
	Of    map[string]float64 `json:"of"`
}

// TestWords checks that no message contains a Go type name.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": 1}`:       "name: saw a number, want text in quotes",
		`{"jobs": 1.5}`:     "jobs: saw a number 1.5, want a whole number",
		`{"share": "x"}`:    "share: saw a string, want a number",
		`{"whole": 0}`:      "whole: saw a number, want true or false",
		`{"list": {}}`:      "list: saw an object, want a list",
		`{"of": []}`:        "of: saw an array, want an object of numbers",
		`[]`:                "saw an array, want an object",
		`{"nom": 1}`:        `unknown field "nom"`,
		`{"name": x}`:       "saw invalid or incomplete JSON",
		`{"name": "a", "jo`: "saw invalid or incomplete JSON",
		" \n":               "saw invalid or incomplete JSON",
	} {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		err := d.Decode(new(file))
		if err == nil || Words(err).Error() != want {
			t.Errorf("%s: %v, want %s", text, Words(err), want)
		}
	}
	if err := errors.New("other"); Words(err) != err {
		t.Error("another error does not stay")
	}
}
