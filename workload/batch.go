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

// Batch is some consecutive jobs of a log, in columns: column c has a value for each row in
// Floats[c] or Ints[c], as Column.Float says, NaN or Unknown where it is not known. The
// slices of a column that is unknown in all rows may be nil.
//
// Batches that a log yields may be kept and are not to be altered: they may share their
// memory. The zero value is empty, and ready for Append.
type Batch struct {
	Rows   int
	Floats [NumColumns][]float64
	Ints   [NumColumns][]int64

	room int // rows for which Append begins a column
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

// Size returns the processors of row i, as Request.Size has them.
func (b *Batch) Size(i int) int64 {
	return RigidSize(b.Int(ColAllocatedProcessors, i), b.Int(ColRequestedProcessors, i))
}

// Nodes returns the nodes of row i, as Request.TakesNodes has them.
func (b *Batch) Nodes(i int) int64 {
	return RigidSize(b.Int(ColAllocatedNodes, i), b.Int(ColRequestedNodes, i))
}

// GPUs returns the GPUs of row i, as Request.TakesGPUs has them.
func (b *Batch) GPUs(i int) int64 {
	return RigidGPUs(b.Int(ColAllocatedGPUs, i), b.Int(ColRequestedGPUs, i))
}

// value returns row i of a column or of an attribute that derives from columns, as Column.value
// does.
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

// Bits returns the bits of a column's values, in the same memory; nil for a column that is
// unknown throughout.
func (b *Batch) Bits(col int) []uint64 {
	if columns[col].float {
		return sameMemory[uint64](b.Floats[col])
	}
	return sameMemory[uint64](b.Ints[col])
}

// SetBits sets a column to the values with these bits, in the same memory.
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

// UnknownBits returns the bits of NaN or Unknown, whichever a column has for what is unknown.
func UnknownBits(col int) uint64 {
	if columns[col].float {
		return math.Float64bits(math.NaN())
	}
	return 1 << 63 // Unknown
}

// Slice returns the rows from from to to, in the same memory.
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

// Job returns row i as a value; row is its position in the log.
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

// Append adds a job. What is derived of it, such as Row and Size, is not stored.
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

// Grow makes Append begin columns with memory for so many rows.
func (b *Batch) Grow(rows int) { b.room = rows }

// appendTo adds a value to those of rows. A column has none before its first known one.
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

// WantFinite is what messages ask for in place of an infinite value.
const WantFinite = "a finite number"

// CheckFinite returns an error that names the column, and the number of the job if it has
// one, if a value of a batch is infinite. Readers and writers of every format refuse
// infinite values; arithmetic between the two may overflow.
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
		var j Job // one on the heap for all
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

// Select yields the jobs for which keep is true.
func Select(jobs JobSeq, keep func(*Job) bool) JobSeq {
	return Pass(jobs, func(j *Job) (bool, error) { return keep(j), nil })
}

// Each yields the jobs, after f has seen or changed each of them.
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

// Batches gathers a stream of jobs into batches of DefaultBatchRows. An error of jobs is
// the last thing that it yields, without the jobs before it that are not in a batch.
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
				b.Grow(DefaultBatchRows) // as many are likely to come
			}
		}
		if b.Rows > 0 {
			yield(b, nil)
		}
	}
}
