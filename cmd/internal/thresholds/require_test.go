package thresholds

import (
	"testing"
)

// TestRequireFault checks that a score that violates a condition is given with six digits, or in
// full if the rounded score would meet it.
func TestRequireFault(t *testing.T) {
	for _, c := range []struct {
		than         string
		limit, score float64
		want         string
	}{
		{">=", 0.9, 0.48932707643902323, "it is 0.489327"},
		{">=", 0.9, 0.89999999, "it is 0.89999999"},
		{"<", 12, 12345678, "it is 1.23457e+07"},
		{"<", 12, 12.0000001, "it is 12"},
		{"<=", 12, 12, ""},
	} {
		r := Requirement{Text: "c", Than: c.than, Limit: c.limit}
		if got := r.lacks(c.score); got != c.want {
			t.Errorf("%g %s %g: %q, want %q", c.score, c.than, c.limit, got, c.want)
		}
	}
}

// TestRequireCovered checks that the heading of the coverage of bounds in tables for people is
// accepted as the name of that score.
func TestRequireCovered(t *testing.T) {
	for _, c := range []struct {
		metrics []string
		want    string
	}{
		{[]string{"accuracy", "coverage"}, "coverage"},
		{[]string{"coverage", "bound_coverage"}, "bound_coverage"}, // "coverage" is that of predictions
		{[]string{"accuracy"}, ""},
	} {
		r, err := ParseRequirement("covered(bmbp)>=0.9", "coverage(bmbp)>=0.9", c.metrics)
		if (err == nil) != (c.want != "") || err == nil && r.Metric != c.want {
			t.Errorf("%v: %+v, %v, want %q", c.metrics, r, err, c.want)
		}
	}
}
