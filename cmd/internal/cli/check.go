package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// checkGenerated makes a workload again and holds it against its model: what
// 'generate --check' says on standard error. A workload that is not its model's
// is an error.
func checkGenerated(ctx context.Context, a *app, w *generate.Workload, o generate.Options) error {
	p, err := profileGenerated(ctx, w)
	if err != nil {
		return err
	}
	return a.tellCheck(score.CheckModel(p, w.Site, score.CheckOptions{Load: o.Load}))
}

// profileGenerated profiles a workload for a check.
func profileGenerated(ctx context.Context, w *generate.Workload) (*score.Profile, error) {
	clock, _ := w.Header.Clock()
	o := score.ProfileOptions{Name: w.Site.Name, Processors: w.Site.Processors, Clock: clock, Model: &w.Site, By: classColumn(w.Site)}
	p := score.NewProfile(o)
	for j, err := range workload.Until(ctx, w.Jobs()) {
		if err != nil {
			return nil, err
		}
		p.Add(&j)
	}
	return p, nil
}

// classColumn is the column that tells the classes of a model, "" where there
// is one only.
func classColumn(site model.Site) string {
	if len(site.Classes) < 2 || workload.ColumnIndex(site.Classes[0].Column) < 0 {
		return ""
	}
	return site.Classes[0].Column
}

// tellCheck says what a check came to.
func (a *app) tellCheck(m score.ModelCheck) error {
	t := present.Table{Head: []string{"check", "class", "jobs", "statistic", "value", "tolerance", "verdict"}}
	failed, unchecked := 0, 0
	for _, c := range m.Checks {
		verdict, jobs := "passed", known(c.N)
		switch {
		case c.Why != "":
			verdict, jobs = "not checked: "+c.Why, "-"
			unchecked++
		case c.Failed():
			verdict = "failed"
			failed++
		}
		class, statistic := c.Class, c.Statistic
		if class == "" {
			class = "all"
		}
		if c.What == "offered_load" && c.Why == "" {
			statistic = fmt.Sprintf("%s of %s and %s", c.Statistic, present.Sig(c.Got), present.Sig(c.Model))
		}
		t.Add(c.What, class, jobs, statistic, present.Sig(c.Value), present.Sig(c.Tolerance), verdict)
	}
	if !a.quiet {
		var err error
		a.progress.aside(func() {
			io.WriteString(a.Err, message("check against model %s, false alarm rate %g over all:\n", m.Model, m.FalseAlarm))
			if err = t.WriteTable(a.Err); err == nil {
				_, err = io.WriteString(a.Err, checkSummary(len(m.Checks)-failed-unchecked, failed, unchecked))
			}
		})
		if err != nil {
			return err
		}
	}
	switch {
	case failed > 0:
		return fmt.Errorf("the workload is not what model %s says: %d of %d checks failed", m.Model, failed, len(m.Checks))
	case !m.Agrees():
		return fmt.Errorf("model %s: --check: nothing of it could be checked, and nothing is shown", m.Model)
	}
	return nil
}

// checkSummary is the line that ends the table of checks.
func checkSummary(passed, failed, unchecked int) string {
	n := passed + failed + unchecked
	return fmt.Sprintf("%d %s: %d passed, %d failed, %d not checked\n", n, present.Plural(n, "check", "checks"), passed, failed, unchecked)
}
