package reshape

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// factValues are the header keywords, in lower case, that state facts of the
// machine and the log. Each has a function that returns what of a value may
// stay: the value if it has the keyword's form, a leading part of it, or "".
// Anything else in its place is free text, which may name somebody.
var factValues = map[string]func(value string) string{
	"version": leadingNumber, "maxjobs": leadingNumber, "maxrecords": leadingNumber, "unixstarttime": leadingNumber,
	"timezone": leadingNumber, "maxnodes": leadingNumber, "maxprocs": leadingNumber, "maxruntime": leadingNumber,
	"maxmemory": leadingNumber, "maxgpus": leadingNumber, "maxnodememory": leadingNumber, "maxqueues": leadingNumber, "maxpartitions": leadingNumber,
	"preemption":     leadingWord("No", "Yes", "Double", "TS"),
	"allowoveruse":   leadingWord("No", "Yes"),
	"timezonestring": zoneName,
	"starttime":      date,
	"endtime":        date,
}

// numberForm also matches 1,024 and 18:00:00.
var numberForm = regexp.MustCompile(`^-?[0-9][0-9.,:]*$`)

// leadingNumber keeps the number that a value begins with. What follows it are
// the sizes of partitions, mostly, with their names.
func leadingNumber(value string) string {
	if words := strings.Fields(value); len(words) > 0 && numberForm.MatchString(words[0]) {
		return words[0]
	}
	return ""
}

// leadingWord keeps the word that a value begins with if it is one of these,
// in upper or lower case.
func leadingWord(known ...string) func(string) string {
	return func(value string) string {
		words := strings.Fields(value)
		if len(words) > 0 && slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, words[0]) }) {
			return words[0]
		}
		return ""
	}
}

// zoneName keeps a name of the time zone database.
func zoneName(value string) string {
	if _, err := time.LoadLocation(value); err != nil || value == "Local" {
		return ""
	}
	return value
}

// date keeps a date. The abbreviation of a zone has to be one that is in use:
// BOB has the form of one.
func date(value string) string {
	if _, ok, _ := workload.ParseHeaderDate(value, time.UTC); !ok {
		return ""
	}
	if words := strings.Fields(value); len(words) == 6 && !slices.Contains(zoneAbbreviations, words[4]) && !zoneOffset.MatchString(words[4]) {
		return ""
	}
	return value
}

// zoneOffset matches what date(1) prints for zones without an abbreviation.
var zoneOffset = regexp.MustCompile(`^[+-][0-9]{2,4}$`)

// zoneAbbreviations are those of the time zone database that are in use, and
// those of the archive's logs.
var zoneAbbreviations = strings.Fields(`
	UTC GMT Z WET WEST CET CEST MET MEST EET EEST BST IST MSK MSD
	SAST CAT EAT WAT PKT IDT HKT PHT WIB WITA WIT SGT KST JST CST
	AEST AEDT ACST ACDT AWST NZST NZDT SST ChST
	NST NDT AST ADT EST EDT CDT MST MDT PST PDT AKST AKDT HST HDT BRT BRST ART CLT CLST`)
