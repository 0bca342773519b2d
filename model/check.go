package model

import (
	"fmt"
	"math"
	"strconv"
)

// Check tells how long jobs drawn from a model wait next to those of the log that it was
// fitted to. Both are simulated in the same way: under EASY, on the model's machine, with the
// same kind of estimates; the waits that the log records are not used.
type Check struct {
	About     string  `json:"about"`         // String of the other fields, for readers of the file
	Policy    string  `json:"policy"`        // always the constant CheckPolicy
	Estimates string  `json:"estimates"`     // "user": those of the jobs; "perfect": run times, where the log or the model has none
	Jobs      int64   `json:"jobs"`          // of the log, simulated; at least 1
	LogWait   float64 `json:"log_wait_s"`    // mean of the log's jobs, s
	Seeds     int64   `json:"seeds"`         // draws from the model, with seeds 1, 2, ...; at least 1
	Wait      float64 `json:"wait_median_s"` // median over the draws of the mean wait of a draw's jobs, s
	WaitMin   float64 `json:"wait_min_s"`    // least and largest of these means, s
	WaitMax   float64 `json:"wait_max_s"`
}

// CheckPolicy is the policy of a Check.
const CheckPolicy = "easy"

const (
	// CheckFactor is the largest factor between the waits of a log and those of a good model.
	CheckFactor = 2
	// shortWait is what a mean wait counts as at least, s: nobody minds less.
	shortWait = 60
	// maxCheckWait is the longest mean wait, s.
	maxCheckWait = 1e12
)

// Ratio returns how many times as long as the log's jobs those of the model wait: the median
// over the draws, the least and the largest. A mean wait below a minute counts as a minute.
func (c *Check) Ratio() (median, least, largest float64) {
	of := max(c.LogWait, shortWait)
	return max(c.Wait, shortWait) / of, max(c.WaitMin, shortWait) / of, max(c.WaitMax, shortWait) / of
}

// Off reports whether the median ratio is beyond a factor of CheckFactor.
func (c *Check) Off() bool {
	r, _, _ := c.Ratio()
	return r > CheckFactor || r < 1./CheckFactor
}

// String is the check in one line.
func (c *Check) String() string {
	how := "with users' estimates"
	if c.Estimates != "user" {
		how = "with perfect estimates"
	}
	if max(c.LogWait, c.WaitMax) < shortWait {
		return fmt.Sprintf("jobs drawn from this model wait less than a minute on average, as the log's do (%d seeds; both simulated under EASY %s)", c.Seeds, how)
	}
	if min(c.LogWait, c.WaitMin) < shortWait {
		how += "; less than a minute counts as one"
	}
	median, least, largest := c.Ratio()
	among := fmt.Sprintf("%s to %s over", times(least), times(largest))
	if times(least) == times(largest) {
		among = "in each of"
	}
	return fmt.Sprintf("jobs drawn from this model wait %s times as long as the log's, %s %d seeds (%s and %s on average, both simulated under EASY %s)",
		times(median), among, c.Seeds, duration(c.Wait), duration(c.LogWait), how)
}

// times writes a ratio with two digits.
func times(x float64) string {
	switch {
	case x < .01:
		return "<0.01"
	case x >= 9.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= .995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// duration writes a time in a unit that fits.
func duration(s float64) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%.0f s", s)
	case s < 3600:
		return fmt.Sprintf("%.0f min", s/60)
	case s < 172800:
		return fmt.Sprintf("%.1f h", s/3600)
	}
	return fmt.Sprintf("%.1f days", s/86400)
}

// Validate returns a *FieldError for the first field that is out of range; the paths
// begin with "check.".
func (c *Check) Validate() error {
	fail := func(name, saw, want string) error {
		return &FieldError{Path: "check." + name, Saw: saw, Want: want}
	}
	switch {
	case c.Policy != CheckPolicy:
		return fail("policy", shorten(c.Policy), strconv.Quote(CheckPolicy))
	case c.Estimates != "user" && c.Estimates != "perfect":
		return fail("estimates", shorten(c.Estimates), `"user" or "perfect"`)
	}
	if err := line("check.about", c.About, optional); err != nil {
		return err
	}
	if err := wholeWithin("check.jobs", c.Jobs, 1, math.MaxInt64); err != nil {
		return err
	}
	if err := wholeWithin("check.seeds", c.Seeds, 1, math.MaxInt64); err != nil {
		return err
	}
	if err := within("check.log_wait_s", c.LogWait, 0, maxCheckWait); err != nil {
		return err
	}
	if err := within("check.wait_min_s", c.WaitMin, 0, c.Wait); err != nil {
		return err
	}
	if err := within("check.wait_median_s", c.Wait, 0, c.WaitMax); err != nil {
		return err
	}
	return within("check.wait_max_s", c.WaitMax, 0, maxCheckWait)
}

func (c *Check) visit(f *form) {
	f.text("about", optional, &c.About)
	f.text("policy", required, &c.Policy)
	f.text("estimates", required, &c.Estimates)
	f.whole("jobs", required, &c.Jobs)
	seconds := func(name string, x *float64) { f.value(name, required, x, false, "a number") }
	seconds("log_wait_s", &c.LogWait)
	f.whole("seeds", required, &c.Seeds)
	seconds("wait_median_s", &c.Wait)
	seconds("wait_min_s", &c.WaitMin)
	seconds("wait_max_s", &c.WaitMax)
	f.check(c.Validate)
}
