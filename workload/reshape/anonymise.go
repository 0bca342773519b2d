package reshape

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MinKey is the smallest length of a key in bytes: a shorter one could be found by trial.
const MinKey = 16

// replacements is the largest replacement; the smallest is 1. All are exact in a float64. The
// probability that two of a million identifiers have the same one is 1/2000.
const replacements = 999_999_999_999_999

// AnonymiseOptions are the options of Anonymise.
type AnonymiseOptions struct {
	// Key is the secret of the hash, of at least MinKey bytes. Logs that are anonymised with the
	// same key have the same replacements.
	Key []byte
	// DropSite also drops the header lines that name the site and the people who published the log.
	DropSite bool `opt:"drop-site" common:"true" help:"also drop Computer, Installation, Acknowledge, Information and Conversion from the header"`
}

// Replacement is an identifier and the number that replaces it.
type Replacement struct {
	Column string `json:"column"`
	Number int64  `json:"number"`
	Name   string `json:"name"` // from the header; "" if it has none
	New    int64  `json:"replacement"`
}

// Anonymous is a log that is anonymised while it is read.
type Anonymous struct {
	Stream
	Dropped map[string]int // header lines, by keyword; "" for those without one
	Site    []string       // keywords of lines kept that name the site or its people
	// Replacements has to be kept secret. It is sorted by column and number.
	Replacements []Replacement

	header workload.Header
	table  [workload.NumColumns]map[int64]int64 // replacements by identifier; nil for columns that are kept
}

// Anonymise replaces the identifiers of a log: users, groups, applications (which hold the job
// names of formats that have them), queues, partitions, accounts and so on. All other values of the
// jobs and their order stay. The log is opened twice. Memory grows with the number of identifiers,
// not of jobs.
//
// A replacement is the first eight bytes, scaled to 15 digits, of HMAC-SHA-256 under the key of the
// column's name and the identifier. The identifier is hashed by its name if the header gives it a
// unique one, so that logs in formats that number names in order of appearance agree, and else by
// its number. Without the key, a replacement reveals neither the identifier nor whether a user and
// a group have the same number. Even with the key it cannot be inverted, but identifiers can be
// tried.
//
// It is an error if two identifiers of a column get the same replacement: with a million
// identifiers, this happens for one key in 2000.
func Anonymise(ctx context.Context, open func() (*workload.Log, error), o AnonymiseOptions) (*Anonymous, error) {
	if len(o.Key) < MinKey {
		return nil, fmt.Errorf("the key has %d bytes, want at least %d: a shorter one can be found by trial", len(o.Key), MinKey)
	}
	a := &Anonymous{Dropped: map[string]int{}}
	for _, col := range workload.NamedColumns() {
		if col != workload.ColGPUType { // it identifies nobody
			a.table[col] = map[int64]int64{}
		}
	}
	first, err := workload.WithLog(open, func(log *workload.Log) error {
		return eachJob(ctx, log, func(j *workload.Job) {
			for col, table := range &a.table {
				if table == nil {
					continue
				}
				if n := workload.ColumnAt(col).Int(j); n != workload.Unknown {
					table[n] = 0
				}
			}
		})
	})
	if err != nil {
		return nil, err
	}
	for col := range a.table {
		if err := a.replace(col, &first.Header, o.Key, replacements); err != nil {
			return nil, err
		}
	}
	a.setHeader(&first.Header, o.DropSite)
	log, err := open()
	if err != nil {
		return nil, err
	}
	a.alter(ctx, log, a.anonymise)
	return a, nil
}

// Header returns the header of the result.
func (a *Anonymous) Header() workload.Header { return a.header }

// anonymise replaces the identifiers of a job.
func (a *Anonymous) anonymise(j *workload.Job) (bool, error) {
	for col, table := range &a.table {
		c := workload.ColumnAt(col)
		if table == nil || c.Int(j) == workload.Unknown {
			continue
		}
		replacement := table[c.Int(j)]
		if replacement == 0 {
			return false, ErrChanged
		}
		c.SetInt(j, replacement)
	}
	return true, nil
}

