package tables

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
)

// boardRow is one predictor on one log.
type boardRow struct {
	*board.Predictor
	board.Log
	board.LogScore
}

// Board is a scoreboard in its three forms, and as a page.
func Board(b *board.Board) view.Result {
	var rows []boardRow
	for i := range b.Predictors {
		for k := range b.Logs {
			rows = append(rows, boardRow{&b.Predictors[i], b.Logs[k], b.Predictors[i].Logs[k]})
		}
	}
	return view.Result{
		Text: func(w *view.Screen) { w.Printf("%s", prose.Text("board", scoreboard{b})) }, JSON: b, CSV: view.CSV(rows),
		Page: func(w io.Writer) error { return page.Write(w, scoreboard{b}.page()) },
	}
}

// scoreboard is what the templates of prose/board.txt are given.
type scoreboard struct{ *board.Board }

// Scores is the predictors, with a column a log.
func (b scoreboard) Scores() view.Table {
	if !b.Higher { // a loss is of another size on each log
		return b.byLog(boardCell, "mean").Table()
	}
	return b.byLog(boardCell).Table()
}

// byLog is the predictors without some columns, and with a cell for each log, whatever its
// name.
func (b scoreboard) byLog(cell func(*board.LogScore) string, without ...string) *view.People[board.Predictor] {
	t := view.For(b.Predictors).Without(without...)
	for k, log := range b.Logs {
		t.With(view.Cell[board.Predictor]{Heading: LogName(log.Name), Text: func(p board.Predictor) string { return cell(&p.Logs[k]) }})
	}
	return t
}

// LogTable is the logs.
func (b scoreboard) LogTable() view.Table {
	return view.For(b.Logs).With(view.Cell[board.Log]{First: true, Heading: "log", Text: func(l board.Log) string { return LogName(l.Name) }}).Table()
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
	return fmt.Sprintf("%s%s (%s)", view.Fixed(s.Score, digits), star, strconv.FormatFloat(s.Rank, 'g', 4, 64))
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

// LogName returns a log's name for a heading: that of its file without the extension.
func LogName(path string) string {
	name := filepath.Base(path)
	for _, packed := range []string{".gz", ".zst", ".xz", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// page returns the scoreboard as a page.
func (b scoreboard) page() page.Page {
	p := page.Page{Title: prose.Text("board title", b), About: fmt.Sprintf("%d predictors on %d logs. %s", len(b.Predictors), len(b.Logs), prose.Text("board made", b))}
	add := func(id, title, about, caption string, t view.Table) {
		p.Sections = append(p.Sections, page.Section{ID: id, Title: title, About: about, Table: pageTable(caption, t)})
	}
	add("scores", "Scores and ranks", prose.Text("board scores", b), "Predictors by mean rank", b.Scores())
	add("differences", "Differences from the best", prose.Text("board differences", b), "Differences from the best of each log",
		b.byLog(boardBehind, "mean rank", "best on", "mean").Table())
	add("logs", "Logs", "Common jobs are those that the scores are over.", "Jobs of each log", b.LogTable())
	return p
}

// pageTable returns a table of a page.
func pageTable(caption string, t view.Table) *page.Table {
	return &page.Table{Caption: caption, Head: t.Head, Rows: t.Rows}
}
