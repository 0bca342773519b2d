package gwf

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// lineFormat writes jobs as lines of the grid workload format: 29 fields, tabs
// between and no blank within, so that readers of either see the same, -1
// where a value is unknown. A user, group, application, queue or partition is
// written as its name where the header has one ("User: 3 alice"), else as its
// number. It may be used from several goroutines at once.
type lineFormat struct {
	texts [workload.NumColumns]map[int64]string
	sites bool // partition_id is a site: see site.go
}

// gwfTail has the fields for which the job table has no column.
var gwfTail = strings.Repeat("\t-1", gwfFields-gwfStructure) + "\n"

func newLineFormat(h workload.Header) *lineFormat {
	f := &lineFormat{sites: h.Get(gwfSiteKey) == gwfSiteRule}
	names, _ := gwfNamesOf(&h)
	for col := gwfUser; col <= gwfPartition; col++ {
		f.texts[col] = distinctTexts(names[col])
	}
	return f
}

func (f *lineFormat) append(dst []byte, rec workload.Batch) []byte {
	v := workload.NewView(rec)
	for i := range v.Len() {
		for c := range gwfUser {
			switch {
			case v.IsNull(c, i):
				dst = append(dst, "-1"...)
			case v.Floats(c) != nil:
				dst = parse.AppendNumber(dst, v.Floats(c)[i])
			default:
				dst = parse.AppendWhole(dst, v.Ints(c)[i])
			}
			dst = append(dst, '\t')
		}
		for c := gwfUser; c < gwfPartition; c++ {
			dst = f.appendText(dst, v, c, i)
			dst = append(dst, '\t')
		}
		if f.sites {
			dst = append(dst, "-1\t-1\t"...)
			dst = f.appendText(dst, v, gwfPartition, i)
		} else {
			dst = f.appendText(dst, v, gwfPartition, i)
			dst = append(dst, "\t-1\t-1"...)
		}
		dst = append(dst, gwfTail...)
	}
	return dst
}

func (f *lineFormat) appendText(dst []byte, v *workload.View, col, row int) []byte {
	n := v.Int(col, row)
	if n == workload.Unknown {
		return append(dst, "-1"...)
	}
	if text, ok := f.texts[col][n]; ok {
		return append(dst, text...)
	}
	return parse.AppendWhole(dst, n)
}

// appendHeader appends a header as comment lines, without what the fields of jobs say:
// names, and which field a partition is.
func appendHeader(dst []byte, h workload.Header) []byte {
	_, said := gwfNamesOf(&h)
	for i, line := range h.Lines {
		if said[i] {
			continue
		}
		dst = parse.AppendComment(dst, '#', line)
	}
	return dst
}

// gwfNamesOf returns the names that a header has for the numbers of a column,
// and which of its lines need not be written because the fields say so.
func gwfNamesOf(h *workload.Header) (names [workload.NumColumns]map[int64]string, said map[int]bool) {
	said = map[int]bool{}
	for _, f := range h.Fields() {
		if strings.EqualFold(f.Key, gwfSiteKey) && f.Value == gwfSiteRule {
			said[f.Line] = true
			continue
		}
		col, ok := nameColumn(f.Key)
		if !ok {
			continue
		}
		n, name, _, ok := gwfName(f.Value)
		if !ok {
			continue
		}
		if names[col] == nil {
			names[col] = map[int64]string{}
		}
		if _, again := names[col][n]; again {
			continue // the second name of a number stays a comment
		}
		names[col][n] = name
		said[f.Line] = true
		// A line of a header made by a program may itself have several.
		for i, more := f.Line+1, strings.Count(f.Value, "\n"); more > 0; i++ {
			said[i] = true
			more -= strings.Count(strings.TrimSpace(h.Lines[i]), "\n") + 1
		}
	}
	return names, said
}

// nameColumn is the column whose names are under a keyword.
func nameColumn(key string) (int, bool) {
	for _, col := range workload.NamedColumns() {
		if strings.EqualFold(workload.NameKey(col), key) {
			return col, true
		}
	}
	return 0, false
}

// gwfName reads a header's line that names something, for a field, which may
// not have blanks in it. whole says that nothing of the value but blanks is
// lost in the name.
func gwfName(value string) (n int64, name string, whole, ok bool) {
	n, name, whole, ok = workload.ParseNamed(value)
	name = strings.Join(strings.Fields(name), "_")
	if !ok || n == workload.Unknown || !gwfKnown([]byte(name)) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return 0, "", false, false
	}
	return n, name, whole, true
}

// distinctTexts makes the texts of numbers unique: of two equal names, or a name that looks
// like another number, the later gets its number appended.
func distinctTexts(names map[int64]string) map[int64]string {
	texts := make(map[int64]string, len(names))
	taken := make(map[string]bool, len(names))
	for _, n := range slices.Sorted(maps.Keys(names)) {
		text := names[n]
		number, err := strconv.ParseInt(text, 10, 64)
		_, named := names[number]
		for taken[text] || err == nil && number != n && !named {
			text += "_" + strconv.FormatInt(n, 10)
			err = strconv.ErrSyntax // it is no number now
		}
		taken[text] = true
		texts[n] = text
	}
	return texts
}
