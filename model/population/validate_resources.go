package population

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// shareError is the largest difference of the sum of a size's shares from 1: shares in
// files are rounded.
const shareError = .001

// resources checks Model.Unit and Model.Resources.
func (c *checks) resources(m *Model) {
	if u := m.Unit; u != OfProcessors && u != OfGPUs && u != OfNodes {
		c.fail("unit", strconv.Quote(string(u)), `"gpus" or "nodes", or none for processors`)
	}
	r := &m.Resources
	if len(r.Sizes) == 0 && m.Unit != OfProcessors {
		c.fail("resources", "none", "the "+m.Unit.String()+" of jobs, which are their sizes")
	}
	if len(r.Sizes) != len(r.Shares) {
		c.fail("resources", fmt.Sprintf("%d sizes and %d shares", len(r.Sizes), len(r.Shares)), "as many of both")
	}
	if c.err != nil || len(r.Sizes) == 0 {
		return
	}
	for i := range r.Columns {
		c.resourceColumn(i, r)
	}
	if c.err != nil {
		return
	}
	for i, n := range r.Sizes {
		at := fmt.Sprintf("resources.sizes[%d]", i)
		if i > 0 && n < r.Sizes[i-1] {
			c.fail(at, strconv.FormatInt(n, 10), "not less than the one before")
		}
		if !slices.Contains(m.Sizes.Sizes, n) {
			c.fail(at, strconv.FormatInt(n, 10), "one of sizes.sizes")
		}
		c.number(fmt.Sprintf("resources.shares[%d]", i), r.Shares[i], 0, 1)
		if x := r.SizeIn(m.Unit, i); m.Unit != OfProcessors && x != float64(n) {
			c.fail(at, strconv.FormatInt(n, 10), fmt.Sprintf("%g, the %s of the row", x, m.Unit))
		}
	}
	found := map[int64]bool{}
	r.Rows(func(size int64, lo, hi int) {
		found[size] = true
		sum := 0.0
		for _, x := range r.Shares[lo:hi] {
			sum += x
		}
		if math.Abs(sum-1) > shareError {
			c.fail("resources.shares", fmt.Sprintf("%s as the sum of size %d, from place %d to %d", number(sum), size, lo, hi-1), "1")
		}
	})
	for _, n := range m.Sizes.Sizes {
		if !found[n] {
			c.fail("resources.sizes", fmt.Sprintf("no row of size %d", n), "one or more for each of sizes.sizes")
		}
	}
}

// resourceColumn checks the column at place i.
func (c *checks) resourceColumn(i int, r *Resources) {
	column, at := &r.Columns[i], fmt.Sprintf("resources.columns[%d]", i)
	if !slices.Contains(ResourceColumns, column.Name) {
		c.fail(at+".name", strconv.Quote(column.Name), "one of "+strings.Join(ResourceColumns, ", "))
	}
	if r.Column(column.Name) != column {
		c.fail(at+".name", strconv.Quote(column.Name)+" for the second time", "each column once")
	}
	if len(column.Values) != len(r.Sizes) {
		c.fail(at+".values", fmt.Sprintf("%d numbers", len(column.Values)), fmt.Sprintf("%d, one for each of resources.sizes", len(r.Sizes)))
	}
	for k, x := range column.Values {
		where := fmt.Sprintf("%s.values[%d]", at, k)
		switch _, named := column.Names[int64(x)]; {
		case x == -1:
		case !(x >= 0 && x <= MostOf(column.Name)):
			c.fail(where, number(x), fmt.Sprintf("0 to %g, or -1 for unknown", MostOf(column.Name)))
		case !strings.HasSuffix(column.Name, "_kb") && x != math.Trunc(x):
			c.fail(where, number(x), "a whole number")
		case column.Name == GPUType && !named:
			c.fail(where, number(x), fmt.Sprintf("a kind of GPU with a name in %s.names", at))
		}
	}
	for n, name := range column.Names {
		if n < 0 || strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\r\n\x00") {
			c.fail(at+".names", fmt.Sprintf("%q of %d", name, n), "names of one line, for numbers of 0 or more")
		}
	}
}
