package workload

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestInputErrorText(t *testing.T) {
	for _, c := range []struct {
		e    InputError
		want string
	}{
		{InputError{File: "f", Line: 3, Field: "run_time_s", Saw: `"x"`, Want: "a number"}, `f:3: run_time_s: saw "x", want a number`},
		{InputError{File: "f", Saw: "a directory", Want: "a job log"}, "f: saw a directory, want a job log"},
		{InputError{File: "f", Saw: "damaged data", Err: fs.ErrInvalid}, "f: damaged data: invalid argument"},
		{InputError{File: "f", Want: "a number"}, "f: want a number"},
		{InputError{File: "f", Err: fs.ErrNotExist}, "f: file does not exist"},
		{InputError{File: "f", Line: 1, Saw: "a", Want: "b", Err: fs.ErrInvalid}, "f:1: saw a, want b: invalid argument"},
	} {
		if got := c.e.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if e := (&InputError{Err: fs.ErrNotExist}); !errors.Is(e, fs.ErrNotExist) {
		t.Error("the cause is lost")
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", `""`},
		{"ab\x00\"\xff", `"ab\x00\"\xff"`},
		{strings.Repeat("x", 40), `"` + strings.Repeat("x", 40) + `"`},
		{strings.Repeat("x", 41), `"` + strings.Repeat("x", 40) + `"... (41 bytes)`},
	} {
		if got := Shorten([]byte(c.in)); got != c.want {
			t.Errorf("Shorten(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}
