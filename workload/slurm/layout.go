package slurm

import (
	"bytes"
	"cmp"
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

// separatorOf returns what stands between the names of a header line: a bar, or what sacct was
// given by --delimiter; a blank for any number of blanks.
func separatorOf(line string) string {
	if strings.Contains(line, "|") {
		return "|"
	}
	isName := func(r rune) bool {
		return strings.ContainsRune(`_"()`, r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	rest := strings.TrimLeft(line, " ")
	rest = strings.TrimLeftFunc(rest, isName)
	between := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return !isName(r) }))]
	return cmp.Or(strings.Trim(between, " "), " ")
}

// namesOf returns the names in a header line.
func namesOf(line, between string) []string {
	if between == " " {
		return strings.Fields(line)
	}
	if between != "|" {
		line = strings.ReplaceAll(line, `"`, "")
	}
	names := strings.Split(line, between)
	for i, name := range names {
		names[i] = strings.TrimSpace(name) // squeue pads what has a width
	}
	return names
}

// commaLists are columns of words whose values may have commas.
var commaLists = []string{"AllocGRES", "NodeList", "NODELIST", "Partition", "PARTITION", "ReqGRES"}

// readLayout reads a header line, of squeue or of sacct.
func readLayout(file string, at int64, line string, queue bool) (*layout, error) {
	l := &layout{text: line, queue: queue, between: separatorOf(line), names: make([]string, recordType.NumField())}
	if !queue {
		line, l.trailing = strings.CutSuffix(line, l.between)
	}
	for i, name := range namesOf(line, l.between) {
		key := name
		if !queue {
			key = strings.ToLower(name)
		}
		c, ok := knownColumns[key]
		switch {
		case !ok:
			c = column{field: -1, shape: shapes["text"], bars: barsRarely}
			if !queue {
				l.unknown = append(l.unknown, name)
				break
			}
			fallthrough
		case c.field < 0 && name != "":
			l.unused = append(l.unused, name)
		}
		if strings.HasPrefix(l.between, ",") && slices.Contains(commaLists, c.name) {
			c.bars = barsRarely
		}
		c.name = name
		l.columns = append(l.columns, c)
		if c.field < 0 {
			continue
		}
		again := l.names[c.field] != ""
		if !again {
			l.names[c.field] = name
		}
		if !again || queue {
			l.used = append(l.used, usedColumn{i, c.field, again})
		}
	}
	fault := func(saw, want string) error {
		return &workload.InputError{File: file, Line: at, Field: "header", Saw: saw, Want: want}
	}
	if n := len(l.columns); n > maxColumns {
		return nil, fault(words.Counted(n, "column"), words.Counted(maxColumns, "column")+" at most")
	}
	saw := parse.ShortenLine([]byte(line))
	if !queue {
		if !l.has("JobID", "JobIDRaw") {
			return nil, fault(saw, "a column JobID or JobIDRaw")
		}
		if !l.has("Submit", "Elapsed", "ElapsedRaw", "Start") {
			return nil, fault(saw, "a column with times, such as Submit, Start or ElapsedRaw")
		}
		return l, nil
	}
	var missing []string
	for _, f := range []string{"JobID", "State", "Submit", "Start", "ReqCPUS"} {
		if !l.has(f) {
			name, _, _ := strings.Cut(recordType.Field(fieldIndex(f)).Tag.Get("squeue"), " ")
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fault(workload.Shorten([]byte(line)), strings.Join(missing, ", ")+" too: "+squeueFormat)
	}
	return l, nil
}

// headerOf returns the first line of a text, and what follows it. whole reports that it has
// an end.
func headerOf(head []byte) (line string, rest []byte, whole bool) {
	first, rest, whole := bytes.Cut(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte{'\n'})
	return string(parse.TrimReturn(first)), rest, whole
}

// isSacct reports whether a text begins with a header line of sacct: names of its columns with
// bars between, or another separator. Half of the names have to be known (see ownNames for other
// separators), so that new versions
// may have new ones. Without bars they have sacct's own capitals, and unless there are no
// records one of the first can be read: other tables may have some of the names (plain is
// false then).
func isSacct(head []byte) (is, plain bool) {
	line, rest, whole := headerOf(head)
	between := separatorOf(line)
	names := namesOf(line, between)
	if !whole && len(names) > 2 {
		names = names[:len(names)-1] // may be cut
	}
	if between == "|" {
		known := 0
		for _, name := range names {
			if _, ok := knownColumns[strings.ToLower(name)]; ok {
				known++
			}
		}
		return known > 1 && 2*known >= len(names), true
	}
	if between == " " || between >= "\x80" || len(between) == 1 && strings.Contains(":-.+=/[]%", between) || !ownNames(names) {
		return false, false
	}
	l, err := readLayout("", 1, line, false)
	if err != nil {
		return false, false
	}
	p := newParser("", l, time.UTC, nil, &batch{})
	records := 0
	for line := range bytes.Lines(rest) {
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

// ownNames reports whether names are sacct's: at least two thirds of them, written as sacct writes
// them, among them a job's number and a time.
func ownNames(names []string) bool {
	known, id, time := 0, false, false
	for _, name := range names {
		c := knownColumns[strings.ToLower(name)]
		if c.name != name || name == "" {
			continue
		}
		known++
		id = id || c.shape == shapes["id"]
		time = time || c.shape == shapes["time"] || strings.HasPrefix(name, "Elapsed")
	}
	return id && time && 3*known >= 2*len(names)
}

// unreadableSacct returns what is wanted of a text that looks like sacct's and cannot be read,
// or "".
func unreadableSacct(head []byte) string {
	line, rest, _ := headerOf(head)
	known, names := 0, strings.Fields(line)
	for _, name := range names {
		if _, ok := knownColumns[strings.ToLower(name)]; ok {
			known++
		}
	}
	if known > 1 && 2*known >= len(names) && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("---")) {
		return "sacct's columns separated by bars: run sacct with -P"
	}
	for _, between := range []string{"|", ",", ";", "\t"} {
		times, states := 0, 0
		fields := strings.Split(line, between)
		for _, f := range fields {
			if t, want := parseTime([]byte(f)); want == "" && t.kind == timeLocal {
				times++
			}
			if parseState([]byte(f)) != stateUnknown {
				states++
			}
		}
		id, want := parseID([]byte(fields[0]))
		if len(fields) > 3 && times > 0 && (between == "|" || want == "" && id.job > 0 && states > 0) {
			return "a header line with the names of the columns: run sacct without -n (--noheader)"
		}
	}
	return ""
}

// isSqueue reports whether a text begins with a header line of squeue, whose names are in
// capitals, as sacct's are not. A table with commas has to have all that is wanted: others
// may have such names too.
func isSqueue(head []byte) bool {
	line, rest, _ := headerOf(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), "\r\n"))
	if _, ok := squeueDate([]byte(line)); ok {
		line, _, _ = headerOf(bytes.TrimLeft(rest, "\r\n"))
	}
	between := separatorOf(line)
	names := namesOf(line, between)
	if len(names) == 0 || strings.HasPrefix(names[0], ";") || strings.HasPrefix(names[0], "#") {
		return false
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	if strings.Contains(between, ",") && !(has("SUBMIT_TIME") && has("START_TIME") && has("CPUS")) {
		return false
	}
	return has("JOBID") && (has("ST") || has("STATE"))
}

// squeueDate reads the line that squeue -l and -i print above the header: the moment of the
// listing, in local time.
func squeueDate(line []byte) (local time.Time, ok bool) {
	local, err := time.Parse("Mon Jan _2 15:04:05 2006", string(bytes.TrimSpace(line)))
	return local, err == nil
}