// replace makes the replacements of a column, which are from 1 to most.
func (a *Anonymous) replace(col int, h *workload.Header, key []byte, most uint64) error {
	column, table := workload.ColumnAt(col).Name, a.table[col]
	names, owner := uniqueNames(h, column), map[int64]int64{}
	for _, n := range slices.Sorted(maps.Keys(table)) {
		kind, text := "name", names[n]
		if text == "" {
			kind, text = "number", strconv.FormatInt(n, 10)
		}
		// Every part ends with a zero byte, which no name has, so that no two inputs are written alike.
		// The digit 0 at the end belongs to version 1 of the hash: without it all replacements change.
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "loadstone.anonymise/1\x00%s\x00%s\x00%s\x00"+"0", column, kind, text)
		scaled, _ := bits.Mul64(binary.BigEndian.Uint64(mac.Sum(nil)), most)
		replacement := int64(scaled) + 1
		if other, taken := owner[replacement]; taken {
			return fmt.Errorf("%s: %d and %d would both become %d under this key: want another key", column, other, n, replacement)
		}
		owner[replacement], table[n] = n, replacement
		a.Replacements = append(a.Replacements, Replacement{column, n, names[n], replacement})
	}
	return nil
}

// uniqueNames returns the names in the header of a column's numbers, without names that several
// numbers share: two users with the same name stay two users.
func uniqueNames(h *workload.Header, column string) map[int64]string {
	names, owners := h.NamesOf(column), map[string]int{}
	for _, name := range names {
		owners[name]++
	}
	maps.DeleteFunc(names, func(_ int64, name string) bool { return owners[name] > 1 || strings.Contains(name, "\x00") })
	return names
}

// siteKeys are the header keywords, in lower case, that name the site and its
// people.
var siteKeys = []string{"computer", "installation", "acknowledge", "information", "conversion"}

// setHeader makes the header of the result: it drops lines that may name identifiers, and adds a
// note that states so.
func (a *Anonymous) setHeader(h *workload.Header, dropSite bool) {
	free, dropped := 0, 0 // lines
	for _, line := range h.Lines {
		if strings.TrimSpace(line) != "" {
			free++
		}
	}
	drop := func(key string, lines int) {
		if lines > 0 {
			a.Dropped[key] += lines
			dropped += lines
		}
	}
	for _, f := range h.Fields() {
		value, _, _ := strings.Cut(f.Value, "\n")
		lines := h.Lines[f.Line:][:1+strings.Count(f.Value, "\n")]
		free -= len(lines)
		key := strings.ToLower(f.Key)
		fact, isSite := factOf(key, value), slices.Contains(siteKeys, key) && !dropSite
		switch {
		case isSite || key == "gputype":
			a.header.Lines = append(a.header.Lines, lines...)
			if isSite && !slices.Contains(a.Site, f.Key) {
				a.Site = append(a.Site, f.Key)
			}
			continue
		case fact != "":
			a.header.Add(f.Key, fact)
		}
		if fact == "" || fact != value {
			drop(f.Key, len(lines))
		} else {
			drop(f.Key, len(lines)-1)
		}
	}
	drop("", free)
	var replaced []string
	for col, table := range a.table {
		if table != nil && (col < workload.FirstOptional || len(table) > 0) {
			replaced = append(replaced, workload.ColumnAt(col).Name)
		}
	}
	a.header.Add("Note", fmt.Sprintf("anonymised: %s replaced with numbers from a keyed hash (HMAC-SHA-256); header lines dropped or shortened: %d",
		strings.Join(replaced, ", "), dropped))
}

// factOf returns the part of a header value that may stay: the value if it states a fact of the
// machine or the log in the form of its keyword, a leading part of it, or "". Anything else is free
// text, which may name somebody. key is in lower case.
func factOf(key, value string) string {
	first := append(strings.Fields(value), "")[0]
	switch key {
	case "version", "maxjobs", "maxrecords", "unixstarttime", "timezone", "maxnodes", "maxprocs", "maxruntime",
		"maxmemory", "maxgpus", "maxnodememory", "maxqueues", "maxpartitions":
		// The number is mostly followed by the sizes of partitions with their names.
		return numberForm.FindString(first)
	case "preemption", "allowoveruse":
		return answerForm.FindString(first)
	case "timezonestring":
		if _, err := time.LoadLocation(value); err == nil && value != "Local" {
			return value
		}
	}
	return ""
}

var (
	numberForm = regexp.MustCompile(`^-?[0-9][0-9.,:]*$`) // also 1,024 and 18:00:00
	answerForm = regexp.MustCompile(`^(?i:no|yes|double|ts)$`)
)
