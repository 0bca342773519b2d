package tables

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/stats"
)

// boardRow is one predictor on one log.
type boardRow struct {
	log board.Log
	of  *board.Predictor
	board.LogScore
}

// Board is a scoreboard in its three forms, and as a page.
func Board(b *board.Board) present.Result {
	var rows []boardRow
	for i := range b.Predictors {
		for k := range b.Logs {
			rows = append(rows, boardRow{b.Logs[k], &b.Predictors[i], b.Predictors[i].Logs[k]})
		}
	}
	csv := present.CSV([]present.Column[boardRow]{
		present.Text("predictor", "", func(r boardRow) string { return r.of.Predictor }),
		present.Text("classes", "", func(r boardRow) string { return r.of.Classes }),
		present.Text("log", "", func(r boardRow) string { return r.log.Name }),
		present.Count("jobs", "", func(r boardRow) int { return r.log.Jobs }),
		present.Count("common_jobs", "", func(r boardRow) int { return r.log.Common }),
		present.Float("rank", "", func(r boardRow) stats.Number { return stats.Number(r.Rank) }, nil),
		present.Float(b.Score, "", func(r boardRow) stats.Number { return r.Score }, nil),
		present.Float("coverage", "", func(r boardRow) stats.Number { return r.Coverage }, nil),
		present.Float("difference", "", func(r boardRow) stats.Number { return r.Behind }, nil),
		present.Float("difference_low", "", func(r boardRow) stats.Number { return r.BehindLow }, nil),
		present.Float("difference_high", "", func(r boardRow) stats.Number { return r.BehindHigh }, nil),
		present.Float("mean_rank", "", func(r boardRow) stats.Number { return stats.Number(r.of.MeanRank) }, nil),
	}, rows)
	text := func(w *present.Screen) {
		w.Printf("%s\n\n", boardWords(b))
		w.Table(present.People(boardColumns(b), b.Predictors))
		w.Printf("\n")
		w.Table(present.People(boardLogColumns(), b.Logs))
		w.Printf("\n%s\n", boardMade(b))
	}
	return present.Result{Text: text, JSON: b, CSV: csv, Page: func(w io.Writer) error { return page.Write(w, boardPage(b)) }}
}

// boardColumns are those for people: a column a log.
func boardColumns(b *board.Board) []present.Column[board.Predictor] {
	type row = board.Predictor
	columns := []present.Column[row]{present.Text("", "predictor", func(p row) string { return p.Predictor })}
	if b.Of == predictions.OfRunTimes {
		columns = append(columns, present.Text("", "classes", func(p row) string { return p.Classes }))
	}
	columns = append(columns,
		present.Text("", "mean rank", func(p row) string { return present.Fixed(p.MeanRank, 2) }),
		present.Count("", "best on", func(p row) int { return p.Firsts }))
	if b.Higher { // a loss is of another size on each log
		columns = append(columns, present.Float("", "mean", func(p row) stats.Number { return p.Mean }, decimals(3)))
	}
	for k, log := range b.Logs {
		columns = append(columns, present.Text("", LogName(log.Name), func(p row) string { return boardCell(&p.Logs[k]) }))
	}
	return columns
}

// boardCell returns a score with its rank.
func boardCell(s *board.LogScore) string {
	if math.IsNaN(float64(s.Score)) {
		return "-"
	}
	star := ""
	if s.Level() && s.Behind != 0 {
		star = "*"
	}
	digits := 3
	if s.Score >= 10 {
		digits = 1
	}
	return fmt.Sprintf("%s%s (%s)", present.Fixed(s.Score, digits), star, strconv.FormatFloat(s.Rank, 'g', 4, 64))
}

func boardLogColumns() []present.Column[board.Log] {
	type row = board.Log
	return []present.Column[row]{
		present.Text("", "log", func(l row) string { return LogName(l.Name) }),
		present.Count("", "jobs", func(l row) int { return l.Jobs }),
		present.Count("", "common", func(l row) int { return l.Common }),
	}
}

// LogName returns a log's name for a heading: that of its file without the extension.
func LogName(path string) string {
	name := filepath.Base(path)
	for _, packed := range []string{".gz", ".zst", ".xz", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// boardPage returns the scoreboard as a page.
func boardPage(b *board.Board) page.Page {
	title := "Scoreboard of run time predictors"
	if b.Of == predictions.OfWaits {
		title = "Scoreboard of wait predictors"
	}
	section := func(id, title, about string, blocks ...page.Block) page.Section {
		return page.Section{ID: id, Title: title, About: about, Blocks: blocks}
	}
	named := 1 // columns that name a predictor
	if b.Of == predictions.OfRunTimes {
		named = 2
	}
	behind := boardColumns(b)[:named:named]
	for k, log := range b.Logs {
		behind = append(behind, present.Text("", LogName(log.Name), func(p board.Predictor) string { return boardBehind(&p.Logs[k]) }))
	}
	return page.Page{
		Title: title, About: fmt.Sprintf("%d predictors on %d logs. %s", len(b.Predictors), len(b.Logs), boardMade(b)),
		Sections: []page.Section{
			section("scores", "Scores and ranks", boardWords(b), page.Block{Table: pageTable("Predictors by mean rank", present.People(boardColumns(b), b.Predictors))}),
			section("differences", "Differences from the best", boardBehindWords(b),
				page.Block{Table: pageTable("Differences from the best of each log", present.People(behind, b.Predictors))}),
			section("logs", "Logs", "Common jobs are those that the scores are over.", page.Block{Table: pageTable("Jobs of each log", present.People(boardLogColumns(), b.Logs))}),
		},
	}
}

// boardBest is printed instead of a difference for the best predictor of a log.
const boardBest = "best"

// boardBehind returns a difference with its interval.
func boardBehind(s *board.LogScore) string {
	switch {
	case math.IsNaN(float64(s.Behind)):
		return "-"
	case s.Behind == 0:
		return boardBest
	case math.IsNaN(float64(s.BehindLow)):
		return fmt.Sprintf("%+.3f", s.Behind)
	}
	return fmt.Sprintf("%+.3f (%+.3f to %+.3f)", s.Behind, s.BehindLow, s.BehindHigh)
}

// pageTable returns a table as HTML.
func pageTable(caption string, t present.Table) *page.Table {
	out := &page.Table{Caption: caption, Head: t.Head}
	for _, row := range t.Rows {
		var cells []page.Cell
		for _, text := range row {
			c := page.Cell{Text: text}
			number, _, _ := strings.Cut(text, " (") // with its rank or interval
			if x, err := strconv.ParseFloat(strings.TrimSuffix(number, "*"), 64); err == nil {
				c.Value = strconv.FormatFloat(x, 'g', -1, 64)
			} else if text == boardBest {
				c.Value = "0"
			}
			cells = append(cells, c)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}
