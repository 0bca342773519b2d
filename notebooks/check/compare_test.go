package main

import (
	"strings"
	"testing"
)

const drawn = `<svg><path d="M1.5,20L3e1,-4" style="stroke:#0072B2"/><text x="5">p 0.50</text></svg>`

func notebookOf(stdout, picture string) notebook {
	return notebook{cells: []cell{{id: "a", code: true, source: "run", outputs: []output{
		{stream: "stdout", data: map[string]string{"stdout": stdout}},
		{data: map[string]string{svg: picture}},
	}}}}
}

func TestCompare(t *testing.T) {
	committed := notebookOf("mean 4.21\nn 7\n", drawn)
	for _, c := range []struct {
		what  string
		fresh notebook
		want  string // part of the fault; "" for none
	}{
		{"the same", notebookOf("mean 4.21\nn 7\n", drawn), ""},
		{"a printed number", notebookOf("mean 4.22\nn 7\n", drawn), `"mean 4.22"`},
		{"a line less", notebookOf("mean 4.21\n", drawn), `fresh     ""`},
		{"a place by a hundredth", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "1.5", "1.51", 1)), ""},
		{"a place by a tenth", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "1.5", "1.6", 1)), svg},
		{"a sign", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "-4", "4", 1)), svg},
		{"a power of ten", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "3e1", "3e2", 1)), svg},
		{"a colour", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "#0072B2", "#0072B3", 1)), svg},
		{"a number that is written", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "0.50", "0.51", 1)), svg},
		{"a point more", notebookOf("mean 4.21\nn 7\n", strings.Replace(drawn, "-4", "-4L1,1", 1)), svg},
		{"no picture", notebook{cells: []cell{{id: "a", source: "run", outputs: notebookOf("mean 4.21\nn 7\n", "").cells[0].outputs[:1]}}}, "2 outputs are committed, and the run has 1"},
		{"a failure", notebook{cells: []cell{{id: "a", source: "run", failed: "exit 1", outputs: committed.cells[0].outputs}}}, "failed: exit 1"},
		{"another source", notebook{cells: []cell{{id: "a", source: "walk", outputs: committed.cells[0].outputs}}}, "source"},
		{"no cells", notebook{}, "1 cells are committed"},
	} {
		got := strings.Join(compare(committed, c.fresh), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: saw %q, want %q in it", c.what, got, c.want)
		}
	}
}
