package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ranked are the fits of run times in the order of 'loadstone fit', by BIC.
func (l *Report) ranked() []fit.Report {
	return slices.DeleteFunc(slices.Clone(l.fitted.Fits), func(r fit.Report) bool { return r.Attribute != fit.RunTime })
}

// closest are the fits of run times, those with the least D first.
func (l *Report) closest() []fit.Report {
	all := l.ranked()
	slices.SortStableFunc(all, func(a, b fit.Report) int { return cmp.Compare(a.KS.D, b.KS.D) })
	return all
}

// roundTimes are those at which a table has the curves.
var roundTimes = []float64{1, 10, 60, 600, 3600, 4 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 30 * 86400}

// sharesTable has the curves at round times.
func sharesTable(sample fit.Sample, laws []figure.Law) *page.Table {
	t := page.Table{Caption: "The numbers", Head: []string{"run time up to", "the log"}, Folded: true}
	for _, law := range laws {
		t.Head = append(t.Head, law.Name)
	}
	upTo, i := 0.0, 0
	for _, at := range roundTimes {
		if at < sample.Values[0] || at > sample.Values[len(sample.Values)-1] {
			continue
		}
		for ; i < len(sample.Values) && sample.Values[i] <= at; i++ {
			upTo += sample.Counts[i]
		}
		row := []page.Cell{timeCell(at), shareCell(upTo / float64(sample.Jobs()))}
		for _, law := range laws {
			row = append(row, shareCell(law.CDF(at)))
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}

// goodness is that of all fits, in the order of 'loadstone fit', and which of them can be
// compared.
func (l *Report) goodness(jobs int64) []page.Block {
	fits := l.ranked()
	t := page.Table{Caption: "The fits and their goodness, by BIC, the best first", Head: []string{"distribution", "jobs", "D", "Anderson-Darling", "BIC", "log-likelihood", "status"}}
	for _, r := range fits {
		ad := textCell("–")
		if r.AD != nil {
			ad = sigCell(r.AD.A2)
		}
		whole := func(v stats.Number) page.Cell {
			return cell(v, present.Grouped(int64(math.Round(finiteOr0(float64(v))))))
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(r.Family), countCell(r.N), fixedCell(r.KS.D, 4), ad, whole(r.BIC), whole(r.LogLikelihood), textCell(string(r.Status))})
	}
	t.DropUnknown()
	blocks := []page.Block{tableOf(t)}
	if n := fits[0].N; n < jobs {
		blocks = append(blocks, paragraph("So that they can be compared, all distributions are fitted to the same %s of the %s values: those fitted to the logarithm, such as gamma, need values above 1.", present.Grouped(n), present.Grouped(jobs)))
	}
	for _, r := range fits {
		if r.InModel {
			blocks = append(blocks, paragraph("The model of the site uses %s.", r.Family))
		}
		for _, a := range r.Atoms {
			blocks = append(blocks, remark("warning", sentence(r.Family+": "+a.String())))
		}
	}
	return blocks
}

func finiteOr0(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
