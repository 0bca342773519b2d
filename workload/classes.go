package workload

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ClassColumn is one column by which a Classifier sorts jobs into classes.
//
// Identifiers and codes have a class for each number, or for each name in Groups. Amounts have a
// class for each range. By default, ranges go from each power of two, excluded, to the next,
// included: sizes of 5 to 8 processors are a class. Edges sets other ranges, and Each makes a
// class of each value.
type ClassColumn struct {
	Column string // the name of an identifier, a code or an amount

	// Edges are the upper ends of the ranges of an amount, in ascending order; one more range
	// holds all larger values. If there are none, the ranges are those between powers of two.
	Edges []float64
	Each  bool
	// Calendar, if not nil, makes classes of months, hours or the like of a time.
	Calendar *Calendar
	// Groups maps identifiers to class names, such as the queues of short jobs to "short". All
	// other identifiers are in the class Other, or "other" if that is empty. If Groups is nil,
	// each identifier is a class.
	Groups map[int64]string
	Other  string
}

const otherClass = "other"

// String returns the column in the form that ParseClasses parses, but without Groups.
func (c ClassColumn) String() string {
	column := FindColumn(c.Column)
	switch {
	case c.Calendar != nil:
		return c.Calendar.Word
	case column == nil || !column.ranged():
		return c.Column
	case c.Each:
		return c.Column + ":" + eachValue
	case len(c.Edges) == 0:
		return c.Column + ":" + doubling
	}
	for _, e := range c.Edges {
		c.Column += ":" + strconv.FormatFloat(e, 'g', -1, 64)
	}
	return c.Column
}

// word returns the first of the column's words.
func (c ClassColumn) word() string {
	if c.Calendar != nil {
		return c.Calendar.Word
	}
	if column := FindColumn(c.Column); column != nil {
		return column.Words[0]
	}
	return c.Column
}

// MostClassColumns is the maximum number of columns of a Classifier. Four keep a key within half
// a cache line.
const MostClassColumns = 4

// ClassKey identifies a class of one Classifier: all jobs of the class have the same key.
type ClassKey [MostClassColumns]int64

// Compare orders classes by their columns' values, unknown values last.
func (k ClassKey) Compare(other ClassKey) int {
	for i, v := range k {
		w := other[i]
		switch {
		case v == w:
		case v == Unknown:
			return 1
		case w == Unknown:
			return -1
		default:
			return cmp.Compare(v, w)
		}
	}
	return 0
}

// Classifier sorts jobs into the cross product of the classes of some columns. The zero value
// and nil have a single class. It may be used by several goroutines.
type Classifier struct {
	by    []ClassColumn
	cells []classCells
}

// NewClassifier returns a classifier by at most MostClassColumns columns; without columns, all
// jobs are one class. The error is an *OptionError of "classes".
func NewClassifier(by []ClassColumn) (*Classifier, error) {
	if len(by) > MostClassColumns {
		return nil, OptionFault("classes", fmt.Sprintf("%d columns", len(by)), "at most %d", MostClassColumns)
	}
	c := &Classifier{by: by}
	for i, column := range by {
		if slices.ContainsFunc(by[:i], func(b ClassColumn) bool { return b.word() == column.word() }) {
			return nil, &OptionError{"classes", strconv.Quote(column.word()) + " twice", "each column once"}
		}
		cells, err := column.cells()
		if err != nil {
			return nil, err
		}
		c.cells = append(c.cells, cells)
	}
	return c, nil
}

// Columns returns the columns of the classifier. The caller must not modify the slice.
func (c *Classifier) Columns() []ClassColumn {
	if c == nil {
		return nil
	}
	return c.by
}

// Same reports whether two classifiers make the same classes.
func (c *Classifier) Same(other *Classifier) bool {
	return slices.EqualFunc(c.Columns(), other.Columns(), func(a, b ClassColumn) bool {
		return a.String() == b.String() && (a.Groups == nil) == (b.Groups == nil) && maps.Equal(a.Groups, b.Groups) && a.Other == b.Other
	})
}

