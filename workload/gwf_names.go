package workload

import "math"

const (
	// maxNameBytes bounds the names that are kept, as the lines that they will
	// be in the header: all of them have to fit one.
	maxNameBytes = maxHeader / 4 * 3
	// nameLineBytes is what a name takes beside its text.
	nameLineBytes = 40
	// gwfNoNumber stands for the number of a text that there is no room for.
	gwfNoNumber = math.MaxUint64
)

// gwfNames are the Names of a log, in bounded memory.
type gwfNames struct {
	Names
	bytes int
	left  [NumColumns]Warning
	most  int // for tests; 0 is maxNameBytes
}

// number gives texts of one column, in the order of their appearance, the
// log's numbers: numbers[i+1] is that of texts[i]. It is not complete where
// there was no room for one.
func (n *gwfNames) number(col int, texts []string) (numbers []uint64, complete bool) {
	most := n.most
	if most == 0 {
		most = maxNameBytes
	}
	numbers = make([]uint64, len(texts)+1)
	complete = true
	for i, text := range texts {
		if _, ok := n.numbers[col][text]; !ok {
			if n.bytes+len(text)+nameLineBytes > most {
				numbers[i+1] = gwfNoNumber
				complete = false
				continue
			}
			n.bytes += len(text) + nameLineBytes
		}
		numbers[i+1] = uint64(n.Number(col, text))
	}
	return numbers, complete
}

// leftOut counts a value that has no number.
func (n *gwfNames) leftOut(col int, line int64) {
	if n.left[col].Count++; n.left[col].Count == 1 {
		n.left[col].Line = line
	}
}

func (n *gwfNames) warn(w *Warnings) {
	for col, left := range n.left {
		if left.Count > 0 {
			left.Rule = "many-names-" + columns[col].Name
			left.Text = "values of " + columns[col].Name + " left unknown: there are more different names than a header has room for"
			w.add(left)
		}
	}
}
