package workload

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const exampleHeader = ` --- free text ---
 Version: 2.2
 Information: http://one.example/
              http://two.example/
              and by letter
 MaxNodes: 400 (48 interactive)

   not under a keyword
 Note: first
unindented text
   after unindented text
 note: second
 MaxProcs: UNKNOWN
 Queue:  0  interactive    
 Queue: 1: batch (the default)
 Queue: 2 - Night jobs - low priority - free
 Queue: 3
 Queue: x y
 1| 2| 3: a table's head`

func headerOf(text string) *Header { return &Header{strings.Split(text, "\n")} }

func TestHeaderValues(t *testing.T) {
	h := headerOf(exampleHeader)
	for _, c := range rowsOf("Version|2.2\nversion|2.2\nInformation|http://one.example/;http://two.example/;and by letter\nMaxNodes|400 (48 interactive)\nNote|first\nhttp|\nAbsent|") {
		if got := strings.ReplaceAll(h.Get(c[0]), "\n", ";"); got != c[1] {
			t.Errorf("%s is %q, want %q", c[0], got, c[1])
		}
	}
	if d := cmp.Diff([]string{"first", "second"}, h.All("NOTE")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[int64]string{0: "interactive", 1: "batch", 2: "Night jobs"}, h.Names("Queue")); d != "" {
		t.Error(d)
	}
}

// Values, and the numbers at their beginning, if any.
func TestHeaderInt(t *testing.T) {
	for _, c := range rowsOf("400 (48 interactive)|400\nUNKNOWN|\n-1|\n|\n99999999999999999999|\n0|0\n1,024|\n1e3|\n1.5|\n12abc|\n64(48 batch)|64\n0x10|") {
		got := ""
		if n, ok := headerOf(" A: " + c[0]).Int("A"); ok {
			got = fmt.Sprint(n)
		}
		if got != c[1] {
			t.Errorf("%s is %q, want %q", c[0], got, c[1])
		}
	}
	if n, ok := headerOf("").Int("A"); ok {
		t.Errorf("without a line: %d", n)
	}
}

func TestHeaderProcessors(t *testing.T) {
	for _, c := range rowsOf("MaxNodes: 10;MaxProcs: 20|20 true\nMaxNodes: 10;MaxProcs: -1|10 true\nMaxNodes: 10;MaxProcs: 0|10 true\nMaxNodes: -1|0 false\n|0 false") {
		n, ok := headerOf(strings.ReplaceAll(c[0], ";", "\n")).Processors()
		if got := fmt.Sprint(n, ok); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}

func TestHeaderSet(t *testing.T) {
	original := headerOf(exampleHeader)
	h := original.Clone()
	h.Set("information", "http://new.example/")
	h.Set("Note", "new")
	h.Set("MaxJobs", "12")
	want := strings.NewReplacer(" Information: http://one.example/\n              http://two.example/\n              and by letter", " information: http://new.example/",
		"Note: first", "Note: new").Replace(exampleHeader) + "\n MaxJobs: 12"
	if d := cmp.Diff(want, strings.Join(h.Lines, "\n")); d != "" {
		t.Error(d)
	}
	if got := original.Get("Note"); got != "first" {
		t.Errorf("setting a clone changed the original to %q", got)
	}
}

// A value that contains line ends is written as one line; otherwise a reader would see further
// lines.
func TestHeaderOneLine(t *testing.T) {
	var h Header
	h.Add("Note", "a\nMaxProcs: 7")
	h.Set("Note", "b\r\nMaxProcs: 8")
	h.Set("Computer", "c\nd")
	if got := strings.Join(h.Lines, "|"); got != " Note: b  MaxProcs: 8| Computer: c d" {
		t.Errorf("%q", got)
	}
}
