package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// model is the site's model, as a table and as a file.
func (l *Report) model() []page.Block {
	if l.fitted == nil {
		return missing(l.why["fit"])
	}
	site := l.fitted.Model
	if len(site.Classes) == 0 {
		return []page.Block{{Remark: &page.Remark{Kind: "missing", Text: "No model of the site could be fitted: see " + RemarksTitle + ".", Link: remarksID}}}
	}
	blocks := l.savedModel()
	for i, c := range site.Classes[:len(l.fitted.Site.Classes)] {
		blocks = append(blocks, tableOf(modelTable(site, c, i, l)))
	}
	for _, part := range l.fittedTables() {
		blocks = append(blocks, tableOf(part))
	}
	return blocks
}

// savedModel is the model of the site's users as a file.
func (l *Report) savedModel() []page.Block {
	if l.saved == nil {
		return missing("There is no file of the model: " + lowerFirst(l.why[modelPart]))
	}
	name := l.modelName()
	return []page.Block{
		paragraph("The file has the model of the site's users, which 'loadstone fit LOG -o FILE' writes; it does not have the parameters below."),
		{File: &page.File{Name: name, Label: "Save the model of the users (" + name + ")", Kind: "application/json", Data: l.saved}},
		{Shell: []string{"loadstone generate --model " + shellWord(name) + " --jobs 100000" + l.atLoad() + " --seed 7 -o synthetic.swf"}},
	}
}

// atLoad is the flag by which generate reaches the log's load, which the model itself may miss.
func (l *Report) atLoad() string {
	load := float64(l.describe.OfferedLoad)
	if !(load > 0) || math.IsInf(load, 0) {
		return ""
	}
	return fmt.Sprintf(" --load %.3g", load)
}

// modelTable has the parameters of a class.
func modelTable(m model.Site, c model.Class, i int, l *Report) page.Table {
	of := "the model"
	if len(m.Classes) > 1 {
		of = c.Name
	}
	t := page.Table{Caption: fmt.Sprintf("Parameters of %s, for %s processors", of, present.Grouped(m.Processors)), Head: []string{"of", "parameter", "value", "goodness"}}
	r := l.fitted.Site.Classes[i]
	row := func(of, name string, value page.Cell, goodness string) {
		t.Rows = append(t.Rows, []page.Cell{textCell(of), textCell(name), value, textCell(goodness)})
	}
	gamma := func(of, what string, g dist.Gamma, goodness string) {
		row(of, what+"shape", sigCell(g.Shape), goodness)
		row(of, what+"scale", sigCell(g.Scale), "")
	}
	lublin := c.Lublin()
	s, log2 := lublin.Sizes, lublin.Log2
	row("sizes", "share of serial jobs", fixedCell(s.SerialShare, 4), "")
	row("sizes", "share of powers of two, of the others", fixedCell(s.PowerOfTwoShare, 4), "")
	row("sizes", "log2 size, low", sigCell(log2.Low), "D "+present.Fixed(r.Sizes.DGenerated, 4))
	row("sizes", "log2 size, middle", sigCell(log2.Mid), "")
	row("sizes", "log2 size, high", sigCell(log2.High), "")
	row("sizes", "share below the middle", fixedCell(log2.P, 4), "")
	run := lublin.RunTimes
	law := run.Law
	gamma("ln of run times", "short jobs, ", law.First, "D "+present.Fixed(r.RunTimes.Law.KS.D, 4))
	gamma("ln of run times", "long jobs, ", law.Second, "")
	form := "p(size), intercept"
	if run.PForm == model.LogOdds {
		form = "log-odds of p(size), intercept"
	}
	row("ln of run times", form, sigCell(run.PIntercept), "")
	row("ln of run times", "slope, per processor", sigCell(run.PSlope), "")
	row("ln of run times", "largest", sigCell(run.MaxLn), r.RunTimes.MaxLnSource)
	gamma("ln of interarrival times at peak", "", lublin.Gaps.Peak, "D "+present.Fixed(r.Arrivals.Peak.KS.D, 4))
	row("arrivals", "ARAR", fixedCell(lublin.Gaps.ARAR, 4), "")
	if cycle := r.Arrivals.Cycle; cycle != nil && c.Arrivals.Method != model.Stationary {
		goodness := "D " + present.Fixed(cycle.D, 4)
		if !cycle.Fits() {
			goodness += ": does not fit"
		}
		gamma("daily cycle, half hours", "", lublin.Cycle, goodness)
	}
	return t
}

// fittedTables is all that was fitted of the site, as 'fit --site full' prints
// it, on demand.
func (l *Report) fittedTables() []page.Table {
	var all []page.Table
	for _, r := range l.fitted.Site.Classes {
		for _, part := range tables.ClassTables(r) {
			t := page.Table{Caption: "More: " + part.Title, Head: part.Table.Head, Folded: true}
			for _, row := range part.Table.Rows {
				var cells []page.Cell
				for _, text := range row {
					cells = append(cells, textCell(text))
				}
				t.Rows = append(t.Rows, cells)
			}
			all = append(all, t)
		}
	}
	return all
}

func lowerFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
