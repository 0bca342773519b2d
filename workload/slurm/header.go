package slurm

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// maxColumns bounds the work on a line; sacct has some 120 columns.
const maxColumns = 400

// squeueFormat is the listing of squeue to ask for.
const squeueFormat = `squeue -a -r -o "%i|%u|%a|%P|%q|%j|%T|%V|%S|%M|%l|%C|%r|%Q"`

// header is a header line and what stands in it.
type header struct {
	line    string
	whole   bool // it has an end
	rest    []byte
	between string // the separator: a bar, or what sacct was given by --delimiter; a blank for any number of blanks
	names   []string
}

var firstSeparator = regexp.MustCompile(`^ *[\w"()]*([^\w"()]+)`)

// headerOf takes the first line of a text apart.
func headerOf(text []byte) header {
	first, rest, whole := bytes.Cut(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte{'\n'})
	h := header{line: string(parse.TrimReturn(first)), whole: whole, rest: rest, between: " "}
	if strings.Contains(h.line, "|") {
		h.between = "|"
	} else if found := firstSeparator.FindStringSubmatch(h.line); found != nil {
		h.between = cmp.Or(strings.Trim(found[1], " "), " ")
	}
	line := h.line
	switch h.between {
	case " ":
		h.names = strings.Fields(line)
		return h
	case "|":
	default:
		line = strings.ReplaceAll(line, `"`, "")
	}
	h.names = strings.Split(line, h.between)
	for i, name := range h.names {
		h.names[i] = strings.TrimSpace(name) // squeue pads what has a width
	}
	return h
}

// mostlySacct reports whether at least half of the names, and two, are sacct's: new versions may
// have new ones.
func mostlySacct(names []string) bool {
	n := 0
	for _, name := range names {
		if _, ok := sacctColumns[name]; ok {
			n++
		}
	}
	return n > 1 && 2*n >= len(names)
}

// commaLists are columns of words whose values may have commas.
const commaLists = "AllocGRES NodeList NODELIST Partition PARTITION ReqGRES"

// readLayout reads a header line, of squeue or of sacct, which is the line at of the file.
func readLayout(file string, at int64, line string, queue bool) (*layout, error) {
	h := headerOf([]byte(line))
	l := &layout{text: line, queue: queue, between: h.between, bare: h.between == "|" && !queue, names: make([]string, recordType.NumField()), plain: []int{0}}
	known := squeueColumns
	if !queue {
		known = sacctColumns
	}
	for i, name := range h.names {
		c, ok := known[name]
		switch {
		case !queue && name == "" && i > 0 && i == len(h.names)-1: // as of sacct -p
			c = column{field: -1, shape: nothing}
		case !ok:
			c = column{field: -1, shape: shapes["text"], bars: barsRarely}
			fallthrough
		case c.field < 0 && name != "":
			l.unused = append(l.unused, name)
		}
		if strings.HasPrefix(l.between, ",") && slices.Contains(strings.Fields(commaLists), name) {
			c.bars = barsRarely
		}
		l.columns, l.plain = append(l.columns, c), append(l.plain, i+1)
		if c.field >= 0 {
			l.names[c.field] = cmp.Or(l.names[c.field], name)
		}
	}
	saw, want := parse.ShortenLine([]byte(line)), ""
	switch n := len(l.columns); {
	case n > maxColumns:
		saw, want = words.Counted(n, "column"), words.Counted(maxColumns, "column")+" at most"
	case queue:
		var missing []string
		for _, f := range []string{"JobID", "State", "Submit", "Start", "ReqCPUS"} {
			if !l.has(f) {
				missing = append(missing, firstName(recordType.Field(fieldIndex(f)).Tag.Get("squeue")))
			}
		}
		if len(missing) > 0 {
			saw, want = workload.Shorten([]byte(line)), strings.Join(missing, ", ")+" too: "+squeueFormat
		}
	case !l.has("JobID", "JobIDRaw"):
		want = "a column JobID or JobIDRaw"
	case !l.has("Submit", "Elapsed", "ElapsedRaw", "Start"):
		want = "a column with times, such as Submit, Start or ElapsedRaw"
	}
	if want != "" {
		return nil, &workload.InputError{File: file, Line: at, Field: "header", Saw: saw, Want: want}
	}
	return l, nil
}

