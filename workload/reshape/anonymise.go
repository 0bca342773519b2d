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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

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
	// DropSite also drops the header lines that name the site and those who
	// published the log.
	DropSite bool `opt:"drop-site" common:"true" help:"also drop Computer, Installation, Acknowledge, Information and Conversion from the header"`
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
		if col != workload.ColGPUType { // which names nobody
			a.on = append(a.on, col)
			a.table[col] = map[int64]int64{}
		}
	}
	first, err := read(ctx, open, func(j *workload.Job) error {
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
	a.setHeader(&first.Header, o.DropSite)
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
	return workload.Pass(jobs, func(j *workload.Job) (bool, error) {
		for _, col := range a.on {
			c := workload.ColumnAt(col)
			if n := c.Int(j); n != workload.Unknown {
				v, ok := a.table[col][n]
				if !ok {
					return false, ErrChanged
				}
				c.SetInt(j, v)
			}
		}
		return true, nil
	})
}

// replace makes the replacements of a column, numbers from 1 to most.
func (a *Anonymous) replace(col int, h *workload.Header, key []byte, most uint64) {
	column, table := workload.ColumnAt(col).Name, a.table[col]
	names := uniqueNames(h, column)
	// Every part that is hashed ends with a zero byte, which no name has, so that no two inputs
	// are written alike.
	hash := func(n int64, try int) [sha256.Size]byte {
		kind, text := "name", names[n]
		if text == "" {
			kind, text = "number", strconv.FormatInt(n, 10)
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "loadstone.anonymise/1\x00%s\x00%s\x00%s\x00%d", column, kind, text, try)
		return [sha256.Size]byte(mac.Sum(nil))
	}
	scaled := func(sum [sha256.Size]byte) int64 {
		hi, _ := bits.Mul64(binary.BigEndian.Uint64(sum[:8]), most)
		return int64(hi) + 1
	}
	type digest struct {
		number int64
		sum    [sha256.Size]byte
	}
	var all []digest
	for n := range table {
		all = append(all, digest{n, hash(n, 0)})
	}
	// By hash, so that the order of the log's jobs is of no account.
	slices.SortFunc(all, func(x, y digest) int {
		return cmp.Or(bytes.Compare(x.sum[:], y.sum[:]), cmp.Compare(x.number, y.number))
	})
	taken := make(map[int64]bool, len(all))
	for _, d := range all {
		v := scaled(d.sum)
		for try := 1; taken[v]; try++ {
			v = scaled(hash(d.number, try))
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

// siteKeys are the header keywords, in lower case, that name the site and its
// people.
var siteKeys = []string{"computer", "installation", "acknowledge", "information", "conversion"}

// columnOf is the column whose values a header keyword, in lower case, names or speaks of:
// "user" or "users".
func columnOf(key string) (col int, ok bool) {
	if strings.HasPrefix(key, "executable") {
		return workload.ColApplication, true
	}
	for _, col := range workload.NamedColumns() {
		if strings.TrimSuffix(key, "s") == strings.ToLower(workload.NameKey(col)) {
			return col, true
		}
	}
	return 0, false
}

// setHeader makes the result's header: lines that may name identifiers are
// dropped, and a note says so.
func (a *Anonymous) setHeader(h *workload.Header, dropSite bool) {
	dropped := 0
	drop := func(key string, lines int) {
		i := slices.IndexFunc(a.Dropped, func(d Dropped) bool { return d.Keyword == key })
		switch {
		case lines == 0:
		case i < 0:
			a.Dropped = append(a.Dropped, Dropped{key, lines})
		default:
			a.Dropped[i].Lines += lines
		}
		dropped += lines
	}
	keep := func(lines ...string) { a.header.Lines = append(a.header.Lines, lines...) }
	next := 0 // line
	freeText := func(end int) {
		for ; next < end; next++ {
			if line := h.Lines[next]; strings.TrimSpace(line) == "" {
				keep(line)
			} else {
				drop("", 1)
			}
		}
	}
	for _, f := range h.Fields() {
		freeText(f.Line)
		next += 1 + strings.Count(f.Value, "\n")
		lines, key := h.Lines[f.Line:next], strings.ToLower(f.Key)
		value, _, _ := strings.Cut(f.Value, "\n")
		col, names := columnOf(key)
		fact, isFact := factOf(key, value)
		isSite := slices.Contains(siteKeys, key) && !dropSite
		switch {
		case isFact && fact == value:
			keep(lines[0])
			drop(f.Key, len(lines)-1)
		case isFact && fact != "":
			keep(" " + f.Key + ": " + fact)
			drop(f.Key, len(lines))
		case isFact || !isSite && (!names || slices.Contains(a.on, col)):
			drop(f.Key, len(lines))
		default:
			keep(lines...)
			if isSite && !slices.Contains(a.Site, f.Key) {
				a.Site = append(a.Site, f.Key)
			}
		}
	}
	freeText(len(h.Lines))
	var replaced []string
	for _, col := range a.on {
		if col < workload.FirstOptional || len(a.table[col]) > 0 {
			replaced = append(replaced, workload.ColumnAt(col).Name)
		}
	}
	a.header.Add("Note", fmt.Sprintf("anonymised: %s replaced with numbers from a keyed hash (HMAC-SHA-256); header lines dropped or shortened: %d",
		strings.Join(replaced, ", "), dropped))
}

// factOf returns what may stay of the value of a keyword, in lower case, that states a fact of the
// machine or the log: the value if it has the keyword's form, a leading part of it, or "".
// Anything else in its place is free text, which may name somebody.
func factOf(key, value string) (kept string, isFact bool) {
	first, _, _ := strings.Cut(strings.Join(strings.Fields(value), " "), " ")
	switch key {
	case "version", "maxjobs", "maxrecords", "unixstarttime", "timezone", "maxnodes", "maxprocs", "maxruntime",
		"maxmemory", "maxgpus", "maxnodememory", "maxqueues", "maxpartitions":
		// What follows the number are the sizes of partitions, mostly, with their names.
		return numberForm.FindString(first), true
	case "preemption", "allowoveruse":
		return answerForm.FindString(first), true
	case "starttime", "endtime": // which UnixStartTime and the jobs tell
		return "", true
	case "timezonestring":
		if _, err := time.LoadLocation(value); err != nil || value == "Local" {
			value = ""
		}
		return value, true
	}
	return "", false
}

var (
	numberForm = regexp.MustCompile(`^-?[0-9][0-9.,:]*$`) // also 1,024 and 18:00:00
	answerForm = regexp.MustCompile(`^(?i:no|yes|double|ts)$`)
)
