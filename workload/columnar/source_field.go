package columnar

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sourceField is a column asked for; at is -1 where the file lacks it.
type sourceField struct {
	workload.TableColumn
	at        int
	partition *partition // that gives the column, or nil
	stored    columnType
	clock     parse.Clock // of local times

	words   []uint64 // of the batch, kept for the next
	bitmap  []byte
	entries []string // texts of the dictionary of the row group
	plain   []byte   // other texts of the batch, one after the other
}

const (
	// batchTextBytes is how much text a batch should have in a column.
	batchTextBytes = 16 << 20
	// maxBatchTextBytes bounds it.
	maxBatchTextBytes = 256 << 20
)

// known reports whether a row of the batch has a value.
func (f *sourceField) known(i int) bool { return f.bitmap[i>>3]>>(i&7)&1 != 0 }

// wordOf returns the function that makes words of the bytes of a row group. The
// word of a text says where it stands: in the lowest bit, whether among the entries.
func (f *sourceField) wordOf() wordOf {
	if f.stored.kind != workload.TableText {
		return func(raw []byte, _ bool) (uint64, error) { return f.stored.word(raw) }
	}
	f.entries = f.entries[:0]
	var form []byte
	return func(raw []byte, entry bool) (uint64, error) {
		if f.stored.text != nil {
			form = f.stored.text(form[:0], raw)
			raw = form
		}
		if err := checkText(raw); err != nil {
			return 0, err
		}
		if entry {
			f.entries = append(f.entries, string(raw))
			return uint64(len(f.entries)-1)<<1 | 1, nil
		}
		at := uint64(len(f.plain))
		if at+uint64(len(raw)) > maxBatchTextBytes {
			return 0, errBatchTexts
		}
		f.plain = append(f.plain, raw...)
		return (at<<textBits | uint64(len(raw))) << 1, nil
	}
}

// textBits are the bits of a text's length.
const textBits = 20

var errBatchTexts = errors.New("texts of some rows that take too much memory together")

// addTexts appends the texts of a batch: those that are not entries share memory.
func (f *sourceField) addTexts(to []string, words []uint64) []string {
	plain := string(f.plain)
	f.plain = f.plain[:0]
	for i, w := range words {
		text := ""
		switch {
		case !f.known(i):
		case w&1 != 0:
			text = f.entries[w>>1]
		default:
			at, n := w>>(textBits+1), w>>1&(1<<textBits-1)
			text = plain[at : at+n]
		}
		to = append(to, text)
	}
	return to
}

// addNumbers appends the numbers of a batch.
func (f *sourceField) addNumbers(to []float64, words []uint64) []float64 {
	number := f.stored.number
	wide := number == numberKind{float: true}
	for i, w := range words {
		x := math.NaN()
		switch {
		case !f.known(i):
		case wide:
			x = math.Float64frombits(w)
		default:
			x = number.value(w)
		}
		to = append(to, x)
	}
	return to
}

// addWholes appends the whole numbers of a batch, which begins with a row of that
// number.
func (f *sourceField) addWholes(to []int64, words []uint64, row int64, w *workload.Warnings) ([]int64, error) {
	number := f.stored.number
	wide, narrow := number == numberKind{}, number == numberKind{narrow: true}
	for i, word := range words {
		n := workload.Unknown
		switch {
		case !f.known(i):
		case wide:
			if n = int64(word); n == workload.Unknown {
				w.Add("smallest-number", "values of -9223372036854775808, which stands for unknown", row+int64(i), f.Name)
			}
		case narrow:
			n = int64(int32(word))
		default:
			x, known, err := number.whole(word)
			if err != nil {
				return to, fmt.Errorf("row %d: %w", row+int64(i), err)
			}
			if known {
				n = x
			}
		}
		to = append(to, n)
	}
	return to, nil
}

// addLocal appends the times of a batch whose clock is that of the zone. One that
// the clock went over twice is the first of the two.
func (f *sourceField) addLocal(to []float64, words []uint64, row int64, w *workload.Warnings) []float64 {
	number := f.stored.number
	for i, word := range words {
		if !f.known(i) {
			to = append(to, math.NaN())
			continue
		}
		local, part := number.seconds(number.integer(word))
		if local < -dated || local > dated {
			to = append(to, float64(local)+part)
			continue
		}
		first, last, missed := f.clock.Instants(local)
		switch {
		case missed:
			w.Add("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", row+int64(i), f.Name)
		case first != last:
			w.Add("repeated-hour", "times in the repeated hour of a clock change: read as the first of the two", row+int64(i), f.Name)
		}
		to = append(to, float64(first)+part)
	}
	return to
}

// dated is how far from 1970 a time may be and still have a zone, s: 30,000 years.
const dated = 1e12
