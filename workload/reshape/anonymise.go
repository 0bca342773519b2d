package reshape

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Identifiers are the numbers in the identifier columns of a log (workload.NamedColumns):
// users, groups, applications (formats that have job names keep them here), queues,
// partitions, accounts and so on. The zero value is ready for use. Memory grows with the
// number of identifiers, not of jobs.
type Identifiers struct {
	seen [workload.NumColumns]map[int64]struct{}
}

// FindIdentifiers reads a log once for its identifiers.
func FindIdentifiers(jobs workload.JobSeq) (*Identifiers, error) {
	ids := new(Identifiers)
	var j workload.Job // one on the heap for all
	for job, err := range jobs {
		if err != nil {
			return nil, err
		}
		j = job
		ids.Add(&j)
	}
	return ids, nil
}

// Add adds a job's identifiers.
func (ids *Identifiers) Add(j *workload.Job) {
	for _, col := range workload.NamedColumns() {
		n := workload.ColumnAt(col).Int(j)
		if n == workload.Unknown {
			continue
		}
		if ids.seen[col] == nil {
			ids.seen[col] = map[int64]struct{}{}
		}
		ids.seen[col][n] = struct{}{}
	}
}

const (
	// MinKey is the shortest key in bytes: one that cannot be found by trial.
	MinKey = 16
	// DefaultDigits is the default of AnonymiseOptions.Digits. Such numbers are exact in a
	// float64, and a million identifiers have two with the same number with probability
	// 1/2000.
	DefaultDigits = 15
	minDigits     = 6
	maxDigits     = 15
)

// AnonymiseOptions are the options of Anonymise.
type AnonymiseOptions struct {
	// Key is the secret of the hash, of at least MinKey bytes. Logs that are
	// anonymised under one key have the same replacements.
	Key []byte
	// Columns are the columns to replace, of workload.NamedColumns; nil is
	// DefaultColumns.
	Columns []int
	// Digits bound the replacements: 1 to 10^Digits - 1, Digits from 6 to 15;
	// 0 is DefaultDigits. Nine fit programs with 32-bit numbers.
	Digits int
	// DropSite also drops the header lines that name the site and those who
	// published the log.
	DropSite bool
}

// Replacement is an identifier and the number that replaces it.
type Replacement struct {
	Column int
	Number int64
	Name   string // from the header; "" if it has none
	New    int64
}

// Anonymous holds the replacements for one log, and its new header.
type Anonymous struct {
	Header  workload.Header // of the result
	Dropped []Dropped       // header lines, by keyword
	Site    []string        // keywords kept that name the site or its people
	// Replacements are the secret part: sorted by column and number.
	Replacements []Replacement
	// Collisions is how many identifiers had to be hashed again, because
	// another of their column has the same number.
	Collisions int

	table [workload.NumColumns]map[int64]int64
	on    []int
	noted []int // those of on that the header's note names
}

// DefaultColumns returns the columns that Anonymise replaces by default: all that name
// people, their work or parts of the site. GPU types are not among them.
func DefaultColumns() []int {
	return slices.DeleteFunc(slices.Clone(workload.NamedColumns()), func(col int) bool { return col == workload.ColGPUType })
}

// Anonymise makes the replacements for a log's identifiers, from its header
// and what FindIdentifiers found in it.
//
// A replacement is the first eight bytes of HMAC-SHA-256 under the key, scaled
// to 1..10^Digits-1, of the column's name and the identifier: its name where
// the header gives it one of its own (so that formats that number names by
// their appearance agree between logs), else its number. Without the key the
// replacement tells nothing of the identifier, nor whether a user and a group
// have the same number; with it, it cannot be undone either, only tried out.
//
// Two identifiers of a column never get the same number: the one with the
// larger hash is hashed again. That depends on which identifiers the log has,
// not on their order; only where it happens may two logs under one key differ.
func Anonymise(ids *Identifiers, h workload.Header, o AnonymiseOptions) (*Anonymous, error) {
	if len(o.Key) < MinKey {
		return nil, fmt.Errorf("the key has %d bytes, want at least %d: a shorter one can be found by trial", len(o.Key), MinKey)
	}
	if o.Digits == 0 {
		o.Digits = DefaultDigits
	}
	if o.Digits < minDigits || o.Digits > maxDigits {
		return nil, fmt.Errorf("replacements of %d digits, want %d to %d", o.Digits, minDigits, maxDigits)
	}
	most := uint64(1)
	for range o.Digits {
		most *= 10
	}
	most-- // replacements run from 1 to most
	a := &Anonymous{on: DefaultColumns()}
	if o.Columns != nil {
		a.on = slices.Compact(slices.Sorted(slices.Values(o.Columns)))
	}
	columns := workload.Columns()
	for _, col := range a.on {
		if uint64(len(ids.seen[col])) > most/4 {
			return nil, fmt.Errorf("%d different values of %s, too many for %d digits", len(ids.seen[col]), columns[col].Name, o.Digits)
		}
		a.replace(col, ids, headerNames(&h, col), o.Key, most)
	}
	a.noted = slices.DeleteFunc(slices.Clone(a.on), func(col int) bool {
		return col >= workload.FirstOptional && len(ids.seen[col]) == 0
	})
	a.header(h, o.DropSite)
	return a, nil
}

