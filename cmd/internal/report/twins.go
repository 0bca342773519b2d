package report

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

const (
	// twinReplicas is among how many twins a log is ranked.
	twinReplicas = 20
	// mostTwinJobs bounds the log of which twins are made: each is held and scheduled.
	mostTwinJobs = 1_000_000
	// enoughInside is the share of rows, in %, from which on twins are taken for good.
	enoughInside = 80
	twinPolicy   = "easy"
)

// judgeTwins ranks the log among twins of itself.
func (l *logReport) judgeTwins(ctx context.Context) error {
	flags := []string{"--like", "--schedule", twinPolicy, "--replicas", strconv.Itoa(twinReplicas)}
	if l.describe.Jobs > mostTwinJobs {
		return fmt.Errorf("the log has %s jobs, and twins are made of up to %s: 'loadstone compare --like --schedule easy' takes more", present.Grouped(l.describe.Jobs), present.Grouped(int64(mostTwinJobs)))
	}
	s := l.begin(Twins, "compare", append(append(flags, l.seed()...), "--plots", ".")...)
	o := evaluate.CompareOptions{Verdict: &evaluate.VerdictOptions{Policies: []string{twinPolicy}, Processors: l.o.Processors, Replicas: twinReplicas, Curves: true}}
	o.Seed = l.o.Seed
	found, err := evaluate.Compare(ctx, []evaluate.CompareInput{{Name: l.name, About: l.input, Open: l.open}, {Name: "twin", About: "twin", Like: true}}, o)
	if err != nil {
		return err
	}
	s.remarks = present.CompareRemarks(found.Warnings)
	l.twins = found
	return nil
}

// twinRows are the rows of a verdict that the page has, in words.
var twinRows = []struct{ name, words string }{
	{"offered_load", "offered load"},
	{"same_user_as_before", "jobs of the same user as the job before"},
	{"run_time_ln_lag_1", "correlation of ln run time with that of the job before"},
	{"dispersion_5_min", "dispersion of arrivals in 5 minutes"},
	{"dispersion_1_h", "dispersion of arrivals in an hour"},
	{"dispersion_1_d", "dispersion of arrivals in a day"},
	{"wait_mean_s", "mean wait, s"},
	{"wait_median_s", "median wait, s"},
	{"wait_q90_s", "90 % wait, s"},
	{"bounded_slowdown_mean", "mean bounded slowdown"},
	{"utilisation", "utilisation"},
}

func (l *logReport) twinSection() []page.Block {
	if l.twins == nil {
		return missing(l.why[Twins])
	}
	v := l.twins.Verdict
	t := page.Table{Caption: "The log and its twins, under EASY backfilling with perfect estimates",
		Head: []string{"trait", "log", "a twin", "twin to log", "log's own weeks, 5 %", "95 %", fmt.Sprintf("rank of the log among %d twins", v.Replicas)}}
	for _, w := range twinRows {
		r := v.Row(w.name, "", "")
		if r == nil {
			r = v.Row(w.name, twinPolicy, score.OpenLoop)
		}
		if r == nil || r.Why != "" {
			continue
		}
		words := w.words
		if r.As == score.AsDifference {
			words += " (difference)"
		}
		rank := "the same by construction"
		if !r.Pinned {
			rank = fmt.Sprintf("%s of %d", present.Full(r.Rank), r.RankOf)
			if r.Inside != nil && !*r.Inside {
				rank += ", outside"
			}
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(words), sigCell(r.A), sigCell(r.B), sigCell(r.Compared), sigCell(r.NoiseQ05), sigCell(r.NoiseQ95), textCell(rank)})
	}
	verdict := remark("missing", "No row can be ranked.")
	if v.Tested > 0 {
		kind := "good"
		if v.InsidePct < enoughInside {
			kind = "warning"
		}
		verdict = remark(kind, fmt.Sprintf("The log lies inside the middle of its twins in %d of %d traits that can differ; of a log like its twins, %s %% of the traits lie outside.", v.Inside, v.Tested, present.Fixed(v.FalseAlarm, 1)))
	}
	blocks := []page.Block{
		paragraph("A twin has the log's jobs, with each user's moved by whole weeks: 'loadstone generate --like' makes one. Waits are those of a schedule of both."),
		verdict, tableOf(t),
	}
	for _, p := range figure.TwinPictures() {
		if p.Curve == score.JobsByUser { // a twin by --like has the log's
			continue
		}
		f := page.Figure{Caption: strings.ToUpper(p.What[:1]) + p.What[1:], Alt: fmt.Sprintf("The %s; the band is from the 5 to the 95 %% quantile of %d twins.", p.What, v.Replicas)}
		for _, c := range l.twins.Curves {
			if c.Name == p.Curve {
				f.Table = curveTable(c)
			}
		}
		blocks = append(blocks, l.kept(p.Name, f)...)
	}
	return blocks
}

// curveTable has at most so many points of a curve.
func curveTable(c score.Curve) *page.Table {
	head := "day"
	if c.Name == score.WaitsUpTo {
		head = "wait"
	}
	t := page.Table{Caption: "The numbers", Head: []string{head, "log", "twins, 5 %", "median", "95 %"}, Folded: true}
	n := len(c.X)
	for c.Name == score.WaitsUpTo && n > 1 && c.A[n-2] == 1 && c.Low[n-2] == 1 {
		n-- // nobody waits for longer
	}
	step := (n + mostIntervals - 1) / mostIntervals
	if step > 1 {
		t.Caption = fmt.Sprintf("The numbers, of each %d points the first", step)
	}
	for i := 0; i < n; i += step {
		at := sigCell(c.X[i])
		if c.Name == score.WaitsUpTo {
			at = timeCell(c.X[i])
		}
		t.Rows = append(t.Rows, []page.Cell{at, sigCell(c.A[i]), sigCell(c.Low[i]), sigCell(c.Middle[i]), sigCell(c.High[i])})
	}
	return &t
}