// Key returns the class of a job. In each column, jobs without a value are a class, Unknown.
func (c *Classifier) Key(j *Job) (k ClassKey) {
	if c != nil {
		for i := range c.cells {
			k[i] = c.cells[i].class(c.cells[i].inJob(j))
		}
	}
	return k
}

// RequestKey returns the class of a request. It is Unknown in columns that are not known at
// submission.
func (c *Classifier) RequestKey(r *Request) (k ClassKey) {
	if c != nil {
		for i := range c.cells {
			k[i] = c.cells[i].class(c.cells[i].inRequest(r))
		}
	}
	return k
}

// RowKey returns the class of row i of a batch.
func (c *Classifier) RowKey(b *Batch, i int) (k ClassKey) {
	if c != nil {
		for n := range c.cells {
			k[n] = c.cells[n].class(b.value(c.cells[n].Column, i))
		}
	}
	return k
}

// Unknown reports whether k is the class of jobs without a value in any column.
func (c *Classifier) Unknown(k ClassKey) bool {
	n := len(c.Columns())
	return n > 0 && !slices.ContainsFunc(k[:n], func(v int64) bool { return v != Unknown })
}

// Value returns the value that the jobs of a class share, if the classifier has exactly one
// column and makes a class of each value. Otherwise, and for jobs without a value, it returns
// "".
func (c *Classifier) Value(k ClassKey) string {
	if columns := c.Columns(); len(columns) != 1 || k[0] == Unknown || c.cells[0].place != nil {
		return ""
	}
	if c.cells[0].Float() {
		return strconv.FormatFloat(math.Float64frombits(uint64(k[0])), 'f', -1, 64)
	}
	return strconv.FormatInt(k[0], 10)
}

// Label returns the name of a class that Key returned, such as "all" or "queue_id=1, size=5-8".
func (c *Classifier) Label(k ClassKey) string {
	if len(c.Columns()) == 0 {
		return "all"
	}
	return strings.Join(c.Cells(k), ", ")
}

// Cells returns the parts of a class's label, one for each column.
func (c *Classifier) Cells(k ClassKey) []string {
	var cells []string
	for i, column := range c.Columns() {
		cell := column.Column + " unknown"
		if k[i] != Unknown {
			cell = c.cells[i].label(k[i])
		}
		cells = append(cells, cell)
	}
	return cells
}

// InFileName returns a label in a form that can be part of a file name.
func InFileName(label string) string {
	label = strings.NewReplacer(", ", "_", "<=", "-upto-", ">", "-over-").Replace(label)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._=+-", r) {
			return r
		}
		return '-'
	}, label)
}

// classCells maps the values of a column to classes, and classes to labels.
type classCells struct {
	*Column
	place func(float64) int64 // class of a known value; nil if the class is the value or, for float64, its bits
	label func(int64) string
}

// class returns the class of a value: x if the column holds float64 values, otherwise n.
// Infinite values are Unknown.
func (c *classCells) class(n int64, x float64) int64 {
	switch {
	case c.float && (math.IsNaN(x) || math.IsInf(x, 0)):
		return Unknown
	case c.float && c.place == nil:
		return int64(math.Float64bits(x + 0)) // -0 is 0
	case c.float:
		return c.place(x)
	case n == Unknown || c.place == nil:
		return n
	}
	return c.place(float64(n))
}

