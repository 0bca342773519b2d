package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWarningsCountByRuleInOrder(t *testing.T) {
	var first, second Warnings
	first.Add("b", "text b", 3, "saw 3")
	first.Add("a", "text a", 0, "")
	first.Add("b", "other", 5, "saw 5")
	second.Add("c", "text c", 9, "")
	second.Add("b", "text b", 8, "saw 8")
	second.Add("b", "text b", 9, "saw 9")
	first.Merge(&second)
	want := []Warning{
		{Rule: "b", Text: "text b", Count: 4, Line: 3, Saw: "saw 3"},
		{Rule: "a", Text: "text a", Count: 1},
		{Rule: "c", Text: "text c", Count: 1, Line: 9},
	}
	if d := cmp.Diff(want, first.List()); d != "" {
		t.Error(d)
	}
	want = append(want, Warning{Rule: "d", Text: "text d", Count: 3}, Warning{Rule: "e", Text: "text e", Count: 2, Saw: "job 7"})
	for i, text := range []string{"text b; 4 times, first in line 3: saw 3 (b)", "text a (a)", "text c; once in line 9 (c)", "text d; 3 times (d)", "text e; 2 times, first: job 7 (e)"} {
		if got := want[i].String(); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}
