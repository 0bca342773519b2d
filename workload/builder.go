package workload

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// DefaultBatchRows is the number of jobs in a batch made by this package.
const DefaultBatchRows = 1 << 15

// Builder makes batches from jobs: Append jobs, then take them as a batch by Record.
type Builder struct {
	mem    memory.Allocator
	floats [NumColumns]*array.Float64Builder
	ints   [NumColumns]*array.Int64Builder // nil for a column of floats
	n      int
	job    Job // the one being added: a copy, so that the caller's need not be on the heap
}

// NewBuilder returns an empty builder. It takes memory from mem; nil stands for Go's
// memory. Release it after use.
func NewBuilder(mem memory.Allocator) *Builder {
	if mem == nil {
		mem = memory.DefaultAllocator
	}
	b := &Builder{mem: mem}
	for i := range FirstOptional {
		b.open(i)
	}
	return b
}

// open makes the builder of a column. Those of optional columns are made when
// the first value comes.
func (b *Builder) open(i int) {
	if columns[i].Float() {
		b.floats[i] = array.NewFloat64Builder(b.mem)
	} else {
		b.ints[i] = array.NewInt64Builder(b.mem)
	}
}

// of is the builder of a column, nil where it has none yet.
func (b *Builder) of(i int) array.Builder {
	switch {
	case b.floats[i] != nil:
		return b.floats[i]
	case b.ints[i] != nil:
		return b.ints[i]
	}
	return nil
}

// Len returns the number of jobs gathered since the last Record.
func (b *Builder) Len() int { return b.n }

// Append adds a job. What is derived of it, such as Row and Size, is not
// stored.
func (b *Builder) Append(j *Job) {
	b.job = *j
	for i := range FirstOptional {
		c := &columns[i]
		if to := b.ints[i]; to != nil {
			if x := c.Int(&b.job); x != Unknown {
				to.Append(x)
			} else {
				to.AppendNull()
			}
			continue
		}
		if x := c.Number(&b.job); x == x {
			b.floats[i].Append(x)
		} else {
			b.floats[i].AppendNull()
		}
	}
	b.appendOptional()
	b.n++
}

// appendOptional adds the job's values of optional columns; the rows before
// that had none become nulls.
func (b *Builder) appendOptional() {
	for i := FirstOptional; i < NumColumns; i++ {
		c := &columns[i]
		n, x := c.Int(&b.job), c.Number(&b.job)
		if n == Unknown && x != x {
			continue
		}
		if b.of(i) == nil {
			b.open(i)
		}
		b.of(i).AppendNulls(b.n - b.of(i).Len())
		if c.Float() {
			b.floats[i].Append(x)
		} else {
			b.ints[i].Append(n)
		}
	}
}

// Record returns the jobs gathered so far as a batch, which the caller
// releases, and leaves the builder empty.
func (b *Builder) Record() arrow.Record {
	var arrays [NumColumns]arrow.Array
	for i := range arrays {
		if to := b.of(i); to == nil || i >= FirstOptional && to.Len() == 0 {
			arrays[i] = NullColumn(i, b.n)
		} else {
			to.AppendNulls(b.n - to.Len())
			arrays[i] = to.NewArray()
		}
		defer arrays[i].Release()
	}
	rec := array.NewRecord(schema, arrays[:], int64(b.n))
	b.n = 0
	return rec
}

// Release frees what the builder holds.
func (b *Builder) Release() {
	for i := range NumColumns {
		if to := b.of(i); to != nil {
			to.Release()
		}
	}
}
