package reshape

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MinKey is the shortest key in bytes: one that cannot be found by trial.
const MinKey = 16

// replacements are the numbers from 1 to this one. All are exact in a float64, and a million
// identifiers have two with the same number with probability 1/2000.
const replacements = 999_999_999_999_999

// AnonymiseOptions are the options of Anonymise.
type AnonymiseOptions struct {
	// Key is the secret of the hash, of at least MinKey bytes. Logs that are
	// anonymised under one key have the same replacements.
	Key []byte
	// Columns are the names of identifier columns; none means all that name
	// people, their work or parts of the site. GPU types are not among them.
	Columns []string `opt:"columns" common:"true" help:"replace only these columns"`
	// DropSite also drops the header lines that name the site and those who
	// published the log.
	DropSite bool `opt:"drop-site" common:"true" help:"also drop Computer, Installation, Acknowledge, Information and Conversion from the header"`
}

// Choices are the values of options that take one of some.
func (*AnonymiseOptions) Choices(option string) []string {
	if option == "columns" {
		return workload.ColumnNames(workload.NamedColumns())
	}
	return nil
}

// Replacement is an identifier and the number that replaces it.
type Replacement struct {
	Column int
	Number int64
	Name   string // from the header; "" if it has none
	New    int64
}

// Dropped counts the header lines with a keyword that were dropped; Keyword is "" for lines
// without one.
type Dropped struct {
	Keyword string
	Lines   int
}

// Anonymous is a log that is anonymised while it is read.
type Anonymous struct {
	*Stream
	Dropped []Dropped // header lines, by keyword
	Site    []string  // keywords kept that name the site or its people
	// Replacements are the secret part: sorted by column and number.
	Replacements []Replacement
	// Collisions is how many identifiers had to be hashed again, because
	// another of their column has the same number.
	Collisions int

	header workload.Header
	on     []int // columns
	table  [workload.NumColumns]map[int64]int64
}

// Anonymise replaces the identifiers of a log: users, groups, applications (formats that have
// job names keep them here), queues, partitions, accounts and so on. Everything else of the
// jobs, their order included, stays. The log is opened twice. Memory grows with the number of
// identifiers, not of jobs.
//
// A replacement is the first eight bytes of HMAC-SHA-256 under the key, scaled
// to 15 digits, of the column's name and the identifier: its name where
// the header gives it one of its own (so that formats that number names by
// their appearance agree between logs), else its number. Without the key the
// replacement tells nothing of the identifier, nor whether a user and a group
// have the same number; with it, it cannot be undone either, only tried out.
//
// Two identifiers of a column never get the same number: the one with the
// larger hash is hashed again. That depends on which identifiers the log has,
// not on their order; only where it happens may two logs under one key differ.
func Anonymise(ctx context.Context, open func() (*workload.Log, error), o AnonymiseOptions) (*Anonymous, error) {
	if err := opt.Check(&o); err != nil {
		return nil, err
	}
	if len(o.Key) < MinKey {
		return nil, fmt.Errorf("the key has %d bytes, want at least %d: a shorter one can be found by trial", len(o.Key), MinKey)
	}
	a := &Anonymous{}
	for _, col := range workload.NamedColumns() {
		if slices.Contains(o.Columns, workload.ColumnAt(col).Name) || len(o.Columns) == 0 && col != workload.ColGPUType {
			a.on = append(a.on, col)
			a.table[col] = map[int64]int64{}
		}
	}
	first, err := eachJob(ctx, open, func(j *workload.Job) error {
		for _, col := range a.on {
			if n := workload.ColumnAt(col).Int(j); n != workload.Unknown {
				a.table[col][n] = 0
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, col := range a.on {
		a.replace(col, &first.Header, o.Key, replacements)
	}
	a.setHeader(first.Header, o.DropSite)
	log, err := open()
	if err != nil {
		return nil, err
	}
	a.Stream = streamOf(ctx, log, a.jobs)
	return a, nil
}

// Header returns the header of the result.
func (a *Anonymous) Header() workload.Header { return a.header }

// jobs replaces the identifiers of the jobs.
func (a *Anonymous) jobs(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		var j workload.Job // one on the heap for all
		for job, err := range jobs {
			j = job
			for _, col := range a.on {
				c := workload.ColumnAt(col)
				n := c.Int(&j)
				if err != nil || n == workload.Unknown {
					continue
				}
				v, ok := a.table[col][n]
				if !ok {
					err = ErrChanged
				}
				c.SetInt(&j, v)
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
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
func (a *Anonymous) replace(col int, h *workload.Header, key []byte, most uint64) {
	column, table := workload.ColumnAt(col).Name, a.table[col]
	names := uniqueNames(h, column)
	var all, again []digest
	for n := range table {
		d := digest{number: n, name: names[n]}
		d.hash(key, column)
		all = append(all, d)
	}
	// By hash, so that the order of the log's jobs is of no account.
	slices.SortFunc(all, func(x, y digest) int {
		return cmp.Or(bytes.Compare(x.sum[:], y.sum[:]), cmp.Compare(x.number, y.number))
	})
	taken := make(map[int64]bool, len(all))
	for _, d := range all {
		v := d.value(most)
		if taken[v] {
			again = append(again, d)
			continue
		}
		taken[v], table[d.number] = true, v
	}
	a.Collisions += len(again)
	for _, d := range again {
		v := d.value(most)
		for taken[v] {
			d.tries++
			d.hash(key, column)
			v = d.value(most)
		}
		taken[v], table[d.number] = true, v
	}
	for _, n := range slices.Sorted(maps.Keys(table)) {
		a.Replacements = append(a.Replacements, Replacement{col, n, names[n], table[n]})
	}
}

// uniqueNames are the names of a column's numbers by the header, of
// the numbers that have one and share it with no other: two users of one name
// stay two users.
func uniqueNames(h *workload.Header, column string) map[int64]string {
	names, owners := h.NamesOf(column), map[string]int{}
	for _, name := range names {
		owners[name]++
	}
	maps.DeleteFunc(names, func(_ int64, name string) bool { return owners[name] > 1 || strings.Contains(name, "\x00") })
	return names
}

// WriteMapping writes replacements as CSV.
func WriteMapping(w io.Writer, all []Replacement) error {
	c := csv.NewWriter(w)
	c.Write([]string{"column", "number", "name", "replacement"})
	for _, r := range all {
		c.Write([]string{workload.ColumnAt(r.Column).Name, strconv.FormatInt(r.Number, 10), workload.SpreadsheetText(r.Name), strconv.FormatInt(r.New, 10)})
	}
	c.Flush()
	return c.Error()
}
