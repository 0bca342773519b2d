package reshape

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Dropped counts the header lines with a keyword that were dropped; Keyword is "" for lines
// without one.
type Dropped struct {
	Keyword string
	Lines   int
}

// identifierKeys are the header keywords, in lower case, whose lines name the
// values of a column or speak of them.
var identifierKeys = func() map[string]int {
	keys := map[string]int{"executable": workload.ColApplication, "executables": workload.ColApplication}
	for _, col := range workload.NamedColumns() {
		key := strings.ToLower(workload.NameKey(col))
		keys[key], keys[key+"s"] = col, col
	}
	return keys
}()

// siteKeys are the header keywords, in lower case, that name the site and its
// people.
var siteKeys = []string{"computer", "installation", "acknowledge", "information", "conversion"}

// headerNames are the names of a column's numbers by the header, in full, of
// the numbers that have one and share it with no other: two users of one name
// stay two users.
func headerNames(h *workload.Header, col int) map[int64]string {
	names := map[int64]string{}
	owners := map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(identifierKeys)) {
		if plural := key != "executable" && key != strings.ToLower(workload.NameKey(col)); plural || identifierKeys[key] != col {
			continue
		}
		for _, v := range h.All(key) {
			line, _, _ := strings.Cut(v, "\n")
			number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, err := strconv.ParseInt(strings.TrimSuffix(number, ":"), 10, 64)
			name = strings.TrimSpace(name)
			if err != nil || name == "" || strings.Contains(name, "\x00") {
				continue
			}
			if names[n] == "" {
				names[n] = name
				owners[name]++
			}
		}
	}
	for n, name := range names {
		if owners[name] > 1 {
			delete(names, n)
		}
	}
	return names
}

// keyword is a header line's keyword, as the header itself sees it, and what
// stands behind it.
func keyword(line string) (key, value string, ok bool) {
	h := workload.Header{Lines: []string{line}}
	key, value, ok = strings.Cut(strings.TrimSpace(line), ":")
	if !ok || h.All(key) == nil {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}

// header makes the result's header: lines that may name identifiers are
// dropped, and a note says so.
func (a *Anonymous) header(h workload.Header, dropSite bool) {
	var out workload.Header
	drop := func(key string) {
		i := slices.IndexFunc(a.Dropped, func(d Dropped) bool { return d.Keyword == key })
		if i < 0 {
			i = len(a.Dropped)
			a.Dropped = append(a.Dropped, Dropped{Keyword: key})
		}
		a.Dropped[i].Lines++
	}
	under, keepMore := "", false // the keyword that a line continues, if its lines stay
	for _, line := range h.Lines {
		key, value, ok := keyword(line)
		switch {
		case !ok && strings.TrimSpace(line) == "":
			under, keepMore = "", false
			out.Lines = append(out.Lines, line)
			continue
		case !ok && line[0] != ' ' && line[0] != '\t':
			under, keepMore = "", false
			drop("")
			continue
		case !ok && keepMore:
			out.Lines = append(out.Lines, line)
			continue
		case !ok:
			drop(under)
			continue
		}
		under, keepMore = key, false
		lower := strings.ToLower(key)
		col, names := identifierKeys[lower]
		keep, fact := factValues[lower]
		switch {
		case fact:
			if kept := keep(value); kept != value {
				drop(key)
				if kept == "" {
					continue
				}
				line = " " + key + ": " + kept
			}
		case slices.Contains(siteKeys, lower) && !dropSite:
			keepMore = true
			if !slices.Contains(a.Site, key) {
				a.Site = append(a.Site, key)
			}
		case names && !slices.Contains(a.on, col):
			keepMore = true
		default:
			drop(key)
			continue
		}
		out.Lines = append(out.Lines, line)
	}
	out.Add("Note", a.note())
	a.Header = out
}

// note is the header's word on what was done.
func (a *Anonymous) note() string {
	columns := workload.Columns()
	var names []string
	for _, col := range a.noted {
		names = append(names, columns[col].Name)
	}
	lines := 0
	for _, d := range a.Dropped {
		lines += d.Lines
	}
	return fmt.Sprintf("anonymised: %s replaced with numbers from a keyed hash (HMAC-SHA-256); header lines dropped or shortened: %d",
		strings.Join(names, ", "), lines)
}
