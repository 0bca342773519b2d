package model

import (
	"strings"
	"testing"
)

// TestForeignKeysAreQuoted: a key of a foreign file is one line of a message.
func TestForeignKeysAreQuoted(t *testing.T) {
	f := form{path: "classes[0]"}
	if got, want := f.at("x\nerror: fake"), `classes[0]."x\nerror: fake"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	_, err := Decode(strings.NewReader(`{"schema": "` + Schema + `", "name": ["x",` + "\n" + `"error: fake"]}`))
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a value of two lines: %v", err)
	}
}
