package report

import (
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
)

// fullLogs is up to how many logs a page has all pictures: those of more would
// be larger than 3 MB.
const fullLogs = 2

// ofFew are pictures that a page of more logs leaves out, by the beginnings of
// their names.
var ofFew = []string{"wait-scatter", "wait-burst", "run-times-density", "run-times-qq", "run-times-pp", "sizes-pp", "interarrivals", "submissions"}

// thinned are the blocks without those pictures.
func (r *Report) thinned(l *logReport, blocks []page.Block) []page.Block {
	if len(r.logs) <= fullLogs {
		return blocks
	}
	return slices.DeleteFunc(blocks, func(b page.Block) bool {
		return b.Figure != nil && slices.ContainsFunc(ofFew, func(name string) bool { return strings.HasPrefix(strings.TrimPrefix(b.Figure.ID, l.id), name) })
	})
}

// thinnedWords say what is left out.
const thinnedWords = "To keep the page small, a report of more than two logs leaves out some pictures: submissions in five minutes, distributions of interarrival times, densities, Q-Q and P-P plots, and single waits. A report of one or two logs has them."

// glance has what is worth knowing first of several logs.
func (r *Report) glance() page.Section {
	t := page.Table{Caption: "The logs side by side", Head: []string{""}}
	var names []string
	found := map[string]map[int]page.Fact{}
	for i, l := range r.logs {
		t.Head = append(t.Head, l.name)
		for _, f := range append(l.key(), l.scored()...) {
			if found[f.Name] == nil {
				found[f.Name] = map[int]page.Fact{}
				names = append(names, f.Name)
			}
			found[f.Name][i] = f
		}
	}
	for _, name := range names {
		row := []page.Cell{textCell(name)}
		for i := range r.logs {
			c := textCell("–")
			if f, ok := found[name][i]; ok {
				c = f.Value
				c.Note = f.More
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	blocks := []page.Block{tableOf(t)}
	if len(r.logs) > fullLogs {
		blocks = append(blocks, remark("missing", thinnedWords))
	}
	return page.Section{ID: "glance", Title: "At a glance", Parts: []page.Part{{Blocks: blocks}}}
}
