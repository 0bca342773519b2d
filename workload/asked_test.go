package workload

import (
	"math"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Jobs that are copies of each other share what they asked for, until one of them
// is given something else.
func TestSetKeepsCopiesApart(t *testing.T) {
	for at := FirstOptional; at < NumColumns; at++ {
		c := ColumnAt(at)
		set := func(j *Job, n int64) {
			if c.Float() {
				c.SetNumber(j, float64(n))
			} else {
				c.SetInt(j, n)
			}
		}
		is := func(j *Job) float64 {
			if n := c.Int(j); n != Unknown {
				return float64(n)
			}
			return c.Number(j)
		}
		a := UnknownJob()
		if !math.IsNaN(is(&a)) || c.KnownIn(&a.Request) {
			t.Errorf("%s is %v of a job of which nothing is known", c.Name, is(&a))
		}
		set(&a, 1)
		b := a
		set(&b, 2)
		if is(&a) != 1 || is(&b) != 2 {
			t.Errorf("%s is %v and %v, want 1 and 2", c.Name, is(&a), is(&b))
		}
		if got := c.NumberIn(&a.Request); c.Submitted() && got != 1 || !c.Submitted() && !math.IsNaN(got) {
			t.Errorf("%s of the request is %v", c.Name, got)
		}
	}
}

// What a job takes is what it was given, else what it asked for; no GPU is an
// answer.
func TestTakes(t *testing.T) {
	for _, c := range []struct{ allocated, requested, nodes, gpus int64 }{
		{4, 8, 4, 4}, {Unknown, 8, 8, 8}, {0, 8, 8, 8}, {0, Unknown, Unknown, 0}, {0, 0, Unknown, 0}, {Unknown, 0, Unknown, 0},
		{Unknown, Unknown, Unknown, Unknown}, {-3, 2, 2, 2}, {3, Unknown, 3, 3},
	} {
		rec := RecordOf(1, Values{Column: ColAllocatedNodes, Ints: []int64{c.allocated}}, Values{Column: ColRequestedNodes, Ints: []int64{c.requested}},
			Values{Column: ColAllocatedGPUs, Ints: []int64{c.allocated}}, Values{Column: ColRequestedGPUs, Ints: []int64{c.requested}})
		v := NewView(rec)
		j := v.Job(0, 0)
		if asked := j.Asked.Value(); asked.TakesNodes != c.nodes || asked.TakesGPUs != c.gpus || v.Nodes(0) != c.nodes || v.GPUs(0) != c.gpus {
			t.Errorf("allocated %d, requested %d: %d nodes, %d GPUs, want %d and %d", c.allocated, c.requested, asked.TakesNodes, asked.TakesGPUs, c.nodes, c.gpus)
		}
	}
}

func TestEligible(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ submit, eligible, from, moved float64 }{
		{100, nan, 100, 10}, {100, 250, 250, 160}, {100, 100, 100, 10}, {100, 40, 100, 10}, {nan, 40, nan, 10},
	} {
		j := UnknownJob()
		j.Submit = c.submit
		if !math.IsNaN(c.eligible) {
			j.Given = &Given{Eligible: c.eligible}
		}
		old := j
		j.MoveTo(10)
		if got := []float64{old.EligibleFrom(), j.EligibleFrom()}; got[0] != c.from && !math.IsNaN(c.from) || got[1] != c.moved || j.Submit != 10 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A log without optional columns pays two pointers a job for them, and nothing a
// batch.
func TestOptionalColumnsCostNothingWhereAbsent(t *testing.T) {
	if got, want := unsafe.Sizeof(Job{}), uintptr(8*(17+1+6+1)); got > want {
		t.Errorf("a job takes %d bytes, want at most %d", got, want)
	}
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := NewBuilder(mem)
	defer b.Release()
	j := UnknownJob()
	for range DefaultBatchRows {
		b.Append(&j)
	}
	rec := b.Record()
	defer rec.Release()
	// Values and validity of the columns of every log, grown by doubling.
	if got, most := mem.CurrentAlloc(), FirstOptional*DefaultBatchRows*(8+1)*5/4; got > most {
		t.Errorf("a batch takes %d bytes, want at most %d", got, most)
	}
	for at := FirstOptional; at < NumColumns; at++ {
		if a, b := rec.Column(at).Data().Buffers()[1].Bytes(), blank; &a[0] != &b[0] {
			t.Errorf("%s has memory of its own", ColumnAt(at).Name)
		}
	}
	v := NewView(rec)
	if n := testing.AllocsPerRun(10, func() { j = v.Job(7, 7) }); n != 0 || j.Asked != nil || j.Given != nil {
		t.Errorf("a job of a view takes %v allocations: %+v", n, j)
	}
}
