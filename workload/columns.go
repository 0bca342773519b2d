package workload

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// SchemaVersion identifies the columns and their meaning. It is stored in the metadata of every
// Arrow and Parquet file written.
const SchemaVersion = "loadstone.jobs/1"

// The positions of the columns in every batch of jobs. The first eighteen are
// the fields of the standard workload format, in its order.
const (
	ColJobID = iota
	ColSubmitTime
	ColWaitTime
	ColRunTime
	ColAllocatedProcessors
	ColCPUTime
	ColUsedMemory
	ColRequestedProcessors
	ColRequestedTime
	ColRequestedMemory
	ColStatus
	ColUser
	ColGroup
	ColApplication
	ColQueue
	ColPartition
	ColPrecedingJob
	ColThinkTime
	ColSequentialTime
	ColAverageParallelism
	ColSigma
	ColRequestedNodes
	ColAllocatedNodes
	ColRequestedGPUs
	ColAllocatedGPUs
	ColGPUType
	ColGPUShare
	ColRequestedMemoryTotal
	ColUsedMemoryTotal
	ColEnergy
	ColAccount
	ColQOS
	ColArray
	ColEligibleTime
	NumColumns

	// FirstOptional is the first optional column. Files have an optional column only if their
	// source declares it (see ColumnSet); batches always have all columns.
	FirstOptional = ColRequestedNodes
)

// Column describes one column of the job table, or an attribute derived from
// it. Every column is nullable: null is "unknown".
type Column struct {
	Name    string // including the unit, if any: "run_time_s"
	Unit    string // "s", "KB", "processors", ...; "1" for a number without a unit
	Meaning string // a description in a phrase
	SWF     int    // field number in the standard workload format, or 0
	Use     Use    // kind of its values

	// Words are the column's short names in classes, conditions and messages. The first is the
	// one to display.
	Words []string
	// NameKey is the header keyword for names of the column's numbers, or "" if they have no
	// names.
	NameKey string

	at        int     // index in attributes
	offset    uintptr // of the field in Job, and in Request if the column is known at submission
	float     bool    // float64; else int64
	submitted bool
}

// Use is the kind of a column's values.
type Use uint8

// The uses of columns.
const (
	Measured   Use = iota // a time or another number that is measured or drawn
	Amount                // something requested or allocated; its ranges can be classes
	Identifier            // a number that stands for a user, a queue or the like
	Code                  // a number with a fixed meaning
	JobNumber             // the number of a job
)

// usesByTag maps the values of the tag use.
var usesByTag = map[string]Use{"": Measured, "amount": Amount, "identifier": Identifier, "code": Code, "job": JobNumber}

// columns holds the columns of the table.
var columns = attributes[:NumColumns]

// attributes holds the columns of the table, in the order of the constants, followed by those
// that derive from two of them each: size, nodes and GPUs.
var attributes = readTags()

// readTags returns the columns that the tags of Job declare. A field without the tag col is not
// a column.
func readTags() (read [NumColumns + 3]Column) {
	request := reflect.TypeFor[Request]()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Job]()) {
		number, name, isColumn := strings.Cut(f.Tag.Get("col"), ",")
		if !isColumn {
			continue
		}
		at, _ := strconv.Atoi(number)
		c := &read[at-1]
		if c.Name != "" {
			panic("workload: the columns " + c.Name + " and " + name + " have the same number")
		}
		*c = Column{Name: name, Unit: f.Tag.Get("unit"), Meaning: f.Tag.Get("is"), Use: usesByTag[f.Tag.Get("use")],
			Words: strings.Fields(f.Tag.Get("words")), NameKey: f.Tag.Get("names"),
			at: at - 1, offset: f.Offset, float: f.Type.Kind() == reflect.Float64}
		if at <= lastSWF {
			c.SWF = at
		}
		// Request comes first in Job, so that its fields have the same offset in both.
		_, c.submitted = request.FieldByName(f.Name)
	}
	return read
}

// lastSWF is the number of fields in the standard workload format, which are the first columns.
const lastSWF = 18

// Columns returns the description of every column of the table, in schema
// order.
func Columns() []Column { return slices.Clone(columns) }

// ColumnAt returns the description of column i. The caller must not modify it.
func ColumnAt(i int) *Column { return &columns[i] }

// ColumnNames returns the names of the columns at the given positions.
func ColumnNames(at []int) []string {
	var names []string
	for _, i := range at {
		names = append(names, columns[i].Name)
	}
	return names
}

