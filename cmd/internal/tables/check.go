package tables

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

var checkColumns = []present.Column[score.Check]{
	present.Text("check", "check", func(c score.Check) string { return c.What }),
	present.Text("class", "", func(c score.Check) string { return c.Class }),
	present.Text("", "class", func(c score.Check) string {
		if c.Class == "" {
			return "all"
		}
		return c.Class
	}),
	present.Count("jobs", "", func(c score.Check) int64 { return c.N }),
	present.Text("", "jobs", func(c score.Check) string {
		if c.Why != "" {
			return "-"
		}
		return known(c.N)
	}),
	present.Text("statistic", "", func(c score.Check) string { return c.Statistic }),
	present.Text("", "statistic", func(c score.Check) string {
		switch c.Statistic {
		case "D":
			return "KS distance"
		case "chi_square":
			return "chi-square"
		}
		if c.What == "offered_load" && c.Why == "" {
			return fmt.Sprintf("%s of %s and %s", c.Statistic, present.Sig(c.Got), present.Sig(c.Model))
		}
		return c.Statistic
	}),
	present.Float("value", "value", func(c score.Check) stats.Number { return c.Value }, present.Sig[float64]),
	present.Float("tolerance", "tolerance", func(c score.Check) stats.Number { return c.Tolerance }, present.Sig[float64]),
	present.Text("", "verdict", func(c score.Check) string {
		switch {
		case c.Why != "":
			return "not checked: " + c.Why
		case c.Failed():
			return "differs from the model"
		}
		return "agrees with the model"
	}),
	present.Text("why", "", func(c score.Check) string { return c.Why }),
}

// printChecks says what each check came to, and how many of them came out well.
func printChecks(w *present.Screen, m score.ModelCheck) {
	w.Message("check against model %s; false alarm rate %g over all checks\n", m.Model, m.FalseAlarm)
	w.Table(present.People(checkColumns, m.Checks))
	well, failed := 0, 0
	for _, c := range m.Checks {
		if c.Passed() {
			well++
		} else if c.Failed() {
			failed++
		}
	}
	n := len(m.Checks)
	w.Printf("%d %s: %d passed, %d failed, %d not checked\n", n, words.Noun(n, "check"), well, failed, n-well-failed)
}

// Check is the result in its three forms.
func Check(r *evaluate.CheckResult) present.Result {
	return present.Result{JSON: r, CSV: present.CSV(checkColumns, r.Checks), Text: func(w *present.Screen) { printChecks(w, r.ModelCheck) }}
}
