package workload

import (
	"slices"
	"testing"
)

// Words that are none have a hint: a letter is wrong, the rest is missing, or the
// meaning of a column has the word.
func TestNearWords(t *testing.T) {
	for _, c := range []struct {
		text      string
		submitted bool
		want      []string
	}{
		{"quality", true, []string{"qos"}},
		{"usr", true, []string{"user"}},
		{"accounts", true, []string{"account"}},
		{"gpu_kind", true, nil},
		{"project", true, []string{"account"}},
		{"statu", true, nil}, // which is not known at submission
		{"statu", false, []string{"status"}},
		{"colour", false, nil},
		{"of", false, nil},
	} {
		g := Grouping{Submitted: c.submitted, Measured: !c.submitted}
		if got := g.near(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	if _, err := ParseClasses([]string{"quality"}, Grouping{}); err == nil || err.Error() != `classes: "quality", want a column (did you mean qos?)` {
		t.Error(err)
	}
}