// ColumnIndex returns the position of the column with that name, or -1.
func ColumnIndex(name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// FindColumn returns the column with a name such as "run_time_s" or a word such as "run", or an
// attribute derived from columns: size, nodes or gpus. It returns nil if there is none. The
// caller must not modify the column.
func FindColumn(word string) *Column {
	for i := range attributes {
		if c := &attributes[i]; c.Name == word || slices.Contains(c.Words, word) {
			return c
		}
	}
	return nil
}

// AskedColumns returns the optional identifiers and amounts of a request, which determine
// whether two requests are alike. It has the nodes and GPUs that the job takes (see
// Request.TakesNodes) in place of those requested.
func AskedColumns() []*Column {
	var asked []*Column
	for i := FirstOptional; i < len(attributes); i++ {
		c := &attributes[i]
		stoodFor := i == ColRequestedNodes || i == ColRequestedGPUs || c.Name == "size"
		if c.submitted && (c.Use == Identifier || c.Use == Amount) && !stoodFor {
			asked = append(asked, c)
		}
	}
	return asked
}

// ColumnsOf returns the positions of the table's columns that have one of the uses, in schema
// order.
func ColumnsOf(uses ...Use) []int {
	var at []int
	for i := range columns {
		if slices.Contains(uses, columns[i].Use) {
			at = append(at, i)
		}
	}
	return at
}

// Float reports whether the column holds float64 values; otherwise it holds
// int64 values.
func (c *Column) Float() bool { return c.float }

// ranged reports whether ranges of the column's values can be classes.
func (c *Column) ranged() bool { return c.Use == Amount || c.Use == Measured }

// Submitted reports whether the column is known when a job is submitted.
func (c *Column) Submitted() bool { return c.submitted }

// intAt and floatAt return the address of the column's field in a job, or in a request that has
// it.
func (c *Column) intAt(job unsafe.Pointer) *int64     { return (*int64)(unsafe.Add(job, c.offset)) }
func (c *Column) floatAt(job unsafe.Pointer) *float64 { return (*float64)(unsafe.Add(job, c.offset)) }

// value returns the column's value in a job, or in a request that has it. The result of the
// other type is unknown: NaN for a column of int64 values, Unknown for one of float64 values.
func (c *Column) value(job unsafe.Pointer) (int64, float64) {
	if c.float {
		return Unknown, *c.floatAt(job)
	}
	return *c.intAt(job), math.NaN()
}

func (c *Column) inJob(j *Job) (int64, float64) { return c.value(unsafe.Pointer(j)) }

// inRequest is value for a request, unknown if the column is not known at submission.
func (c *Column) inRequest(r *Request) (int64, float64) {
	if !c.submitted {
		return Unknown, math.NaN()
	}
	return c.value(unsafe.Pointer(r))
}

// NumberIn returns a request's value in a column of either type, NaN if it is unknown or not
// known at submission.
func (c *Column) NumberIn(r *Request) float64 {
	n, x := c.inRequest(r)
	if n != Unknown {
		return float64(n)
	}
	return x
}

// Int returns a job's value in a column of int64 values. It is Unknown if the job has none or
// the column holds float64 values.
func (c *Column) Int(j *Job) int64 {
	n, _ := c.inJob(j)
	return n
}

// Number returns a job's value in a column of float64 values. It is NaN if the job has none or
// the column holds int64 values.
func (c *Column) Number(j *Job) float64 {
	_, x := c.inJob(j)
	return x
}

// SetInt sets a job's value in a column of int64 values. It panics for other columns.
func (c *Column) SetInt(j *Job, n int64) {
	if c.float {
		panic("workload: SetInt of " + c.Name)
	}
	*c.intAt(unsafe.Pointer(j)) = n
}

// SetNumber sets a job's value in a column of float64 values. It panics for other columns.
func (c *Column) SetNumber(j *Job, x float64) {
	if !c.float {
		panic("workload: SetNumber of " + c.Name)
	}
	*c.floatAt(unsafe.Pointer(j)) = x
}

// Known reports whether the job has a value in the column.
func (c *Column) Known(j *Job) bool {
	n, x := c.inJob(j)
	return x == x || n != Unknown
}

// HasOptional reports whether the job has a value in an optional column.
func (j *Job) HasOptional() bool {
	for i := FirstOptional; i < NumColumns; i++ {
		if columns[i].Known(j) {
			return true
		}
	}
	return false
}

// UnknownJob returns a job with all values unknown.
func UnknownJob() Job { return unknownJob }

var unknownJob = func() (j Job) {
	for i := range attributes {
		if c := &attributes[i]; c.float {
			c.SetNumber(&j, math.NaN())
		} else {
			c.SetInt(&j, Unknown)
		}
	}
	return j
}()

// ColumnSet is a set of columns of the job table. Writers of Parquet, Arrow and CSV write
// all required columns and the optional ones (from FirstOptional on) that are in their set.
// The zero value is empty.
type ColumnSet uint64

// ColumnSetOf returns the set of the given columns.
func ColumnSetOf(columns ...int) ColumnSet {
	var s ColumnSet
	for _, c := range columns {
		s |= 1 << c
	}
	return s
}

// OptionalColumns is the set of all optional columns.
var OptionalColumns = func() (s ColumnSet) {
	for c := FirstOptional; c < NumColumns; c++ {
		s |= 1 << c
	}
	return s
}()

// Has reports whether a column is in the set.
func (s ColumnSet) Has(column int) bool { return s>>column&1 != 0 }

// Written returns the columns that a file with this set has, in schema order.
func (s ColumnSet) Written() []int {
	at := make([]int, 0, NumColumns)
	for c := range NumColumns {
		if c < FirstOptional || s.Has(c) {
			at = append(at, c)
		}
	}
	return at
}

// Optional returns the optional columns that the log has, as far as this is known before it is
// read (see Lacks).
func (l *Log) Optional() ColumnSet {
	var s ColumnSet
	for c := FirstOptional; c < NumColumns; c++ {
		if !l.from.Lacks[c] {
			s |= 1 << c
		}
	}
	return s
}

// CheckDeclared returns an error if a batch has a value in an optional column that is not in the
// set, because a writer would lose the value.
func (s ColumnSet) CheckDeclared(b *Batch) error {
	for c := FirstOptional; c < NumColumns; c++ {
		if s.Has(c) {
			continue
		}
		if n := b.Known(c); n > 0 {
			return fmt.Errorf("%s: %d values in a column that was not declared when the file was created", columns[c].Name, n)
		}
	}
	return nil
}
