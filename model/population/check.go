package population

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The largest values allowed in a model: days of the log, processors, users, jobs and seconds.
const (
	MaxDays       = 36525
	MaxProcessors = 1 << 24
	MaxUsers      = 1 << 24
	MaxJobs       = 1 << 31
	MaxSeconds    = 1e10
)

// Choices returns the allowed values of a key that has a fixed set of values.
func (Model) Choices(key string) []string {
	switch key {
	case "schema":
		return []string{Schema}
	case "unit":
		return []string{string(OfGPUs), string(OfNodes)}
	}
	return nil
}

// Choices returns the allowed values of a key that has a fixed set of values.
func (ResourceColumn) Choices(key string) []string {
	if key == "name" {
		return ResourceColumns
	}
	return nil
}

// Check checks the parts of the model against each other.
func (m *Model) Check() error {
	for i, n := range m.Sizes.Sizes {
		if n > m.Processors {
			return workload.OptionFault(at("sizes.sizes", i), n, "1 to %d, the machine", m.Processors)
		}
	}
	for i := range m.Users.Strata {
		for t, q := range m.Users.Strata[i].Margins.All() {
			if q == nil && m.Has(t) {
				return workload.OptionFault(at("users.strata", i)+".margins."+TraitName(t), "nothing", "2 to 1001 numbers")
			}
		}
	}
	if strings.ContainsFunc(m.Name, unicode.IsControl) {
		return workload.OptionFault("name", strconv.Quote(m.Name), "one line")
	}
	return cmp.Or(m.Memory.rising("memory"), m.Estimates.rising("estimates"), m.Resources.check(m))
}

