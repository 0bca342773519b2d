package population

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/model"
)

// The largest values in a model: days of the log, processors, users, jobs and
// seconds.
const (
	MaxDays       = 36525
	MaxProcessors = 1 << 24
	MaxUsers      = 1 << 24
	MaxJobs       = 1 << 31
	MaxSeconds    = 1e10
)

// Validate returns a *model.FieldError for the first field that is out of
// range.
func (m *Model) Validate() error {
	c := &checks{}
	if m.Schema != Schema {
		c.fail("schema", strconv.Quote(m.Schema), strconv.Quote(Schema))
	}
	if strings.ContainsFunc(m.Name, unicode.IsControl) {
		c.fail("name", strconv.Quote(m.Name), "one line")
	}
	c.whole("processors", m.Processors, 1, MaxProcessors)
	c.number("log.days", m.Log.Days, 1, MaxDays)
	c.whole("log.jobs", m.Log.Jobs, 1, MaxJobs)
	c.number("log.load", m.Log.Load, 1e-9, 1e6)
	if n := len(m.Cycle.Weights); n != 0 && n != 24 && n != 168 {
		c.fail("cycle.weights", fmt.Sprintf("%d numbers", n), "24, by hour of the day, or 168, by hour of the week")
	}
	c.shares("cycle.weights", m.Cycle.Weights)
	c.number("load.cv", m.Load.CV, 0, 10)
	c.number("load.lag_1", m.Load.Lag1, 0, .99)
	c.sizes(m)
	c.runTimes("run_times.classes", m.RunTimes.Classes)
	if m.RunTimes.WithoutGPUs != nil {
		c.runTimes("run_times.without_gpus", m.RunTimes.WithoutGPUs)
	}
	for i, w := range m.Waits.Classes {
		at := fmt.Sprintf("waits.classes[%d]", i)
		c.number(at+".from", w.From, 0, MaxSeconds)
		if i > 0 && w.From <= m.Waits.Classes[i-1].From {
			c.fail(at+".from", number(w.From), "more than the class before")
		}
		c.quantiles(at+".quantiles", &w.Quantiles, 0, MaxSeconds, true)
	}
	s := &m.Sessions
	c.number("sessions.bag_gap", s.BagGap, 0, 3600)
	c.quantiles("sessions.within", &s.Within, 0, MaxSeconds, false)
	c.quantiles("sessions.apart", &s.Apart, 0, MaxSeconds, false)
	c.quantiles("sessions.think", &s.Think, 0, MaxSeconds, false)
	c.requests(m)
	c.resources(m)
	if n := len(m.Users.Strata); n < 1 || n > 100 {
		c.fail("users.strata", strconv.Itoa(n), "1 to 100")
	}
	for i := range m.Users.Strata {
		c.stratum(fmt.Sprintf("users.strata[%d]", i), &m.Users.Strata[i], m)
	}
	if m.Check != nil && c.err == nil {
		c.err = m.Check.Validate()
	}
	return c.err
}

// checks keeps the first fault.
type checks struct{ err error }

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func (c *checks) fail(path, saw, want string) {
	if c.err == nil {
		c.err = &model.FieldError{Path: path, Saw: saw, Want: want}
	}
}

func (c *checks) number(path string, x, lo, hi float64) {
	if !(x >= lo && x <= hi) {
		c.fail(path, number(x), fmt.Sprintf("%g to %g", lo, hi))
	}
}

func (c *checks) whole(path string, x, lo, hi int64) {
	if x < lo || x > hi {
		c.fail(path, strconv.FormatInt(x, 10), fmt.Sprintf("%d to %d", lo, hi))
	}
}

// shares checks numbers of which one at least is above 0, if there are any.
func (c *checks) shares(path string, x []float64) {
	sum := 0.0
	for i, v := range x {
		c.number(fmt.Sprintf("%s[%d]", path, i), v, 0, math.MaxFloat32)
		sum += v
	}
	if len(x) > 0 && !(sum > 0) {
		c.fail(path, "zeros", "one above 0")
	}
}

