package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/stats"
)

// drawnLaws is how many laws a chart shows: those closest to the jobs.
const drawnLaws = 4

// closest are the fits of run times, those with the least D first.
func (l *logReport) closest() []fit.Report { return closestTo(l.fitted, fit.RunTime) }

// ranked are the fits of an attribute in the order of 'loadstone fit', by BIC.
func ranked(f *survey.Result, attribute fit.Attribute) []fit.Report {
	return slices.DeleteFunc(slices.Clone(f.Fits), func(r fit.Report) bool { return r.Attribute != attribute })
}

func closestTo(f *survey.Result, attribute fit.Attribute) []fit.Report {
	all := ranked(f, attribute)
	slices.SortStableFunc(all, func(a, b fit.Report) int { return cmp.Compare(a.KS.D, b.KS.D) })
	return all
}

// fittedTo is an attribute of all jobs with the laws fitted to it.
type fittedTo struct {
	of     *logReport
	what   figure.Quantity
	words  attributeWords
	sample fit.Sample
	data   figure.Sample
	own    []fit.Report // the closest first
	ranked []fit.Report // the same, by BIC
	laws   []figure.Law // those drawn
}

// attributeWords name an attribute, and write its values.
type attributeWords struct {
	many, one string
	cell      func(float64) page.Cell
	rounds    []float64 // round values, for tables
}

var wordsOf = map[fit.Attribute]attributeWords{
	fit.RunTime:      {"run times", "run time", timeCell[float64], []float64{1, 10, 60, 600, 3600, 4 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 30 * 86400}},
	fit.Interarrival: {"interarrival times", "interarrival time", timeCell[float64], []float64{1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 4 * 3600, 86400}},
	fit.Size:         {"sizes", "size", sigCell[float64], []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384}},
}

// fittedTo is what was fitted to an attribute, or why nothing was.
func (l *logReport) fittedTo(f *survey.Result, attribute fit.Attribute) (x fittedTo, why string) {
	x = fittedTo{of: l, what: figure.Quantity(attribute), words: wordsOf[attribute], sample: f.Classes[0].Sample(attribute), own: closestTo(f, attribute), ranked: ranked(f, attribute)}
	if len(x.sample.Values) == 0 || len(x.own) == 0 {
		return x, "No distribution could be fitted to the " + x.words.many + "."
	}
	x.data = figure.Sample{Values: x.sample.Values, Counts: x.sample.Counts}
	for _, r := range x.drawn() {
		law, err := figure.LawOf(r, x.sample)
		if err != nil {
			return x, sentence(err.Error())
		}
		x.laws = append(x.laws, law)
	}
	return x, ""
}

func (x fittedTo) drawn() []fit.Report { return x.own[:min(len(x.own), drawnLaws)] }

// distribution is the distribution function with the laws.
func (x fittedTo) distribution(id, caption, alt string) page.Block {
	best := x.own[0]
	alt += fmt.Sprintf(" Of the fitted distributions, the closest is %s, which differs from the log by at most %s %% of the jobs.", best.Family, present.Fixed(100*best.KS.D, 1))
	return x.of.picture(page.Figure{ID: id, Caption: caption, Alt: alt, Table: x.shares()}, func(w io.Writer) error {
		return figure.Distribution(w, figure.Compact, x.of.name, x.what, x.data, x.laws)
	})
}