// cells returns the classes of the column's values. The error is an *OptionError of "classes".
func (c ClassColumn) cells() (classCells, error) {
	column := FindColumn(c.Column)
	if column == nil || column.Name != c.Column || column == &columns[ColJobID] {
		return classCells{}, OptionFault("classes", fmt.Sprintf("column %q", c.Column), "one of %s", strings.Join(ClassColumns(false), ", "))
	}
	cells := classCells{Column: column}
	switch {
	case c.Calendar != nil:
		cells.place, cells.label = c.Calendar.Number, c.Calendar.Label
	case column.ranged() && c.Groups != nil:
		return cells, &OptionError{"classes", "groups for " + c.Column, "groups for identifiers only"}
	case column.ranged() && !c.Each:
		return c.ranges(cells)
	case c.Edges != nil:
		return cells, &OptionError{"classes", "edges for " + c.Column, "edges for amounts only; the numbers of this column are identifiers"}
	case c.Groups != nil:
		cells.place, cells.label = c.grouped()
	case column.Float():
		cells.label = func(v int64) string {
			return c.Column + "=" + strconv.FormatFloat(math.Float64frombits(uint64(v)), 'g', -1, 64)
		}
	default:
		cells.label = func(v int64) string { return fmt.Sprintf("%s=%d", c.Column, v) }
	}
	return cells, nil
}

// grouped returns the functions of classCells for named groups of identifiers.
func (c ClassColumn) grouped() (place func(float64) int64, label func(int64) string) {
	names := slices.Compact(slices.Sorted(maps.Values(c.Groups)))
	group := make(map[int64]int64, len(c.Groups))
	for id, name := range c.Groups {
		group[id] = int64(slices.Index(names, name))
	}
	other := int64(len(names))
	names = append(names, cmp.Or(c.Other, otherClass))
	return func(id float64) int64 {
		if g, ok := group[int64(id)]; ok {
			return g
		}
		return other
	}, func(v int64) string { return names[v] }
}

// notAbove0 is the class of amounts of 0 or less, which are between no powers of two.
const notAbove0 = Unknown + 1

// ranges completes the cells of an amount.
func (c ClassColumn) ranges(cells classCells) (classCells, error) {
	if len(c.Edges) == 0 {
		cells.place = powerOfTwoRange
		cells.label = func(k int64) string {
			if k == notAbove0 {
				return rangeLabel(cells.Column, math.Inf(-1), 0)
			}
			return rangeLabel(cells.Column, math.Ldexp(1, int(k-1)), math.Ldexp(1, int(k)))
		}
		return cells, nil
	}
	for i, e := range c.Edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || i > 0 && !(e > c.Edges[i-1]) {
			return cells, OptionFault("classes", fmt.Sprintf("edge %d of %s is %g", i, c.Column, e), "finite numbers in ascending order")
		}
	}
	edges := slices.Clone(c.Edges)
	cells.place = func(v float64) int64 {
		i, _ := slices.BinarySearch(edges, v)
		return int64(i)
	}
	ends := slices.Concat([]float64{math.Inf(-1)}, edges, []float64{math.Inf(1)})
	cells.label = func(at int64) string { return rangeLabel(cells.Column, ends[at], ends[at+1]) }
	return cells, nil
}

// powerOfTwoRange returns the k with 2^(k-1) < v <= 2^k, or notAbove0.
func powerOfTwoRange(v float64) int64 {
	if v <= 0 {
		return notAbove0
	}
	part, k := math.Frexp(v) // part in [1/2, 1)
	if part == 0.5 {
		k--
	}
	return int64(k)
}

// rangeLabel returns the label of the range low < v <= high of a column.
func rangeLabel(c *Column, low, high float64) string {
	number := func(v float64) string {
		if math.Abs(v) < 1e15 && v == math.Trunc(v) {
			return fmt.Sprintf("%d", int64(v))
		}
		return fmt.Sprintf("%g", v)
	}
	switch {
	case math.IsInf(low, -1):
		return c.Name + "<=" + number(high)
	case math.IsInf(high, 1):
		return c.Name + ">" + number(low)
	}
	least, most := math.Floor(low)+1, math.Floor(high)
	switch {
	case c.Float() || least > most:
		return c.Name + "=" + number(low) + ".." + number(high)
	case least == most:
		return c.Name + "=" + number(most)
	}
	return c.Name + "=" + number(least) + "-" + number(most)
}
