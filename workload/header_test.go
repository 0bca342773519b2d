package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var exampleHeader = Header{Lines: []string{
	" --- free text ---",
	" Version: 2.2",
	" Information: http://one.example/",
	"              http://two.example/",
	"              and by letter",
	" MaxNodes: 400 (48 interactive)",
	"",
	"   not under a keyword",
	" Note: first",
	"unindented text",
	"   after unindented text",
	" note: second",
	" MaxProcs: UNKNOWN",
	" Queue:  0  interactive    ",
	" Queue: 1: batch (the default)",
	" Queue: 2 - Night jobs - low priority - free",
	" Queue: 3",
	" Queue: x y",
	" 1| 2| 3: a table's head",
}}

func TestHeaderValues(t *testing.T) {
	h := exampleHeader.Clone()
	for _, c := range []struct{ key, want string }{
		{"Version", "2.2"},
		{"version", "2.2"},
		{"Information", "http://one.example/\nhttp://two.example/\nand by letter"},
		{"MaxNodes", "400 (48 interactive)"},
		{"Note", "first"},
		{"http", ""},
		{"Absent", ""},
	} {
		if got := h.Get(c.key); got != c.want {
			t.Errorf("Get(%q) = %q, want %q", c.key, got, c.want)
		}
	}
	if d := cmp.Diff([]string{"first", "second"}, h.All("NOTE")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[int64]string{0: "interactive", 1: "batch", 2: "Night jobs"}, h.Names("Queue")); d != "" {
		t.Error(d)
	}
}

func TestHeaderInt(t *testing.T) {
	h := Header{Lines: []string{" A: 400 (48 interactive)", " B: UNKNOWN", " C: -1", " D:", " E: 99999999999999999999", " F: 0", " H: 1,024", " I: 1e3", " J: 1.5", " K: 12abc", " L: 64(48 batch)", " M: 0x10"}}
	for _, c := range []struct {
		key  string
		want int64
		ok   bool
	}{{"A", 400, true}, {"B", 0, false}, {"C", 0, false}, {"D", 0, false}, {"E", 0, false}, {"F", 0, true}, {"G", 0, false}, {"H", 0, false}, {"I", 0, false}, {"J", 0, false}, {"K", 0, false}, {"L", 64, true}, {"M", 0, false}} {
		if got, ok := h.Int(c.key); ok != c.ok || ok && got != c.want {
			t.Errorf("Int(%s) = %d, %v; want %d, %v", c.key, got, ok, c.want, c.ok)
		}
	}
}

func TestHeaderProcessors(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  int64
		ok    bool
	}{
		{[]string{" MaxNodes: 10", " MaxProcs: 20"}, 20, true},
		{[]string{" MaxNodes: 10", " MaxProcs: -1"}, 10, true},
		{[]string{" MaxNodes: 10", " MaxProcs: 0"}, 10, true},
		{[]string{" MaxNodes: -1"}, 0, false},
		{nil, 0, false},
	} {
		h := Header{c.lines}
		if got, ok := h.Processors(); got != c.want || ok != c.ok {
			t.Errorf("%q: %d, %v; want %d, %v", c.lines, got, ok, c.want, c.ok)
		}
	}
}

func TestHeaderSet(t *testing.T) {
	h := exampleHeader.Clone()
	h.Set("information", "http://new.example/")
	h.Set("Note", "new")
	h.Set("MaxJobs", "12")
	want := []string{
		" --- free text ---",
		" Version: 2.2",
		" information: http://new.example/",
		" MaxNodes: 400 (48 interactive)",
		"",
		"   not under a keyword",
		" Note: new",
		"unindented text",
		"   after unindented text",
		" note: second",
		" MaxProcs: UNKNOWN",
		" Queue:  0  interactive    ",
		" Queue: 1: batch (the default)",
		" Queue: 2 - Night jobs - low priority - free",
		" Queue: 3",
		" Queue: x y",
		" 1| 2| 3: a table's head",
		" MaxJobs: 12",
	}
	if d := cmp.Diff(want, h.Lines); d != "" {
		t.Error(d)
	}
	if got := exampleHeader.Get("Note"); got != "first" {
		t.Errorf("setting a clone changed the original to %q", got)
	}
}

// A value with line ends stays one line, which a file could read as another one.
func TestHeaderOneLine(t *testing.T) {
	var h Header
	h.Add("Note", "a\nMaxProcs: 7")
	h.Set("Note", "b\r\nMaxProcs: 8")
	h.Set("Computer", "c\nd")
	if got := strings.Join(h.Lines, "|"); got != " Note: b  MaxProcs: 8| Computer: c d" {
		t.Errorf("%q", got)
	}
}