// shares are the curves' at round values.
func (x fittedTo) shares() *page.Table {
	t := page.Table{Caption: "The numbers", Head: []string{x.words.one + " up to", "the log"}, Folded: true}
	for _, law := range x.laws {
		t.Head = append(t.Head, law.Name)
	}
	upTo, i := 0.0, 0
	for _, at := range x.words.rounds {
		if at < x.sample.Values[0] || at > x.sample.Values[len(x.sample.Values)-1] {
			continue
		}
		for ; i < len(x.sample.Values) && x.sample.Values[i] <= at; i++ {
			upTo += x.sample.Counts[i]
		}
		row := []page.Cell{x.words.cell(at), shareCell(upTo / float64(x.sample.Jobs()))}
		for _, law := range x.laws {
			row = append(row, shareCell(law.CDF(at)))
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}

// quantiles is the Q-Q plot of the closest laws.
func (x fittedTo) quantiles(id string) page.Block {
	return x.diagonal(page.Figure{ID: id, Caption: "Q-Q plot of the " + x.words.many + ": quantiles of the fits and of the log",
		Alt: fmt.Sprintf("Quantiles of the %s in the log against those of %s; one that fits lies on the diagonal.", x.words.many, countedText(int64(len(x.laws)), "fitted distribution"))},
		fit.Report.QQ, figure.QQ)
}

// probabilities is their P-P plot.
func (x fittedTo) probabilities(id string) page.Block {
	return x.diagonal(page.Figure{ID: id, Caption: "P-P plot of the " + x.words.many + ": shares by the fits and in the log",
		Alt: fmt.Sprintf("Shares of the %s up to each value, in the log against those by %s; one that fits lies on the diagonal.", x.words.many, countedText(int64(len(x.laws)), "fitted distribution"))},
		fit.Report.PP, figure.PP)
}

func (x fittedTo) diagonal(f page.Figure, points func(fit.Report, fit.Sample, int) ([]fit.Point, error),
	draw func(io.Writer, string, string, figure.Quantity, []figure.Pairs) error) page.Block {
	table, err := x.diagonalTable()
	if err != nil {
		return remark("missing", sentence(err.Error()))
	}
	f.Table = table
	all, err := figure.PairsOf(x.drawn(), x.sample, min(len(x.sample.Values), mostPoints), points)
	if err != nil {
		return remark("missing", sentence(err.Error()))
	}
	return x.of.picture(f, func(w io.Writer) error { return draw(w, figure.Compact, x.of.name, x.what, all) })
}

// diagonalTable has the numbers of both plots: of some values of the log their shares,
// and the distributions' shares of the same values and quantiles of the same shares.
func (x fittedTo) diagonalTable() (*page.Table, error) {
	const few = 15 // rows of a distribution
	shares, err := figure.PairsOf(x.drawn(), x.sample, few, fit.Report.PP)
	if err != nil {
		return nil, err
	}
	quantiles, err := figure.PairsOf(x.drawn(), x.sample, few, fit.Report.QQ)
	if err != nil {
		return nil, err
	}
	t := &page.Table{Caption: "The numbers", Head: []string{"distribution", "quantile", "of the log", "of the fit", "share by the fit"}, Folded: true}
	for k, p := range shares {
		q := quantiles[k]
		if len(p.Log) != len(q.Log) {
			continue // a distribution that has no quantile of a share
		}
		for i := range p.Log {
			t.Rows = append(t.Rows, []page.Cell{textCell(p.Name), shareCell(p.Log[i]), x.words.cell(q.Log[i]), x.words.cell(q.Model[i]), shareCell(p.Model[i])})
		}
	}
	return t, nil
}

// mostPoints is how many points of a law are computed for a picture, which draws
// fewer: a law's quantile is a search.
const mostPoints = 120

// goodness is that of all fits, in the order of 'loadstone fit', and which of them can be
// compared.
func (x fittedTo) goodness(caption string) []page.Block {
	t := page.Table{Caption: caption + ", by BIC, the best first", Head: []string{"distribution", "jobs", "D", "p-value", "Anderson-Darling", "BIC", "log-likelihood", "status"}}
	for _, r := range x.ranked {
		ad := textCell("–")
		if r.AD != nil {
			ad = sigCell(r.AD.A2)
		}
		p := textCell("–")
		if text := present.PValue(r.KS.Significance); text != "" {
			p = cell(r.KS.PValue, text)
		}
		whole := func(v stats.Number) page.Cell {
			return cell(v, present.Grouped(int64(math.Round(finiteOr0(float64(v))))))
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(r.Family), countCell(r.N), fixedCell(r.KS.D, 4), p, ad, whole(r.BIC), whole(r.LogLikelihood), textCell(string(r.Status))})
	}
	t.DropUnknown() // p-values, without --replicates
	blocks := []page.Block{tableOf(t)}
	if n, all := x.own[0].N, x.sample.Jobs(); n < all {
		blocks = append(blocks, paragraph("So that they can be compared, all distributions are fitted to the same %s of the %s values: those fitted to the logarithm, such as gamma, need values above 1.", present.Grouped(n), present.Grouped(all)))
	}
	for _, r := range x.ranked {
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