// at returns the path of item i of a list.
func at(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// rising returns an error for the first value of a list that is not above the previous one.
func rising[T cmp.Ordered](list, key string, x []T) error {
	for i := range x[min(1, len(x)):] {
		if x[i+1] <= x[i] {
			return workload.OptionFault(at(list, i+1)+key, fmt.Sprint(x[i+1]), "more than the one before, %v", x[i])
		}
	}
	return nil
}

// classesRise returns an error for the first class that does not begin above the previous one.
func classesRise[C class](list string, classes []C) error {
	var from []float64
	for _, c := range classes {
		from = append(from, c.begin())
	}
	return rising(list, ".from", from)
}

// notFalling returns an error for the first value of a list that is below the previous one.
func notFalling[T cmp.Ordered](list string, x []T) error {
	for i := range x[min(1, len(x)):] {
		if x[i+1] < x[i] {
			return workload.OptionFault(at(list, i+1), x[i+1], "not less than the one before")
		}
	}
	return nil
}

// sharesOf checks that there are n shares, at least one of them above 0.
func sharesOf(list string, shares []float64, n int) error {
	switch {
	case len(shares) != n:
		return workload.OptionFault(list, fmt.Sprintf("%d numbers", len(shares)), "%d, one for each value", n)
	case n > 0 && !(slices.Max(shares) > 0):
		return workload.OptionFault(list, "zeros", "one above 0")
	}
	return nil
}

// count checks the number of items of a list.
func count(list string, n, least, most int) error {
	if n < least || n > most {
		return workload.OptionFault(list, fmt.Sprintf("%d items", n), "%d to %d", least, most)
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
	return cmp.Or(rising("sizes", "", s.Sizes), sharesOf("shares", s.Shares, len(s.Sizes)))
}

// Check checks the classes.
func (r *RunTimes) Check() error {
	err := sizeClasses("classes", r.Classes)
	if err == nil && len(r.WithoutGPUs) > 0 {
		err = sizeClasses("without_gpus", r.WithoutGPUs)
	}
	return err
}

// sizeClasses checks that classes of sizes begin at 1 and rise.
func sizeClasses(name string, classes []LawClass) error {
	if err := count(name, len(classes), 1, 64); err != nil {
		return err
	}
	if classes[0].From != 1 {
		return workload.OptionFault(name+"[0].from", classes[0].From, "1")
	}
	for i, c := range classes {
		if c.From != math.Trunc(c.From) {
			return workload.OptionFault(at(name, i)+".from", c.From, "a whole number")
		}
	}
	return classesRise(name, classes)
}

// Check checks that classes rise.
func (w *Waits) Check() error { return classesRise("classes", w.Classes) }

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
	return cmp.Or(notFalling("x", q.X), rising("p", "", q.P))
}

// Check checks the number of strata.
func (u *Users) Check() error { return count("strata", len(u.Strata), 1, 100) }

// Check checks the quantiles and correlations of the traits.
func (s *Stratum) Check() error {
	for _, counts := range []struct {
		path string
		of   []float64
	}{{"bags", s.Bags.X}, {"sessions", s.Sessions.X}} {
		if x := counts.of; len(x) > 0 && (x[0] < 1 || x[len(x)-1] > MaxJobs) {
			return workload.OptionFault(counts.path, x[0], "1 to %d", int64(MaxJobs))
		}
	}
	for t, q := range s.Margins.All() {
		path := "margins." + TraitName(t)
		if q == nil {
			continue
		}
		if err := cmp.Or(count(path, len(q), 2, 1001), notFalling(path, q)); err != nil {
			return err
		}
	}
	for i, row := range s.Correlations {
		if len(row) != i+1 || i >= NumTraits || row[i] != 1 {
			return workload.OptionFault(at("correlations", i), fmt.Sprintf("%d numbers, %v", len(row), row[max(0, len(row)-1):]), "%d, the last of them 1; and at most %d rows", i+1, NumTraits)
		}
	}
	return nil
}

// Check checks values and shares, which may be missing.
func (a *Atoms) Check() error {
	return cmp.Or(count("values", len(a.Values), 0, MaxAtoms), sharesOf("shares", a.Shares, len(a.Values)))
}

// rising checks that values that are amounts, rather than labels, ascend from 0 or more.
func (a *Atoms) rising(path string) error {
	if len(a.Values) > 0 && a.Values[0] < 0 {
		return workload.OptionFault(path+".values[0]", a.Values[0], "0 or more")
	}
	return rising(path+".values", "", a.Values)
}

// Check checks the classes and the law of overruns.
func (e *Estimates) Check() error {
	if x := e.Overrun.X; len(x) > 0 && x[0] < 1 {
		return workload.OptionFault("overrun.x[0]", x[0], "1 or more")
	}
	return classesRise("reached", e.Reached)
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
	return classesRise("classes", s.Classes)
}

// shareError is the largest allowed difference between the sum of a size's shares and 1: shares
// in files are rounded.
const shareError = .001

// check checks the resources of m.
func (r *Resources) check(m *Model) error {
	n := len(r.Sizes)
	switch {
	case n == 0 && m.Unit != OfProcessors:
		return workload.OptionFault("resources", "nothing", "the %s of jobs, which are their sizes", m.Unit)
	case n != len(r.Shares):
		return workload.OptionFault("resources", fmt.Sprintf("%d sizes and %d shares", n, len(r.Shares)), "as many of both")
	}
	if err := notFalling("resources.sizes", r.Sizes); err != nil {
		return err
	}
	for i := range r.Columns {
		if err := r.checkColumn(i); err != nil {
			return err
		}
	}
	for i, size := range r.Sizes {
		if !slices.Contains(m.Sizes.Sizes, size) {
			return workload.OptionFault(at("resources.sizes", i), size, "one of sizes.sizes")
		}
		taken := 0.0
		for _, name := range m.Unit.Columns() {
			if c := r.Column(name); c != nil && c.Values[i] > 0 && taken == 0 {
				taken = c.Values[i]
			}
		}
		if m.Unit != OfProcessors && taken != float64(size) {
			return workload.OptionFault(at("resources.sizes", i), size, "%g, the %s of the row", taken, m.Unit)
		}
	}
	for lo, hi := range r.Rows() {
		sum := 0.0
		for _, x := range r.Shares[lo:hi] {
			sum += x
		}
		if math.Abs(sum-1) > shareError {
			return workload.OptionFault("resources.shares", fmt.Sprintf("%g as the sum of size %d, from place %d to %d", sum, r.Sizes[lo], lo, hi-1), "1")
		}
	}
	for _, size := range m.Sizes.Sizes {
		if n > 0 && !slices.Contains(r.Sizes, size) {
			return workload.OptionFault("resources.sizes", fmt.Sprintf("no row of size %d", size), "one or more for each of sizes.sizes")
		}
	}
	return nil
}

// checkColumn checks column i.
func (r *Resources) checkColumn(i int) error {
	column, path := &r.Columns[i], at("resources.columns", i)
	if r.Column(column.Name) != column {
		return workload.OptionFault(path+".name", strconv.Quote(column.Name)+" for the second time", "each column once")
	}
	if len(column.Values) != len(r.Sizes) {
		return workload.OptionFault(path+".values", fmt.Sprintf("%d numbers", len(column.Values)), "%d, one for each of resources.sizes", len(r.Sizes))
	}
	for k, x := range column.Values {
		where := at(path+".values", k)
		switch _, named := column.Names[int64(x)]; {
		case x == -1:
		case x < 0 || x > MostOf(column.Name):
			return workload.OptionFault(where, x, "0 to %g, or -1 for unknown", MostOf(column.Name))
		case !strings.HasSuffix(column.Name, "_kb") && x != math.Trunc(x):
			return workload.OptionFault(where, x, "a whole number")
		case column.Name == GPUType && !named:
			return workload.OptionFault(where, x, "a kind of GPU with a name in %s.names", path)
		}
	}
	for n, name := range column.Names {
		if n < 0 || strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\r\n\x00") {
			return workload.OptionFault(path+".names", fmt.Sprintf("%q of %d", name, n), "names of one line, for numbers of 0 or more")
		}
	}
	return nil
}
