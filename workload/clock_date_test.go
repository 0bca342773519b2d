package workload

import (
	"testing"
	"time"
)

// A moment may have a blank before the time of day, as in CSV.
func TestMomentForms(t *testing.T) {
	c := Clock{Start: time.Date(1997, 3, 3, 0, 0, 0, 0, time.UTC), Known: true}
	for text, want := range map[string]float64{
		"1997-03-03T12:00": 43200, "1997-03-03 12:00": 43200, "1997-03-03 12:00:30": 43230,
		"1997-03-04": 86400, "1997-03-03 12:00:00+01:00": 39600, "90": 90,
	} {
		if got, err := c.Moment("at", text); err != nil || got != want {
			t.Errorf("%s: %g, %v, want %g", text, got, err, want)
		}
	}
	if _, err := c.Moment("at", "noon"); err == nil {
		t.Error("noon: no error")
	}
}
