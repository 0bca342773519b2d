package slurm

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// maxColumns bounds the work on a line; sacct has about 120 columns.
const maxColumns = 400

// squeueFormat is the squeue command that messages recommend.
const squeueFormat = `squeue -a -r -o "%i|%u|%a|%P|%q|%j|%T|%V|%S|%M|%l|%C|%r|%Q"`

// header is a header line with its parts.
type header struct {
	line    string
	rest    []byte
	between string // the separator: a bar, the text of sacct's --delimiter, or a blank for any number of blanks
	names   []string
}

var firstSeparator = regexp.MustCompile(`^ *[\w"()]*([^\w"()]+)`)

// headerOf splits the first line of a text.
func headerOf(text []byte) header {
	first, rest, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte{'\n'})
	h := header{line: string(parse.TrimReturn(first)), rest: rest, between: " "}
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
		h.names[i] = strings.TrimSpace(name) // squeue pads columns that have a width
	}
	return h
}

// commaLists are columns of words whose values may contain commas.
const commaLists = "AllocGRES NodeList NODELIST Partition PARTITION ReqGRES"

// readLayout parses a header line of squeue or sacct, which is line at of the file.
func readLayout(file string, at int64, line string, queue bool) (*layout, error) {
	h := headerOf([]byte(line))
	l := &layout{text: line, queue: queue, between: h.between, bare: h.between == "|" && !queue, names: map[string]string{}, plain: []int{0}}
	known := squeueColumns
	if !queue {
		known = sacctColumns
	}
	for i, name := range h.names {
		c, ok := known[name]
		switch {
		case name == "" && i == len(h.names)-1: // sacct -p ends lines with a separator
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
			f := recordType.Field(c.field).Name
			l.names[f] = cmp.Or(l.names[f], name)
		}
	}
	saw, want := parse.ShortenLine([]byte(line)), ""
	switch n := len(l.columns); {
	case n > maxColumns:
		saw, want = words.Counted(n, "column"), words.Counted(maxColumns, "column")+" at most"
	case queue:
		var missing []string
		for _, name := range []string{"JobID", "State", "Submit", "Start", "ReqCPUS"} {
			if f, _ := recordType.FieldByName(name); !l.has(name) {
				missing = append(missing, firstName(f.Tag.Get("squeue")))
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

// lacks returns the columns that are missing from the listing although every log should have
// them. Of alternative columns, it returns the best.
func (l *layout) lacks() (names []string) {
	for _, of := range []string{"Submit", "Start", "ElapsedRaw Elapsed End", "NCPUS ReqCPUS AllocTRES ReqTRES", "State"} {
		if any := strings.Fields(of); !l.has(any...) {
			names = append(names, any[0])
		}
	}
	return names
}
