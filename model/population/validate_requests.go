package population

import (
	"fmt"
	"strconv"
)

// requests checks what users ask for, and how jobs end.
func (c *checks) requests(m *Model) {
	c.atoms("memory", &m.Memory, true)
	c.atoms("queues", &m.Queues, false)
	c.whole("applications.count", m.Applications.Count, 0, MaxJobs)
	e := &m.Estimates
	c.atoms("estimates", &e.Atoms, true)
	for i, x := range e.Reached {
		at := fmt.Sprintf("estimates.reached[%d]", i)
		c.number(at+".from", x.From, 0, MaxSeconds)
		if i > 0 && x.From <= e.Reached[i-1].From {
			c.fail(at+".from", number(x.From), "more than the class before")
		}
		c.number(at+".share", x.Share, 0, 1)
		c.number(at+".beyond", x.Beyond, 0, 1)
	}
	c.number("estimates.early", e.Early, 0, 1)
	c.quantiles("estimates.overrun", &e.Overrun, 1, MaxSeconds, false)
	c.quantiles("estimates.late", &e.Late, 0, MaxSeconds, false)
	s := &m.Statuses
	c.number("statuses.again", s.Again, 0, 1)
	for i, x := range s.Values {
		c.whole(fmt.Sprintf("statuses.values[%d]", i), x, -1, MaxJobs)
	}
	share := func(path string, x []float64) {
		if len(x) != len(s.Values) {
			c.fail(path, fmt.Sprintf("%d numbers", len(x)), fmt.Sprintf("%d, one for each of statuses.values", len(s.Values)))
		}
		c.shares(path, x)
	}
	if s.Reached != nil {
		share("statuses.reached", s.Reached)
	}
	if len(s.Values) > 0 && len(s.Classes) == 0 {
		c.fail("statuses.classes", "0", "1 or more")
	}
	for i := range s.Classes {
		at := fmt.Sprintf("statuses.classes[%d]", i)
		c.number(at+".from", s.Classes[i].From, 0, MaxSeconds)
		if i > 0 && s.Classes[i].From <= s.Classes[i-1].From {
			c.fail(at+".from", number(s.Classes[i].From), "more than the class before")
		}
		share(at+".shares", s.Classes[i].Shares)
	}
}

// atoms checks a law by values, which may be missing.
func (c *checks) atoms(path string, a *Atoms, rising bool) {
	lo := -1.0 // of labels
	if rising {
		lo = 0
	}
	if n := len(a.Values); n != len(a.Shares) || n > MaxAtoms {
		c.fail(path, fmt.Sprintf("%d values and %d shares", n, len(a.Shares)), "as many of both, at most "+strconv.Itoa(MaxAtoms))
		return
	}
	for i, x := range a.Values {
		at := fmt.Sprintf("%s.values[%d]", path, i)
		c.number(at, x, lo, MaxSeconds*MaxSeconds)
		if rising && i > 0 && x <= a.Values[i-1] {
			c.fail(at, number(x), "more than the one before")
		}
	}
	c.shares(path+".shares", a.Shares)
}
