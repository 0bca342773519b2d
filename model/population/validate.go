package population

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/workload"
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

// Choices are the values of keys that take one of some.
func (Model) Choices(key string) []string {
	switch key {
	case "schema":
		return []string{Schema}
	case "unit":
		return []string{string(OfGPUs), string(OfNodes)}
	}
	return nil
}

// Choices are the values of keys that take one of some.
func (ResourceColumn) Choices(key string) []string {
	if key == "name" {
		return ResourceColumns
	}
	return nil
}

// Check checks what relates the parts of the model.
func (m *Model) Check() error {
	for i, n := range m.Sizes.Sizes {
		if n > m.Processors {
			return workload.OptionFault(at("sizes.sizes", i), n, "1 to %d, the machine", m.Processors)
		}
	}
	for key, a := range map[string]*Atoms{"memory": &m.Memory, "estimates": &m.Estimates.Atoms} {
		if err := a.rising(key); err != nil {
			return err
		}
	}
	for i := range m.Users.Strata {
		for t, q := range m.Users.Strata[i].Margins {
			if q == nil && m.Has(Trait(t)) {
				return workload.OptionFault(fmt.Sprintf("users.strata[%d].margins.%s", i, Trait(t)), "nothing", "2 to 1001 numbers")
			}
		}
	}
	if strings.ContainsFunc(m.Name, unicode.IsControl) {
		return workload.OptionFault("name", strconv.Quote(m.Name), "one line")
	}
	return m.Resources.check(m)
}

