package model

import (
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Check compares the waits of jobs drawn from a model with those of the log that it was fitted
// to. Both are simulated in the same way: under EASY, on the model's machine, with the same kind
// of estimates; the waits that the log records are not used.
type Check struct {
	About     string  `json:"about" opt:"about"`                                               // String of the other fields, for readers of the file
	Estimates string  `json:"estimates" opt:"estimates" required:"true"`                       // "user": those of the jobs; "perfect": run times, where the log or the model has none
	Jobs      int64   `json:"jobs" opt:"jobs" in:"[1,)" required:"true"`                       // number of the log's jobs that were simulated
	LogWait   float64 `json:"log_wait_s" opt:"log_wait_s" in:"[0,1e12]" required:"true"`       // mean wait of the log's jobs, s
	Seeds     int64   `json:"seeds" opt:"seeds" in:"[1,)" required:"true"`                     // number of draws from the model, with seeds 1, 2, ...
	Wait      float64 `json:"wait_median_s" opt:"wait_median_s" in:"[0,1e12]" required:"true"` // median over the draws of the mean wait of a draw's jobs, s
	WaitMin   float64 `json:"wait_min_s" opt:"wait_min_s" in:"[0,1e12]" required:"true"`       // least and largest of these means, s
	WaitMax   float64 `json:"wait_max_s" opt:"wait_max_s" in:"[0,1e12]" required:"true"`
	// VariesFrom and VariesTo are the factors between which the log's mean wait varies over its
	// months (see resample.WaitsVary); 0 if the log has fewer than eight weeks.
	VariesFrom float64 `json:"log_varies_from" opt:"log_varies_from" in:"[0,1e12]"`
	VariesTo   float64 `json:"log_varies_to" opt:"log_varies_to" in:"[0,1e12]"`
}

// Choices returns the allowed values of a key that has a fixed set of values.
func (Check) Choices(key string) []string {
	if key == "estimates" {
		return []string{"user", "perfect"}
	}
	return nil
}

// Check checks that the median is between the least and the largest.
func (c *Check) Check() error {
	if c.WaitMin > c.Wait || c.Wait > c.WaitMax {
		return workload.OptionFault("wait_median_s", c.Wait, "%g to %g", c.WaitMin, c.WaitMax)
	}
	return nil
}

const (
	// CheckFactor is the largest factor between the mean waits of a log and of a good model,
	// unless the log's own months differ by more.
	CheckFactor = 1.6
	// shortWait is the shortest mean wait used in ratios, in seconds. Shorter ones count as this:
	// nobody minds the difference.
	shortWait = 60
)

// Ratio returns the mean wait of the model's jobs divided by that of the log's: the median over
// the draws, the smallest and the largest. A mean wait below a minute counts as a minute.
func (c *Check) Ratio() (median, least, largest float64) {
	of := max(c.LogWait, shortWait)
	return max(c.Wait, shortWait) / of, max(c.WaitMin, shortWait) / of, max(c.WaitMax, shortWait) / of
}

// Off reports whether the median ratio differs from 1 by more than CheckFactor and by more than
// the log's own months do.
func (c *Check) Off() bool {
	r, _, _ := c.Ratio()
	least, largest := 1/CheckFactor, CheckFactor
	if c.varies() {
		least, largest = min(least, c.VariesFrom), max(largest, c.VariesTo)
	}
	return r > largest || r < least
}

// varies reports whether the log's months differ by more than CheckFactor.
func (c *Check) varies() bool {
	return c.VariesTo > CheckFactor || c.VariesFrom > 0 && c.VariesFrom < 1/CheckFactor
}

// String describes the check in one line.
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
	if c.varies() {
		how += fmt.Sprintf("; with the log's weeks drawn in blocks of four its own mean wait is %s to %s times as long", times(c.VariesFrom), times(c.VariesTo))
	}
	median, least, largest := c.Ratio()
	among := fmt.Sprintf("%s to %s over", times(least), times(largest))
	if times(least) == times(largest) {
		among = "in each of"
	}
	return fmt.Sprintf("jobs drawn from this model wait %s times as long as the log's, %s %d seeds (%s and %s on average, both simulated under EASY %s)",
		times(median), among, c.Seeds, duration(c.Wait), duration(c.LogWait), how)
}

// times formats a ratio with two digits.
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

// duration formats a time in seconds in a suitable unit.
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
