package workload

import "unicode/utf8"

const (
	// maxNameBytes bounds the names that a log keeps, as the lines that they
	// will be in the header: all of them have to fit one.
	maxNameBytes = maxHeader / 4 * 3
	// nameLineBytes is what a name takes beside its text.
	nameLineBytes = 40
)

// logNames are the Names of a log, in bounded memory.
type logNames struct {
	Names
	// apart gives each column a part of the room for itself, so that columns
	// may be filled at the same time and come out the same.
	apart bool
	bytes [NumColumns]int
	left  [NumColumns]Warning
	most  int // 0 is maxNameBytes
}

// number returns a text's number. Beyond the bound new texts are Unknown, and
// known is false.
func (n *logNames) number(col int, text []byte) (id int64, known bool) {
	if len(text) == 0 {
		return Unknown, true
	}
	if id, ok := n.Find(col, string(text)); ok {
		return id, true
	}
	most := n.most
	if most == 0 {
		most = maxNameBytes
	}
	used := n.bytes[col]
	if n.apart {
		most /= len(NamedColumns())
	} else {
		for _, c := range NamedColumns() {
			if c != col {
				used += n.bytes[c]
			}
		}
	}
	if used+len(text)+nameLineBytes > most {
		return Unknown, false
	}
	n.bytes[col] += len(text) + nameLineBytes
	return n.Number(col, string(text)), true
}

// numberAll gives the texts of a chunk the log's numbers: numbers[i] is that
// of text i, Unknown where there is no room for one, and numbers[0] is Unknown.
func (n *logNames) numberAll(col int, texts *chunkTexts) (numbers []int64, complete bool) {
	numbers = make([]int64, texts.len()+1)
	numbers[0] = Unknown
	complete = true
	for i := 1; i < len(numbers); i++ {
		known := false
		numbers[i], known = n.number(col, texts.at(int64(i)))
		complete = complete && known
	}
	return numbers, complete
}

// leftOut counts a value that has no number.
func (n *logNames) leftOut(col int, line int64) {
	if n.left[col].Count++; n.left[col].Count == 1 {
		n.left[col].Line = line
	}
}

// warn says how many values have no number.
func (n *logNames) warn(w *Warnings) {
	for col, left := range n.left {
		if left.Count > 0 {
			left.Rule = "many-names-" + ColumnAt(col).Name
			left.Text = "values of " + ColumnAt(col).Name + " left unknown: there are more different names than a header has room for"
			w.Count(left)
		}
	}
}

// checkText says what is wrong with a text that names something, or "".
func checkText(text []byte) (want string) {
	if !utf8.Valid(text) {
		return "UTF-8 text"
	}
	return ""
}
