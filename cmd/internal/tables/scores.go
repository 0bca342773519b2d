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

// RunTimes is the result in its three forms.
func RunTimes(r *evaluate.RunTimesResult) view.Result {
	return prose.Result("runtime", runTimes{r}, r, r.Scores)
}

// runTimes is what the template is given.
type runTimes struct{ *evaluate.RunTimesResult }

// sameClasses are ways of classing jobs whose predictors all have the same scores, such as
// user and user-site where a log has one site.
type sameClasses struct {
	First  string
	Others []string
}

// Same are the ways of classing jobs, those with the same scores together.
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

// Shown are the scores without those of classes that have the same as others.
func (r runTimes) Shown() []evaluate.RunTimeScore {
	same := r.Same()
	return slices.DeleteFunc(slices.Clone(r.Scores), func(s evaluate.RunTimeScore) bool {
		return !slices.ContainsFunc(same, func(c sameClasses) bool { return c.First == s.Classes })
	})
}

// Waits is the result in its three forms. processors are those that the user gave each site.
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

// waits is what the template is given.
type waits struct {
	*evaluate.WaitsResult
	Given int64 // processors of a site
}

// OnSites says whether queues are those of sites.
func (w waits) OnSites() bool { return w.Sites != nil }

// sampledScore is a score on a sample of the log's jobs beside those on other waits.
type sampledScore struct {
	Waits string `csv:"waits"`
	evaluate.ArrivalScore
}

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
	add("logs", "Logs", "Common jobs are those that the scores are over.", "Jobs of each log")
	return p
}