// at is the path of an item of a list.
func at(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// rises returns an error for the first of n values that is not above the one before.
func rises[T int64 | float64](list, key string, n int, value func(i int) T) error {
	for i := 1; i < n; i++ {
		if value(i) <= value(i-1) {
			return workload.OptionFault(at(list, i)+key, fmt.Sprint(value(i)), "more than the one before, %v", value(i-1))
		}
	}
	return nil
}

// sharesOf checks shares of n values, of which one at least is above 0.
func sharesOf(list string, shares []float64, n int) error {
	switch {
	case len(shares) != n:
		return workload.OptionFault(list, fmt.Sprintf("%d numbers", len(shares)), "%d, one for each value", n)
	case n > 0 && !(slices.Max(shares) > 0):
		return workload.OptionFault(list, "zeros", "one above 0")
	}
	return nil
}

// Check checks the number of weights.
func (c *Cycle) Check() error {
	if n := len(c.Weights); n != 0 && n != 24 && n != 168 {
		return workload.OptionFault("weights", fmt.Sprintf("%d numbers", n), "24, by hour of the day, or 168, by hour of the week")
	}
	return sharesOf("weights", c.Weights, len(c.Weights))
}

// Check checks that sizes rise and have shares.
func (s *Sizes) Check() error {
	if len(s.Sizes) == 0 {
		return workload.OptionFault("sizes", "nothing", "one or more")
	}
	if err := rises("sizes", "", len(s.Sizes), func(i int) int64 { return s.Sizes[i] }); err != nil {
		return err
	}
	return sharesOf("shares", s.Shares, len(s.Sizes))
}

// Check checks the classes.
func (r *RunTimes) Check() error {
	for _, list := range []struct {
		name    string
		classes []RunClass
	}{{"classes", r.Classes}, {"without_gpus", r.WithoutGPUs}} {
		switch n := len(list.classes); {
		case n == 0 && list.name == "without_gpus":
			continue
		case n < 1 || n > 64:
			return workload.OptionFault(list.name, n, "1 to 64")
		case list.classes[0].From != 1:
			return workload.OptionFault(list.name+"[0].from", list.classes[0].From, "1")
		}
		if err := rises(list.name, ".from", len(list.classes), func(i int) int64 { return list.classes[i].From }); err != nil {
			return err
		}
	}
	return nil
}

// Check checks that classes rise.
func (w *Waits) Check() error {
	return rises("classes", ".from", len(w.Classes), func(i int) float64 { return w.Classes[i].From })
}

// Check checks that probabilities rise from 0 to 1, and that values do not fall.
func (q *Quantiles) Check() error {
	n := len(q.P)
	switch {
	case n != len(q.X) || n == 0:
		return workload.OptionFault("x", fmt.Sprintf("%d probabilities and %d values", n, len(q.X)), "as many of both, one or more")
	case q.P[0] != 0:
		return workload.OptionFault("p[0]", q.P[0], "0")
	case n > 1 && q.P[n-1] != 1:
		return workload.OptionFault(at("p", n-1), q.P[n-1], "1")
	}
	if err := notFalling("x", q.X); err != nil {
		return err
	}
	return rises("p", "", n, func(i int) float64 { return q.P[i] })
}

func notFalling(list string, x []float64) error {
	for i := 1; i < len(x); i++ {
		if x[i] < x[i-1] {
			return workload.OptionFault(at(list, i), x[i], "not less than the one before")
		}
	}
	return nil
}

// Check checks the number of strata.
func (u *Users) Check() error {
	if n := len(u.Strata); n < 1 || n > 100 {
		return workload.OptionFault("strata", n, "1 to 100")
	}
	return nil
}

// Check checks the quantiles and correlations of the traits.
func (s *Stratum) Check() error {
	for _, q := range []*Quantiles{&s.Bags, &s.Sessions} {
		if len(q.X) > 0 && (q.X[0] < 1 || q.X[len(q.X)-1] > MaxJobs) {
			return workload.OptionFault("bags", q.X[0], "1 to %d", int64(MaxJobs))
		}
	}
	for t, q := range s.Margins {
		path := "margins." + Trait(t).String()
		lo, hi := Trait(t).Range()
		switch n := len(q); {
		case q == nil:
			continue
		case n < 2 || n > 1001:
			return workload.OptionFault(path, fmt.Sprintf("%d numbers", n), "2 to 1001")
		case !(q[0] >= lo) || !(q[n-1] <= hi):
			return workload.OptionFault(path, fmt.Sprintf("%g to %g", q[0], q[n-1]), "%g to %g", lo, hi)
		}
		if err := notFalling(path, q); err != nil {
			return err
		}
	}
	for i, row := range s.Correlations {
		if len(row) != i+1 || i >= int(NumTraits) || row[i] != 1 {
			return workload.OptionFault(at("correlations", i), fmt.Sprintf("%d numbers, %v", len(row), row[max(0, len(row)-1):]), "%d, the last of them 1; and at most %d rows", i+1, NumTraits)
		}
	}
	return nil
}

// Check checks values and shares, which may be missing.
func (a *Atoms) Check() error {
	if len(a.Values) > MaxAtoms {
		return workload.OptionFault("values", len(a.Values), "at most %d", MaxAtoms)
	}
	return sharesOf("shares", a.Shares, len(a.Values))
}

// rising checks values that are amounts and no labels.
func (a *Atoms) rising(path string) error {
	if len(a.Values) > 0 && a.Values[0] < 0 {
		return workload.OptionFault(path+".values[0]", a.Values[0], "0 or more")
	}
	return rises(path+".values", "", len(a.Values), func(i int) float64 { return a.Values[i] })
}

// Check checks the classes and the law of overruns.
func (e *Estimates) Check() error {
	if x := e.Overrun.X; len(x) > 0 && x[0] < 1 {
		return workload.OptionFault("overrun.x[0]", x[0], "1 or more")
	}
	return rises("reached", ".from", len(e.Reached), func(i int) float64 { return e.Reached[i].From })
}

// Check checks the classes and their shares.
func (s *Statuses) Check() error {
	if len(s.Values) > 0 && len(s.Classes) == 0 {
		return workload.OptionFault("classes", "nothing", "1 or more")
	}
	if s.Reached != nil {
		if err := sharesOf("reached", s.Reached, len(s.Values)); err != nil {
			return err
		}
	}
	for i := range s.Classes {
		if err := sharesOf(at("classes", i)+".shares", s.Classes[i].Shares, len(s.Values)); err != nil {
			return err
		}
	}
	return rises("classes", ".from", len(s.Classes), func(i int) float64 { return s.Classes[i].From })
}

// shareError is the largest difference of the sum of a size's shares from 1: shares in
// files are rounded.
const shareError = .001

// check checks the resources of a model.
func (r *Resources) check(m *Model) error {
	fault := func(path string, saw any, want string, args ...any) error {
		return workload.OptionFault("resources"+path, saw, want, args...)
	}
	switch {
	case len(r.Sizes) == 0 && m.Unit != OfProcessors:
		return fault("", "nothing", "the %s of jobs, which are their sizes", m.Unit)
	case len(r.Sizes) != len(r.Shares):
		return fault("", fmt.Sprintf("%d sizes and %d shares", len(r.Sizes), len(r.Shares)), "as many of both")
	}
	for i := range r.Columns {
		if err := r.checkColumn(i, fault); err != nil {
			return err
		}
	}
	for i, n := range r.Sizes {
		at := at(".sizes", i)
		if i > 0 && n < r.Sizes[i-1] {
			return fault(at, n, "not less than the one before")
		}
		if !slices.Contains(m.Sizes.Sizes, n) {
			return fault(at, n, "one of sizes.sizes")
		}
		if x := r.SizeIn(m.Unit, i); m.Unit != OfProcessors && x != float64(n) {
			return fault(at, n, "%g, the %s of the row", x, m.Unit)
		}
	}
	var err error
	found := map[int64]bool{}
	r.Rows(func(size int64, lo, hi int) {
		found[size] = true
		sum := 0.0
		for _, x := range r.Shares[lo:hi] {
			sum += x
		}
		if math.Abs(sum-1) > shareError && err == nil {
			err = fault(".shares", fmt.Sprintf("%g as the sum of size %d, from place %d to %d", sum, size, lo, hi-1), "1")
		}
	})
	for _, n := range m.Sizes.Sizes {
		if err == nil && len(r.Sizes) > 0 && !found[n] {
			err = fault(".sizes", fmt.Sprintf("no row of size %d", n), "one or more for each of sizes.sizes")
		}
	}
	return err
}

// checkColumn checks the column at place i.
func (r *Resources) checkColumn(i int, fault func(path string, saw any, want string, args ...any) error) error {
	column, path := &r.Columns[i], at(".columns", i)
	if r.Column(column.Name) != column {
		return fault(path+".name", strconv.Quote(column.Name)+" for the second time", "each column once")
	}
	if len(column.Values) != len(r.Sizes) {
		return fault(path+".values", fmt.Sprintf("%d numbers", len(column.Values)), "%d, one for each of resources.sizes", len(r.Sizes))
	}
	for k, x := range column.Values {
		where := at(path+".values", k)
		switch _, named := column.Names[int64(x)]; {
		case x == -1:
		case x < 0 || x > MostOf(column.Name):
			return fault(where, x, "0 to %g, or -1 for unknown", MostOf(column.Name))
		case !strings.HasSuffix(column.Name, "_kb") && x != math.Trunc(x):
			return fault(where, x, "a whole number")
		case column.Name == GPUType && !named:
			return fault(where, x, "a kind of GPU with a name in resources%s.names", path)
		}
	}
	for n, name := range column.Names {
		if n < 0 || strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\r\n\x00") {
			return fault(path+".names", fmt.Sprintf("%q of %d", name, n), "names of one line, for numbers of 0 or more")
		}
	}
	return nil
}
