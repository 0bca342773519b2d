package model_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

func checkOf(log, median, least, largest float64) *model.Check {
	return &model.Check{Estimates: "user", Jobs: 1000, LogWait: log, Seeds: 5, Wait: median, WaitMin: least, WaitMax: largest}
}

// varying returns a check of a log whose months differ.
func varying(c *model.Check, from, to float64) *model.Check {
	c.VariesFrom, c.VariesTo = from, to
	return c
}

func TestCheckString(t *testing.T) {
	for _, c := range []struct {
		of   *model.Check
		want string
		off  bool
	}{
		{checkOf(7200, 10800, 6480, 17280), "wait 1.5 times as long as the log's, 0.90 to 2.4 over 5 seeds (3.0 h and 2.0 h on average, both simulated under EASY with users' estimates)", false},
		{checkOf(600, 960, 960, 960), "wait 1.6 times as long as the log's, in each of 5 seeds (16 min and 10 min on", false},
		{checkOf(600, 961, 900, 9000), "wait 1.6 times as long as the log's, 1.5 to 15 over 5 seeds", true},
		{checkOf(600, 374, 200, 9000), "wait 0.62 times", true},
		{checkOf(600, 375, 200, 9000), "wait 0.62 times", false},
		{varying(checkOf(600, 961, 900, 9000), .7, 1.5), "estimates)", true},
		{varying(checkOf(600, 961, 900, 9000), .7, 1.7), "estimates; with the log's weeks drawn in blocks of four its own mean wait is 0.70 to 1.7 times as long)", false},
		{varying(checkOf(600, 1021, 900, 9000), .7, 1.7), "0.70 to 1.7 times as long)", true},
		{varying(checkOf(600, 306, 200, 9000), .5, 1.1), "0.50 to 1.1 times as long)", false},
		{varying(checkOf(600, 299, 200, 9000), .5, 1.1), "0.50 to 1.1 times as long)", true},
		{checkOf(864000, 3, 0, 9000), "wait <0.01 times as long as the log's, <0.01 to 0.01 over 5 seeds (3 s and 10.0 days on average, both simulated under EASY with users' estimates; less than a minute counts as one)", true},
		{checkOf(60, 90, 60, 120), "over 5 seeds (90 s and 60 s on average, both simulated under EASY with users' estimates)", false},
		{checkOf(1, 59, 5, 90), "wait 1.0 times as long as the log's, 1.0 to 1.5 over", false},
		{checkOf(1, 50, 5, 59), "wait less than a minute on average, as the log's do (5 seeds; both", false},
	} {
		if got := c.of.String(); !strings.Contains(got, c.want) || c.of.Off() != c.off {
			t.Errorf("%q, off %t, want %q, %t", got, c.of.Off(), c.want, c.off)
		}
	}
}