func (c *checks) sizes(m *Model) {
	s := &m.Sizes
	if len(s.Sizes) == 0 || len(s.Sizes) != len(s.Shares) {
		c.fail("sizes", fmt.Sprintf("%d sizes and %d shares", len(s.Sizes), len(s.Shares)), "as many of both, one or more")
		return
	}
	for i, n := range s.Sizes {
		at := fmt.Sprintf("sizes.sizes[%d]", i)
		c.whole(at, n, 1, m.Processors)
		if i > 0 && n <= s.Sizes[i-1] {
			c.fail(at, strconv.FormatInt(n, 10), "more than the one before")
		}
	}
	c.shares("sizes.shares", s.Shares)
}

func (c *checks) runTimes(path string, classes []RunClass) {
	if n := len(classes); n < 1 || n > 64 {
		c.fail(path, strconv.Itoa(n), "1 to 64")
	}
	for i := range classes {
		at := fmt.Sprintf("%s[%d]", path, i)
		if from := classes[i].From; i == 0 && from != 1 {
			c.fail(at+".from", strconv.FormatInt(from, 10), "1")
		} else if i > 0 && from <= classes[i-1].From {
			c.fail(at+".from", strconv.FormatInt(from, 10), "more than the class before")
		}
		c.quantiles(at+".quantiles", &classes[i].Quantiles, 0, MaxSeconds, true)
	}
}

// quantiles checks a law, which may be missing where it is not needed.
func (c *checks) quantiles(path string, q *Quantiles, lo, hi float64, needed bool) {
	n := len(q.P)
	switch {
	case n != len(q.X) || needed && n < 1:
		c.fail(path, fmt.Sprintf("%d probabilities and %d values", n, len(q.X)), "as many of both, one or more")
		return
	case n > 0 && q.P[0] != 0:
		c.fail(path+".p[0]", number(q.P[0]), "0")
	case n > 1 && q.P[n-1] != 1:
		c.fail(fmt.Sprintf("%s.p[%d]", path, n-1), number(q.P[n-1]), "1")
	}
	for i := range q.P {
		c.number(fmt.Sprintf("%s.x[%d]", path, i), q.X[i], lo, hi)
		if i > 0 && !(q.P[i] > q.P[i-1]) {
			c.fail(fmt.Sprintf("%s.p[%d]", path, i), number(q.P[i]), "more than the one before")
		}
		if i > 0 && !(q.X[i] >= q.X[i-1]) {
			c.fail(fmt.Sprintf("%s.x[%d]", path, i), number(q.X[i]), "not less than the one before")
		}
	}
}

func (c *checks) stratum(at string, s *Stratum, m *Model) {
	c.whole(at+".users", s.Users, 1, MaxUsers)
	c.whole(at+".jobs", s.Jobs, 1, MaxJobs)
	c.number(at+".work", s.Work, 0, 1e30)
	c.number(at+".day_work", s.DayWork, 0, 1e30)
	c.quantiles(at+".bags", &s.Bags, 1, MaxJobs, false)
	c.quantiles(at+".sessions", &s.Sessions, 1, MaxJobs, false)
	for t, q := range s.Margins {
		path := at + ".margins." + Trait(t).String()
		if q == nil && !m.Has(Trait(t)) {
			continue
		}
		if len(q) < 2 || len(q) > 1001 {
			c.fail(path, fmt.Sprintf("%d numbers", len(q)), "2 to 1001")
		}
		lo, hi := Trait(t).Range()
		for i, x := range q {
			c.number(fmt.Sprintf("%s[%d]", path, i), x, lo, hi)
			if i > 0 && !(x >= q[i-1]) {
				c.fail(fmt.Sprintf("%s[%d]", path, i), number(x), "not less than the one before")
			}
		}
	}
	if len(s.Correlations) > int(NumTraits) {
		c.fail(at+".correlations", fmt.Sprintf("%d rows", len(s.Correlations)), fmt.Sprintf("at most %d", NumTraits))
	}
	for i, row := range s.Correlations {
		path := fmt.Sprintf("%s.correlations[%d]", at, i)
		if len(row) != i+1 {
			c.fail(path, fmt.Sprintf("%d numbers", len(row)), fmt.Sprintf("%d, to the diagonal", i+1))
			return
		}
		for k, x := range row {
			c.number(fmt.Sprintf("%s[%d]", path, k), x, -1, 1)
		}
		if row[i] != 1 {
			c.fail(fmt.Sprintf("%s[%d]", path, i), number(row[i]), "1")
		}
	}
}