// lacks returns the columns without which what every log should have is unknown: the best
// of those that say it.
func (l *layout) lacks() (names []string) {
	for _, of := range []string{"Submit", "Start", "ElapsedRaw Elapsed End", "NCPUS ReqCPUS AllocTRES ReqTRES", "State"} {
		if any := strings.Fields(of); !l.has(any...) {
			names = append(names, any[0])
		}
	}
	return names
}

// isSacct reports whether a text begins with a header line of sacct, after blank lines if any:
// names of its columns with bars between, or another separator (plain is false then). Other
// tables may have some of the names: without bars one of the first records, if there are any,
// can be read.
func isSacct(head []byte) (is, plain bool) {
	h := headerOf(bytes.TrimLeft(head, "\ufeff\r\n"))
	if !h.whole && len(h.names) > 2 {
		h.names = h.names[:len(h.names)-1] // may be cut
	}
	switch between := h.between; {
	case !mostlySacct(h.names):
		return false, false
	case between == "|":
		return true, true
	case between == " ", between >= "\x80", len(between) == 1 && strings.Contains(":-.+=/[]%", between):
		return false, false
	}
	l, err := readLayout("", 1, h.line, false)
	if err != nil {
		return false, false
	}
	p := newParser(&reader{layout: l, zone: time.UTC}, &batch{})
	records := 0
	for line := range bytes.Lines(h.rest) {
		line, whole := bytes.CutSuffix(line, []byte{'\n'})
		line = parse.TrimReturn(line)
		if len(line) == 0 || !whole && records > 0 {
			continue
		}
		records++
		if p.readLine(line) {
			return true, false
		}
	}
	return records == 0, false
}

// unreadableSacct returns what is wanted of a text that looks like sacct's and cannot be read,
// or "".
func unreadableSacct(head []byte) string {
	h := headerOf(head)
	if mostlySacct(strings.Fields(h.line)) && bytes.HasPrefix(bytes.TrimLeft(h.rest, " "), []byte("---")) {
		return "sacct's columns separated by bars: run sacct with -P"
	}
	for _, between := range []string{"|", ",", ";", "\t"} {
		any := func(fits func([]byte) bool) bool {
			return slices.ContainsFunc(strings.Split(h.line, between), func(v string) bool { return fits([]byte(v)) })
		}
		isLocal := func(v []byte) bool { t, _ := parseTime(v); return t.kind == timeLocal }
		// Few other tables have bars between their columns.
		if any(isLocal) && any(shapes["id"].fits) && (between == "|" || any(shapes["state"].fits)) {
			return "a header line with the names of the columns: run sacct without -n (--noheader)"
		}
	}
	return ""
}

// isSqueue reports whether a text begins with a header line of squeue, whose names are in
// capitals, as sacct's are not. A table with commas has to have all that is wanted: others
// may have such names too.
func isSqueue(head []byte) bool {
	at := bytes.Index(head, []byte("JOBID"))
	first := bytes.LastIndexByte(head[:max(at, 0)], '\n') + 1
	if at < 0 || first > 40 { // below a date, as of squeue -l
		return false
	}
	h := headerOf(head[first:])
	has := func(name string) bool { return slices.Contains(h.names, name) }
	if strings.Contains(h.between, ",") && !(has("SUBMIT_TIME") && has("START_TIME") && has("CPUS")) {
		return false
	}
	return has("JOBID") && (has("ST") || has("STATE")) && strings.TrimLeft(h.names[0], ";#") == h.names[0]
}
