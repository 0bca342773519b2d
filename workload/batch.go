package workload

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"unsafe"
)

// DefaultBatchRows is the number of jobs in a batch made by this package.
const DefaultBatchRows = 1 << 15

// Batch holds consecutive jobs of a log by column: column c has a value for each row in
// Floats[c] or Ints[c], depending on Column.Float, and NaN or Unknown where it is not known. The
// slice of a column that is unknown in all rows may be nil.
//
// Batches that a log yields may be kept but must not be modified: they may share memory. The
// zero value is empty and ready for Append.
type Batch struct {
	Rows   int
	Floats [NumColumns][]float64
	Ints   [NumColumns][]int64

	room int // rows for which Append allocates a new column
}

// Float returns row i of a float64 column, NaN where it is unknown.
func (b *Batch) Float(col, i int) float64 {
	if b.Floats[col] == nil {
		return math.NaN()
	}
	return b.Floats[col][i]
}

// Int returns row i of an int64 column, Unknown where it is unknown.
func (b *Batch) Int(col, i int) int64 {
	if b.Ints[col] == nil {
		return Unknown
	}
	return b.Ints[col][i]
}

// Known counts the known values of a column.
func (b *Batch) Known(col int) (n int) {
	for _, x := range b.Floats[col] {
		if x == x {
			n++
		}
	}
	for _, x := range b.Ints[col] {
		if x != Unknown {
			n++
		}
	}
	return n
}

// Size returns the size of row i, as defined by Request.Size.
func (b *Batch) Size(i int) int64 {
	return RigidSize(b.Int(ColAllocatedProcessors, i), b.Int(ColRequestedProcessors, i))
}

// Nodes returns the nodes of row i, as defined by Request.TakesNodes.
func (b *Batch) Nodes(i int) int64 {
	return RigidSize(b.Int(ColAllocatedNodes, i), b.Int(ColRequestedNodes, i))
}

// GPUs returns the GPUs of row i, as defined by Request.TakesGPUs.
func (b *Batch) GPUs(i int) int64 {
	return RigidGPUs(b.Int(ColAllocatedGPUs, i), b.Int(ColRequestedGPUs, i))
}

// value returns row i of a column, or of an attribute that derives from columns, in the form of
// Column.value.
func (b *Batch) value(c *Column, i int) (int64, float64) {
	switch c.at - NumColumns {
	case 0:
		return b.Size(i), math.NaN()
	case 1:
		return b.Nodes(i), math.NaN()
	case 2:
		return b.GPUs(i), math.NaN()
	}
	return b.Int(c.at, i), b.Float(c.at, i)
}

// Bits returns the bit patterns of a column's values, in the same memory; nil if the column's
// slice is nil.
func (b *Batch) Bits(col int) []uint64 {
	if columns[col].float {
		return sameMemory[uint64](b.Floats[col])
	}
	return sameMemory[uint64](b.Ints[col])
}

// SetBits sets a column to the values with these bit patterns, in the same memory.
func (b *Batch) SetBits(col int, bits []uint64) {
	if columns[col].float {
		b.Floats[col] = sameMemory[float64](bits)
	} else {
		b.Ints[col] = sameMemory[int64](bits)
	}
}

func sameMemory[To, From uint64 | int64 | float64](values []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}

// UnknownBits returns the bit pattern of a column's unknown value, NaN or Unknown.
func UnknownBits(col int) uint64 {
	if columns[col].float {
		return math.Float64bits(math.NaN())
	}
	return 1 << 63 // Unknown
}

// Slice returns the rows from <= row < to, in the same memory.
func (b *Batch) Slice(from, to int) *Batch {
	part := &Batch{Rows: to - from}
	for c := range columns {
		if x := b.Floats[c]; x != nil {
			part.Floats[c] = x[from:to:to]
		}
		if x := b.Ints[c]; x != nil {
			part.Ints[c] = x[from:to:to]
		}
	}
	return part
}

// Parts yields the rows in batches of at most DefaultBatchRows, in the same memory.
func (b *Batch) Parts(yield func(*Batch) bool) {
	for at := 0; at < b.Rows; at += DefaultBatchRows {
		if !yield(b.Slice(at, min(at+DefaultBatchRows, b.Rows))) {
			return
		}
	}
}

// Job returns row i as a Job; row is its position in the log, for Job.Row.
func (b *Batch) Job(i int, row int64) Job {
	j := unknownJob
	j.Row = row
	for at := range columns {
		if x := b.Floats[at]; x != nil {
			*columns[at].floatAt(unsafe.Pointer(&j)) = x[i]
		} else if x := b.Ints[at]; x != nil {
			*columns[at].intAt(unsafe.Pointer(&j)) = x[i]
		}
	}
	j.Derive()
	return j
}

