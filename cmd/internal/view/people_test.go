package view

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

type timed struct {
	Name  string  `show:"name"`
	Error float64 `json:"error_min" show:"error,min"`
}

// People see a column of minutes in hours if its values are that large; programs get minutes.
func TestTimes(t *testing.T) {
	rows := []timed{{"a", 30}, {"b", 2809}, {"c", 150}, {"d", math.NaN()}}
	const want = "name     error\na     0.5000 h\nb      46.82 h\nc      2.500 h\nd            -\n"
	if got := For(rows).Table().String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := CSV(rows); !slices.EqualFunc(got.Rows, []string{"30", "2809", "150", ""}, func(row []string, cell string) bool { return len(row) == 1 && row[0] == cell }) {
		t.Errorf("CSV %q", got.Rows)
	}
}

type wide struct {
	Name   string `show:"name"`
	First  string `show:"first" narrow:"2"`
	Second int    `show:"second" narrow:"1"`
	Third  string `show:"third" narrow:"3"`
	Empty  string `show:"empty"`
}

// A table that is too wide loses optional columns, in their order, until it fits; every table loses
// its empty columns. Columns with the same rank are removed together, even if removing one would
// suffice.
func TestNarrow(t *testing.T) {
	row := wide{strings.Repeat("x", 60), strings.Repeat("1", 30), 2, strings.Repeat("3", 30), ""}
	narrow := row
	narrow.First = "1"
	for _, c := range []struct {
		row  wide
		want []string
	}{
		{row, []string{"name", "third"}},             // 60 + 2 + 30
		{narrow, []string{"name", "first", "third"}}, // 60 + 2 + 5 + 2 + 30, but not 8 more
	} {
		if got := For([]wide{c.row}).Table(); !slices.Equal(got.Head, c.want) || len(got.Rows[0]) != len(c.want) {
			t.Errorf("%v, want %v", got.Head, c.want)
		}
	}
	if got, want := For([]wide{row}).Narrow("first", 1).Within(130).Table().Head, []string{"name", "third"}; !slices.Equal(got, want) {
		t.Errorf("of the same turn: %v, want %v", got, want)
	}
}

type halves struct {
	Run  half `row:"prefix" show:"run"`
	Size half `row:"prefix" show:"size"`
}

type half struct {
	Mean float64 `show:"mean"`
	Max  float64 `show:"max"`
}

// Among the columns of a struct only the first has the struct's heading.
func TestGrouped(t *testing.T) {
	got := For([]halves{{half{1, 2}, half{3, 4}}}).Grouped().Without("size mean").With("first", "of", func(int) string { return "all" }).Table()
	if want := []string{"of", "run mean", "max", "size max"}; !slices.Equal(got.Head, want) {
		t.Errorf("%q, want %q", got.Head, want)
	}
}

// A value that all rows have in common is given once.
func TestCommon(t *testing.T) {
	type row struct {
		Name string `show:"name"`
		Of   string `show:"of"`
		Yes  bool   `show:"is it"`
	}
	people := For([]row{{"a", "run time", true}, {"b", "run time", false}})
	if got := people.Common("name", "of"); got != "of: run time" {
		t.Errorf("in common %q", got)
	}
	if got, want := people.Table().String(), "name  is it\na     yes\nb     no\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestWith checks that a column is placed as requested, and after the others if the heading next to
// which it belongs does not exist.
func TestWith(t *testing.T) {
	type row struct {
		Name string `show:"name"`
		Jobs int    `show:"jobs"`
	}
	for place, want := range map[string]string{
		"first":       "[new name jobs]",
		"before name": "[new name jobs]",
		"before jobs": "[name new jobs]",
		"after name":  "[name new jobs]",
		"before gone": "[name jobs new]",
		"last":        "[name jobs new]",
	} {
		people := For([]row{{"a", 1}}).With(place, "new", func(int) string { return "x" })
		if got := fmt.Sprint(people.Table().Head); got != want {
			t.Errorf("%s: %s, want %s", place, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{"log.swf": "log.swf", "my log": "'my log'", "a'b": `'a'\''b'`, "$(x)": "'$(x)'", "": "''"} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
