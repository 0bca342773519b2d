package columnar

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// mappedValues are the values of one column in one batch: the bits of a float64
// or an int64, zero where the bitmap says null.
type mappedValues struct {
	values, valid *memory.Buffer
	words         []uint64
	bitmap        []byte
	nulls         int
	warnings      workload.Warnings
}

func newMappedValues(mem memory.Allocator, n int) *mappedValues {
	v := &mappedValues{values: memory.NewResizableBuffer(mem), valid: memory.NewResizableBuffer(mem)}
	v.values.Resize(n * 8)
	v.valid.Resize(int(bitutil.BytesForBits(int64(n))))
	v.words = arrow.Uint64Traits.CastFromBytes(v.values.Bytes())
	v.bitmap = v.valid.Bytes()
	clear(v.bitmap)
	return v
}

func (v *mappedValues) release() {
	v.values.Release()
	v.valid.Release()
}

func (v *mappedValues) known(i int) bool { return v.bitmap[i>>3]>>(i&7)&1 != 0 }

func (v *mappedValues) null(i int) {
	v.bitmap[i>>3] &^= 1 << (i & 7)
	v.words[i] = 0
	v.nulls++
}

func (v *mappedValues) float(i int) float64 { return math.Float64frombits(v.words[i]) }

func (v *mappedValues) setFloat(i int, x float64) { v.words[i] = math.Float64bits(x) }

// odd counts n values under a rule.
func (v *mappedValues) odd(rule, text string, row int64, saw string) {
	v.warnings.Add(rule, text, row, saw)
}

// number is a word of the file as a number; known is false for -1 and NaN.
func (f *mappedField) number(w uint64) (x float64, known bool) {
	x = f.stored.number.value(w)
	return x, x != -1 && x == x
}

// convert makes the words of the file into those of the table. row is the
// number of jobs before the batch; start is what times of submission and end
// are counted from, in seconds.
func (f *mappedField) convert(v *mappedValues, row int64, start float64) error {
	if f.Column == End || workload.ColumnAt(f.Column).Float() {
		return f.convertFloats(v, row, start)
	}
	for i, w := range v.words {
		if !v.known(i) {
			continue
		}
		switch {
		case f.text():
			if int64(w) == workload.Unknown {
				v.null(i)
			}
		case f.stored.number.float || !f.stored.number.plain():
			x, known := f.number(w)
			switch {
			case !known:
				v.null(i)
			case x < -1<<63 || x >= 1<<63:
				return fmt.Errorf("row %d: saw %g, want a whole number of at most 9.2e18", row+int64(i)+1, x)
			case x != math.Trunc(x):
				v.odd("fraction-"+workload.ColumnAt(f.Column).Name, fmt.Sprintf("values of %s that are not whole numbers: left unknown", workload.ColumnAt(f.Column).Name), row+int64(i)+1, parse.FormatNumber(x))
				v.null(i)
			default:
				v.words[i] = uint64(int64(x))
			}
		default:
			n := f.stored.number.integer(w)
			switch {
			case f.stored.number.natural && n < 0:
				return fmt.Errorf("row %d: saw %d, want at most %d", row+int64(i)+1, w, int64(math.MaxInt64))
			case n == -1 && !f.stored.number.natural, n == workload.Unknown:
				v.null(i)
			default:
				v.words[i] = uint64(n)
			}
		}
	}
	return nil
}

func (f *mappedField) convertFloats(v *mappedValues, row int64, start float64) error {
	if f.Column != workload.ColSubmitTime && f.Column != workload.ColEligibleTime && f.Column != End {
		start = 0
	}
	// Whole numbers up to here, less the start, are exact.
	from := start * f.Unit
	for i, w := range v.words {
		if !v.known(i) {
			continue
		}
		x, known := f.number(w)
		switch {
		case !known:
			v.null(i)
			continue
		case math.Abs(x) > 1<<53 && f.Unit != 1:
			return fmt.Errorf("row %d: saw %.0f, want a time of at most 2^53 units", row+int64(i)+1, x)
		case math.IsInf(x, 0):
			return fmt.Errorf("row %d: saw %g, want %s", row+int64(i)+1, x, workload.WantFinite)
		}
		x = (x - from) / f.Unit
		if x < 0 && f.Column != End {
			words := parse.FieldWords(f.Column)
			v.odd("negative-"+strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a negative %s: kept", words), row+int64(i)+1, parse.FormatNumber(x))
		}
		v.setFloat(i, x)
	}
	return nil
}

// runFromEnd makes run times of the times of submission and end, of which the
// finer has so many units in a second.
func runFromEnd(end, submit *mappedValues, unit float64, row int64) {
	for i := range end.words {
		switch {
		case !end.known(i):
		case submit == nil || !submit.known(i):
			end.null(i)
		default:
			// Both are whole numbers of units, and so is what lies between.
			x := math.Round((end.float(i)-submit.float(i))*unit) / unit
			if x < 0 {
				end.odd("negative-run-time", "jobs with a negative run time: kept", row+int64(i)+1, parse.FormatNumber(x))
			}
			end.setFloat(i, x)
		}
	}
}

// shareOut makes a value for the whole job one per processor.
func shareOut(column int, whole, processors *mappedValues, row int64) {
	for i := range whole.words {
		if !whole.known(i) {
			continue
		}
		if processors != nil && processors.known(i) && int64(processors.words[i]) > 0 {
			whole.setFloat(i, whole.float(i)/float64(int64(processors.words[i])))
			continue
		}
		name := workload.ColumnAt(column).Name
		whole.odd("whole-"+name, fmt.Sprintf("values of %s left unknown: they are for all processors of a job, whose number is not known", name), row+int64(i)+1, parse.FormatNumber(whole.float(i)))
		whole.null(i)
	}
}

// jobNumbers numbers jobs that a trace names by text: by the text where it is
// a whole number, as in OpenDC's first version, else by row. The first job
// decides for the whole log.
type jobNumbers struct {
	begun bool
	byRow bool
}

// number is a job's number: 0 where jobs are numbered by row, and Unknown for a text
// that is no number where the first was one.
func (j *jobNumbers) number(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if !j.begun {
		j.begun, j.byRow = true, err != nil
	}
	switch {
	case j.byRow:
		return 0
	case err != nil:
		return workload.Unknown
	}
	return n
}