// Append adds a job. Derived fields, such as Row and Size, are not stored.
func (b *Batch) Append(j *Job) {
	for at := range columns {
		if c := &columns[at]; c.float {
			b.Floats[at] = appendTo(b.Floats[at], b.Rows, b.room, *c.floatAt(unsafe.Pointer(j)), math.NaN())
		} else {
			b.Ints[at] = appendTo(b.Ints[at], b.Rows, b.room, *c.intAt(unsafe.Pointer(j)), Unknown)
		}
	}
	b.Rows++
}

// Grow makes Append allocate a new column with room for that number of rows.
func (b *Batch) Grow(rows int) { b.room = rows }

// appendTo appends x to a column with that number of rows. A column is nil until it has a known
// value.
func appendTo[T int64 | float64](values []T, rows, room int, x, unknown T) []T {
	if values == nil {
		if x == unknown || x != x {
			return nil
		}
		values = slices.Grow(values, max(64, rows+1, room))[:rows]
		for i := range values {
			values[i] = unknown
		}
	}
	if len(values) == cap(values) { // append would grow it by a quarter
		values = slices.Grow(values, len(values))
	}
	return append(values, x)
}

// WantFinite is the Want of messages about infinite values.
const WantFinite = "a finite number"

// CheckFinite returns an error if a batch has an infinite value. The error names the column and,
// if known, the job's number. Readers and writers of all formats reject infinite values;
// arithmetic between reading and writing may overflow.
func CheckFinite(b *Batch) error {
	for c := range columns {
		for i, x := range b.Floats[c] {
			if !math.IsInf(x, 0) {
				continue
			}
			job := ""
			if id := b.Int(ColJobID, i); id != Unknown {
				job = fmt.Sprintf("job %d: ", id)
			}
			return fmt.Errorf("%s%s: saw %g, want %s", job, columns[c].Name, x, WantFinite)
		}
	}
	return nil
}

// BatchSeq is a stream of batches of jobs. An error is the last thing that it yields.
type BatchSeq = iter.Seq2[*Batch, error]

// JobSeq is a stream of jobs. An error is the last thing that it yields.
type JobSeq = iter.Seq2[Job, error]

// JobsOf yields the jobs of a slice unchanged: it does not fill in Size (see Job).
func JobsOf(jobs []Job) JobSeq {
	return func(yield func(Job, error) bool) {
		for i := range jobs {
			if !yield(jobs[i], nil) {
				return
			}
		}
	}
}

// Pass yields the jobs for which f returns true, with f's changes. It stops after the first
// error, of jobs or of f.
func Pass(jobs JobSeq, f func(*Job) (keep bool, err error)) JobSeq {
	return func(yield func(Job, error) bool) {
		var j Job // a single variable on the heap, rather than one for each job
		for job, err := range jobs {
			if j = job; err == nil {
				var keep bool
				if keep, err = f(&j); err == nil && !keep {
					continue
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// Select yields the jobs for which keep returns true.
func Select(jobs JobSeq, keep func(*Job) bool) JobSeq {
	return Pass(jobs, func(j *Job) (bool, error) { return keep(j), nil })
}

// Each yields the jobs after calling f for each one; f may change the job.
func Each(jobs JobSeq, f func(*Job)) JobSeq {
	return Pass(jobs, func(j *Job) (bool, error) { f(j); return true, nil })
}

// Jobs turns a stream of batches into a stream of jobs. Job.Row counts from 0
// over the whole stream.
func Jobs(batches BatchSeq) JobSeq {
	return func(yield func(Job, error) bool) {
		var row int64
		for b, err := range batches {
			if err != nil {
				yield(Job{}, err)
				return
			}
			for i := range b.Rows {
				if !yield(b.Job(i, row), nil) {
					return
				}
				row++
			}
		}
	}
}

// Batches groups a stream of jobs into batches of DefaultBatchRows. An error of jobs is the last
// thing that it yields; the jobs of the incomplete batch before it are dropped.
func Batches(jobs JobSeq) BatchSeq {
	return func(yield func(*Batch, error) bool) {
		b := &Batch{}
		for j, err := range jobs {
			if err != nil {
				yield(nil, err)
				return
			}
			b.Append(&j)
			if b.Rows == DefaultBatchRows {
				if !yield(b, nil) {
					return
				}
				b = &Batch{}
				b.Grow(DefaultBatchRows) // the next batch is likely to be full, too
			}
		}
		if b.Rows > 0 {
			yield(b, nil)
		}
	}
}
