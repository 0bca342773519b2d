package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
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
func (l *Report) judgeTwins(ctx context.Context) error {
	flags := []string{"--like", "--schedule", twinPolicy, "--replicas", strconv.Itoa(twinReplicas)}
	if l.describe.Jobs > mostTwinJobs {
		return fmt.Errorf("the log has %s jobs, and this page makes twins of up to %s: 'loadstone compare --like --schedule easy' takes more", present.Grouped(l.describe.Jobs), present.Grouped(int64(mostTwinJobs)))
	}
	s := l.begin(Twins, "compare", append(append(flags, l.seed()...), "--plots", ".")...)
	o := evaluate.CompareOptions{Verdict: &evaluate.VerdictOptions{Policies: []string{twinPolicy}, Processors: l.o.Processors, Replicas: twinReplicas, Curves: true}, Seed: l.o.Seed}
	found, err := evaluate.Compare(ctx, [2]evaluate.CompareInput{{Name: l.name, About: l.input, Open: l.open}, {Name: "twin", About: "twin", Like: true}}, o)
	if err != nil {
		return err
	}
	s.remarks = present.CompareRemarks(found.Warnings)
	l.twins = found
	return nil
}

// twinRow is a row of a verdict, in words.
type twinRow struct{ name, words string }

// twinRows are those that the page has whether or not they are ranked.
var twinRows = []twinRow{
	{"offered_load", "offered load"},
	{"same_user_as_before", "jobs of the same user as the job before"},
	{"run_time_ln_lag_1", "correlation of ln run time with that of the job before"},
	{"size_ln_lag_1", "correlation of ln size with that of the job before"},
	{"interarrival_ln_lag_1", "correlation of ln interarrival time with the one before"},
	{"interarrival_s", "interarrival times"},
	{"dispersion_5_min", "dispersion of arrivals in 5 minutes"},
	{"dispersion_1_h", "dispersion of arrivals in an hour"},
	{"dispersion_1_d", "dispersion of arrivals in a day"},
	{"wait_mean_s", "mean wait, simulated"},
	{"wait_median_s", "median wait, simulated"},
	{"wait_q90_s", "90th percentile of waits, simulated"},
	{"bounded_slowdown_mean", "mean bounded slowdown"},
	{"utilisation", "utilisation"},
}

func (l *Report) twinSection() []page.Block {
	if l.twins == nil {
		return missing(l.why[Twins])
	}
	v := l.twins.Verdict
	t := page.Table{Caption: "The log and its twins, under EASY backfilling with " + v.Estimates + " estimates; ratios of waits are of the waits and 60 s",
		Head: []string{"trait", "log", "a twin", "twin against log", "log's own weeks, 5 %", "95 %", fmt.Sprintf("rank of the log among %d twins", v.Replicas)}}
	rows := slices.Clone(twinRows)
	for _, r := range v.Rows { // what the sentence counts is in the table
		if r.Inside != nil && !slices.ContainsFunc(rows, func(w twinRow) bool { return w.name == r.Name }) {
			rows = append(rows, twinRow{r.Name, strings.ReplaceAll(r.Name, "_", " ")})
		}
	}
	for _, w := range rows {
		r := v.Row(w.name, "", "")
		if r == nil {
			r = v.Row(w.name, twinPolicy, score.OpenLoop)
		}
		if r == nil || r.Why != "" {
			continue
		}
		words := w.words
		if r.As != score.AsRatio {
			words += " (" + r.As + ")"
		}
		text := sigCell[stats.Number]
		if strings.HasSuffix(w.name, "_s") && r.As != score.AsDistance {
			text = timeCell[stats.Number]
		}
		rank := "not ranked"
		if !r.Pinned {
			rank = fmt.Sprintf("%s of %d", present.Full(r.Rank), r.RankOf)
			if r.Inside != nil && !*r.Inside {
				rank += ", outside"
			}
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(words), text(r.A), text(r.B), sigCell(r.Compared), sigCell(r.NoiseQ05), sigCell(r.NoiseQ95), textCell(rank)})
	}
	verdict := remark("missing", "No trait can be ranked.")
	if v.Tested > 0 {
		kind := "good"
		if v.InsidePct < enoughInside {
			kind = "warning"
		}
		verdict = remark(kind, fmt.Sprintf("In %d of the %d traits that are ranked, the log lies within the middle range of its twins. For a log that is just like its twins, %s %% of the traits would lie outside by chance.", v.Inside, v.Tested, present.Fixed(v.FalseAlarm, 1)))
	}
	blocks := []page.Block{
		paragraph("A twin has the log's jobs, each user's moved by whole weeks; 'loadstone generate --like' makes one. Waits, slowdown and utilisation are from schedules of the log and of its twins, simulated under EASY backfilling, and are not those in the log. Twins that match under one policy need not match under another: compare them under each policy that you study, with 'loadstone compare LOG --like --schedule fcfs,easy'. Traits that are not ranked follow from the jobs, which the log and its twins share; utilisation differs only by the work left when submissions end."),
		verdict, tableOf(t),
	}
	for _, p := range figure.TwinPictures {
		if p.Curve == score.JobsByUser { // a twin by --like has the log's
			continue
		}
		f := page.Figure{Caption: strings.ToUpper(p.What[:1]) + p.What[1:], Alt: fmt.Sprintf("The %s; the band is from the 5th to the 95th percentile of %d twins.", p.What, v.Replicas)}
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
		t.Caption = fmt.Sprintf("The numbers of one point in %d", step)
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