// digest is one identifier's hash.
type digest struct {
	number int64
	name   string
	sum    [sha256.Size]byte
	tries  uint64
}

// hash fills in the sum of the present try. Every part ends with a zero byte,
// which no name has, so that no two inputs are written alike.
func (d *digest) hash(key []byte, column string) {
	kind, text := "number", strconv.FormatInt(d.number, 10)
	if d.name != "" {
		kind, text = "name", d.name
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "loadstone.anonymise/1\x00%s\x00%s\x00%s\x00%d", column, kind, text, d.tries)
	mac.Sum(d.sum[:0])
}

// value scales the sum to 1..most.
func (d *digest) value(most uint64) int64 {
	hi, _ := bits.Mul64(binary.BigEndian.Uint64(d.sum[:8]), most)
	return int64(hi) + 1
}

// replace makes the replacements of a column.
func (a *Anonymous) replace(col int, ids *Identifiers, names map[int64]string, key []byte, most uint64) {
	column := workload.Columns()[col].Name
	all := make([]digest, 0, len(ids.seen[col]))
	for n := range ids.seen[col] {
		d := digest{number: n, name: names[n]}
		d.hash(key, column)
		all = append(all, d)
	}
	// By hash, so that the order of the log's jobs is of no account.
	slices.SortFunc(all, func(x, y digest) int {
		return cmp.Or(bytes.Compare(x.sum[:], y.sum[:]), cmp.Compare(x.number, y.number))
	})
	taken := make(map[int64]bool, len(all))
	a.table[col] = make(map[int64]int64, len(all))
	var again []digest
	for _, d := range all {
		if v := d.value(most); taken[v] {
			again = append(again, d)
		} else {
			taken[v] = true
			a.table[col][d.number] = v
		}
	}
	a.Collisions += len(again)
	for _, d := range again {
		v := d.value(most)
		for taken[v] {
			d.tries++
			d.hash(key, column)
			v = d.value(most)
		}
		taken[v] = true
		a.table[col][d.number] = v
	}
	for _, n := range slices.Sorted(maps.Keys(a.table[col])) {
		a.Replacements = append(a.Replacements, Replacement{col, n, names[n], a.table[col][n]})
	}
}

// ErrChanged is the error for a log that changed between two readings.
var ErrChanged = errors.New("the log changed while it was being read")

// Jobs replaces the identifiers of the log's jobs; everything else of them,
// their order included, stays.
func (a *Anonymous) Jobs(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		var j workload.Job // one on the heap for all
		for job, err := range jobs {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			j = job
			for _, col := range a.on {
				c := workload.ColumnAt(col)
				n := c.Int(&j)
				if n == workload.Unknown {
					continue
				}
				v, ok := a.table[col][n]
				if !ok {
					yield(workload.Job{}, ErrChanged)
					return
				}
				c.SetInt(&j, v)
			}
			if !yield(j, nil) {
				return
			}
		}
	}
}

// WriteMapping writes replacements as CSV.
func WriteMapping(w io.Writer, all []Replacement) error {
	columns := workload.Columns()
	c := csv.NewWriter(w)
	c.Write([]string{"column", "number", "name", "replacement"})
	for _, r := range all {
		c.Write([]string{columns[r.Column].Name, strconv.FormatInt(r.Number, 10), workload.SpreadsheetText(r.Name), strconv.FormatInt(r.New, 10)})
	}
	c.Flush()
	return c.Error()
}
