package slurm

import (
	"bytes"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sacctBetween returns what stands between the names of a header line: a bar, or what
// sacct was given by --delimiter, unless it is a letter of names or values.
func sacctBetween(line string) byte {
	if strings.IndexByte(line, '|') >= 0 {
		return '|'
	}
	i := strings.IndexFunc(line, func(r rune) bool { return r != '"' && !isNameRune(r) })
	if i < 0 || line[i] >= 0x80 || strings.IndexByte(" :-.+=/[]%", line[i]) >= 0 {
		return '|'
	}
	return line[i]
}

func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// sacctNames returns the names in a header line.
func sacctNames(line string, between byte) []string {
	if between != '|' {
		line = strings.ReplaceAll(line, `"`, "")
	}
	return strings.Split(line, string(between))
}

// isOtherSacct reports whether a text is sacct's with something else than bars between the
// columns, or a table of it that another program wrote. Its names have sacct's own capitals,
// and unless there are none, one of the first records can be read: other tables may have
// some of the names.
func isOtherSacct(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line, _, whole := bytes.Cut(head, []byte{'\n'})
	text := string(parse.TrimReturn(line))
	between := sacctBetween(text)
	names := sacctNames(text, between)
	if !whole {
		names = names[:len(names)-1] // may be cut
	}
	return between != '|' && hasSacctNames(names) && readsAsSacct(head)
}

// isLongBetween reports whether a text is sacct's with a separator that is no single byte,
// or one that values have too.
func isLongBetween(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	isName := func(r rune) bool { return isNameRune(r) || r == '"' }
	from := bytes.IndexFunc(line, func(r rune) bool { return !isName(r) })
	if from < 0 {
		return false
	}
	to := from + bytes.IndexFunc(line[from:], isName)
	if to <= from || to == from+1 && (line[from] == ' ' || sacctBetween(string(line)) == line[from]) {
		return false
	}
	bars := bytes.ReplaceAll(append(append([]byte(nil), line...), '\n'), line[from:to], []byte{'|'})
	return readsAsSacct(append(bars, bytes.ReplaceAll(rest, line[from:to], []byte{'|'})...))
}

// readsAsSacct reports whether one of the first records of a text with a header line can be
// read, or there are none.
func readsAsSacct(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	l, err := newSacctLayout("", string(parse.TrimReturn(line)))
	if err != nil {
		return false
	}
	p := newSacctParser("", l, time.UTC, nil, &sacctBatch{})
	records := 0
	for line := range bytes.Lines(rest) {
		line, whole := bytes.CutSuffix(line, []byte{'\n'})
		line = parse.TrimReturn(line)
		if len(line) == 0 || !whole && records > 0 {
			continue
		}
		records++
		if _, want := p.record(line, p.cut(line)); want == "" {
			return true
		}
	}
	return records == 0
}

// hasSacctNames reports whether names are sacct's: at least half of them, written as sacct
// writes them, among them a job's number and a time.
func hasSacctNames(names []string) bool {
	known, id, time := 0, false, false
	for _, name := range names {
		c := sacctKnown[strings.ToLower(name)]
		if c.name != name || name == "" {
			continue
		}
		known++
		id = id || c.shape == shapeJobID
		time = time || c.shape == shapeTime || c.field == sacctElapsed || c.field == sacctElapsedRaw
	}
	return id && time && 2*known >= len(names)
}

// joinPieces takes the separators out of p.cuts that are inside a piece: of one in quotes,
// as a program that writes CSV puts them, and in a text with commas those of a list of
// numbers in brackets ("n[1-3,7]") and of a list of resources ("cpu=8,mem=24G").
func (p *sacctParser) joinPieces(record []byte) {
	kept := p.cuts[:1]
	for i := 1; i < len(p.cuts); i++ {
		c := p.cuts[i]
		if i+1 < len(p.cuts) {
			piece, next := record[kept[len(kept)-1]+1:c], record[c+1:p.cuts[i+1]]
			if opensQuote(piece) || p.layout.between == ',' && (opensBracket(piece) || continuesTRES(piece, next)) {
				continue
			}
		}
		kept = append(kept, c)
	}
	p.cuts = kept
}

// opensQuote reports whether a piece begins with a quote that it does not close.
func opensQuote(piece []byte) bool {
	return len(piece) > 0 && piece[0] == '"' && bytes.Count(piece, []byte{'"'})%2 != 0
}

// opensBracket reports whether a piece ends within the brackets of a list of numbers.
func opensBracket(piece []byte) bool {
	at := bytes.LastIndexByte(piece, '[')
	return at >= 0 && at+1 < len(piece) && len(bytes.Trim(piece[at+1:], "0123456789,-%:.")) == 0
}

// continuesTRES reports whether what follows is the next item of a list of resources: of a
// name that the list does not have.
func continuesTRES(list, next []byte) bool {
	name, _, ok := bytes.Cut(next, []byte{'='})
	if !ok || len(name) == 0 || bytes.IndexByte(list, '=') <= 0 || bytes.IndexByte(next, ' ') >= 0 {
		return false
	}
	for item := range bytes.SplitSeq(list, []byte{','}) {
		of, _, ok := bytes.Cut(item, []byte{'='})
		if !ok || bytes.Equal(of, name) {
			return false
		}
	}
	return true
}

// unquote takes the quotes off the values of a record.
func (p *sacctParser) unquote() {
	if p.layout.between == '|' {
		return
	}
	for _, c := range p.layout.used {
		p.values[c.field] = p.layout.value(p.values[c.field])
	}
}

// value returns what a piece stands for, without the quotes around it.
func (l *sacctLayout) value(v []byte) []byte {
	if l.between == '|' || len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v
	}
	if v = v[1 : len(v)-1]; bytes.IndexByte(v, '"') >= 0 {
		v = bytes.ReplaceAll(v, []byte(`""`), []byte(`"`))
	}
	return v
}
