package tables

import (
	"fmt"
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
)

// RunTimes presents scores of run-time predictors.
func RunTimes(r *evaluate.RunTimesResult) view.Result {
	return prose.Result("runtime", runTimes{r}, r, r.Scores)
}

// runTimes is the data of the template.
type runTimes struct{ *evaluate.RunTimesResult }

// sameClasses holds classifications of jobs for which every predictor has the same scores, such
// as user and user-site in a log of one site.
type sameClasses struct {
	First  string
	Others []string
}

// Same returns the classifications of jobs, grouped by equal scores.
func (r runTimes) Same() (all []sameClasses) {
	scores := map[string]string{}
	for _, s := range r.Scores {
		scores[s.Classes] += fmt.Sprintln(s.Predictor, s.Predicted, s.RunTime, s.Bias)
	}
	for _, s := range r.Scores {
		i := slices.IndexFunc(all, func(c sameClasses) bool { return scores[c.First] == scores[s.Classes] })
		switch {
		case i < 0:
			all = append(all, sameClasses{First: s.Classes})
		case all[i].First != s.Classes && !slices.Contains(all[i].Others, s.Classes):
			all[i].Others = append(all[i].Others, s.Classes)
		}
	}
	return all
}

// Shown returns the scores of the first classification of each group that Same returns.
func (r runTimes) Shown() []evaluate.RunTimeScore {
	same := r.Same()
	return slices.DeleteFunc(slices.Clone(r.Scores), func(s evaluate.RunTimeScore) bool {
		return !slices.ContainsFunc(same, func(c sameClasses) bool { return c.First == s.Classes })
	})
}

// Waits presents scores of wait predictors. processors is the number of processors of each site
// that the user gave.
func Waits(r *evaluate.WaitsResult, processors int64) view.Result {
	csv := []any{r.Scores}
	if r.Arrivals != nil {
		var sampled []sampledScore
		for _, s := range r.Arrivals.Scores {
			sampled = append(sampled, sampledScore{"log-sample", s})
		}
		csv = append(csv, sampled)
	}
	return prose.Result("predict", waits{r, processors}, r, csv...)
}

// waits is the data of the template.
type waits struct {
	*evaluate.WaitsResult
	Given int64 // processors of each site, as the user gave them
}

// OnSites reports whether each site has a queue.
func (w waits) OnSites() bool { return w.Sites != nil }

// sampledScore is a score on a sample of the log's jobs. Its column waits distinguishes it from
// scores on other waits.
type sampledScore struct {
	Waits string `csv:"waits"`
	evaluate.ArrivalScore
}

// boardRow is a row of the CSV: the scores of one predictor on one log.
type boardRow struct {
	*board.Predictor
	board.Log
	board.LogScore
}

// Board presents a scoreboard, which can also be written as a page.
func Board(b *board.Board) view.Result {
	var rows []boardRow
	for i := range b.Predictors {
		for k := range b.Logs {
			rows = append(rows, boardRow{&b.Predictors[i], b.Logs[k], b.Predictors[i].Logs[k]})
		}
	}
	r := prose.Result("board", b, b, rows)
	r.Page = func(w io.Writer) error { return page.Write(w, boardPage(b)) }
	return r
}

func boardPage(b *board.Board) page.Page {
	p := page.Page{Title: prose.Text("board title", b), About: fmt.Sprintf("%d predictors on %d logs. %s", len(b.Predictors), len(b.Logs), prose.Text("board made", b))}
	add := func(id, title, about, caption string) {
		t := prose.Table("board "+id, b)
		p.Sections = append(p.Sections, page.Section{ID: id, Title: title, About: about, Table: &page.Table{Caption: caption, Head: t.Head, Rows: t.Rows}})
	}
	add("scores", "Scores and ranks", prose.Text("board about", b), "Predictors by mean rank")
	add("differences", "Differences from the best", prose.Text("board behind", b), "Differences from the best of each log")
	add("logs", "Logs", "Scores are computed over the common jobs.", "Jobs of each log")
	return p
}
