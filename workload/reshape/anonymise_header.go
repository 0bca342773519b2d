package reshape

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

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
func (a *Anonymous) setHeader(h workload.Header, dropSite bool) {
	dropped := 0
	drop := func(key string) {
		dropped++
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
		lower := strings.ToLower(key)
		col, names := columnOf(lower)
		kept, fact := factOf(lower, value)
		switch {
		case !ok:
			blank := strings.TrimSpace(line) == ""
			if blank || line[0] != ' ' && line[0] != '\t' {
				under, keepMore = "", false
			}
			if !blank && !keepMore {
				drop(under)
				continue
			}
		case fact:
			under, keepMore = key, false
			if kept != value {
				drop(key)
				if kept == "" {
					continue
				}
				line = " " + key + ": " + kept
			}
		case slices.Contains(siteKeys, lower) && !dropSite:
			under, keepMore = key, true
			if !slices.Contains(a.Site, key) {
				a.Site = append(a.Site, key)
			}
		case names && !slices.Contains(a.on, col):
			under, keepMore = key, true
		default:
			under, keepMore = key, false
			drop(key)
			continue
		}
		a.header.Lines = append(a.header.Lines, line)
	}
	var noted []string
	for _, col := range a.on {
		if col < workload.FirstOptional || len(a.table[col]) > 0 {
			noted = append(noted, workload.ColumnAt(col).Name)
		}
	}
	a.header.Add("Note", fmt.Sprintf("anonymised: %s replaced with numbers from a keyed hash (HMAC-SHA-256); header lines dropped or shortened: %d",
		strings.Join(noted, ", "), dropped))
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

// factOf returns what may stay of the value of a keyword, in lower case, that states a fact of the
// machine or the log: the value if it has the keyword's form, a leading part of it, or "".
// Anything else in its place is free text, which may name somebody.
func factOf(key, value string) (kept string, isFact bool) {
	form := numberForm
	switch key {
	case "version", "maxjobs", "maxrecords", "unixstarttime", "timezone", "maxnodes", "maxprocs", "maxruntime",
		"maxmemory", "maxgpus", "maxnodememory", "maxqueues", "maxpartitions":
		// What follows the number are the sizes of partitions, mostly, with their names.
	case "preemption", "allowoveruse":
		form = answerForm
	case "timezonestring":
		if _, err := time.LoadLocation(value); err != nil || value == "Local" {
			return "", true
		}
		return value, true
	case "starttime", "endtime":
		_, ok, _ := workload.ParseHeaderDate(value, time.UTC)
		// The abbreviation of a zone has to be one that is in use: BOB has the form of one.
		words := strings.Fields(value)
		if !ok || len(words) == 6 && !slices.Contains(zoneAbbreviations, words[4]) && !zoneOffset.MatchString(words[4]) {
			return "", true
		}
		return value, true
	default:
		return "", false
	}
	first, _, _ := strings.Cut(strings.Join(strings.Fields(value), " "), " ")
	return form.FindString(first), true
}

var (
	numberForm = regexp.MustCompile(`^-?[0-9][0-9.,:]*$`) // also 1,024 and 18:00:00
	answerForm = regexp.MustCompile(`^(?i:no|yes|double|ts)$`)
	zoneOffset = regexp.MustCompile(`^[+-][0-9]{2,4}$`) // which date(1) prints for zones without an abbreviation
)

// zoneAbbreviations are those of the time zone database that are in use, and
// those of the archive's logs.
var zoneAbbreviations = strings.Fields(`
	UTC GMT Z WET WEST CET CEST MET MEST EET EEST BST IST MSK MSD
	SAST CAT EAT WAT PKT IDT HKT PHT WIB WITA WIT SGT KST JST CST
	AEST AEDT ACST ACDT AWST NZST NZDT SST ChST
	NST NDT AST ADT EST EDT CDT MST MDT PST PDT AKST AKDT HST HDT BRT BRST ART CLT CLST`)
