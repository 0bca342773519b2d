package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
)

func (l *logReport) fitLifetimes(ctx context.Context) error {
	s := l.begin(Lifetimes, "lifetimes")
	r, err := lifetimes.Compute(ctx, l.open, lifetimes.ComputeOptions{Work: l.o.Work})
	if err != nil {
		return err
	}
	s.remarks = present.Warnings(r.Warnings)
	if len(r.Classes) == 0 {
		return errors.New("no job has a run time")
	}
	l.remaining = &r.Classes[0]
	return nil
}

// lifetimesFamily is that of the law of lifetimes.
const lifetimesFamily = "uniform-log"

func (l *logReport) lifetimes() []page.Block {
	if l.remaining == nil {
		return missing(l.why[Lifetimes])
	}
	var blocks []page.Block
	far := ""
	if l.fitted != nil {
		all, err := figure.RemainingOf(l.fitted.Classes[0].Sample(fit.RunTime), l.lawsOfLifetimes())
		if err == nil && all != nil {
			var names []string
			for _, r := range all[1:] {
				names = append(names, r.Name)
			}
			alt := fmt.Sprintf("Median and mean remaining run time by age, in the log and by %s. Of the jobs that have run for an hour, half run for another %s or more.", strings.Join(names, " and "), timeText(float64(l.remaining.At(lifetimes.HourAge).MedianData)))
			blocks = append(blocks, l.picture(page.Figure{ID: "remaining-lifetimes", Caption: "Remaining run time by age", Alt: alt, Table: remainingTable(all)},
				func(w io.Writer) error { return figure.RemainingLifetime(w, figure.Compact, l.name, all) }))
			far = farMeans(all)
		}
	}
	if l.remaining.Report == nil {
		blocks = append(blocks, remark("missing", sentence(l.remaining.Why)))
	} else {
		blocks = append(blocks, tableOf(lifetimesTable(l.remaining)))
	}
	if far != "" {
		blocks = append(blocks, paragraph("%s", far))
	}
	return blocks
}

func lifetimesTable(c *lifetimes.ClassLifetimes) page.Table {
	t := page.Table{Beside: true, Caption: "Remaining run time, in the log and by " + lifetimesFamily, Head: []string{"has run for", "jobs left", "median left", "by " + lifetimesFamily, "mean left", "by " + lifetimesFamily}}
	for _, r := range c.Remaining {
		t.Rows = append(t.Rows, []page.Cell{timeCell(r.Age), cell(r.Left, present.Grouped(int64(r.Left))), timeCell(r.MedianData), timeCell(r.MedianModel), timeCell(r.MeanData), timeCell(r.MeanModel)})
	}
	oneUnit(&t, 2, 3, 4, 5)
	return t
}

// lawsOfLifetimes are the laws of run times whose remaining lifetimes are drawn:
// that of the table, fitted to all jobs that it can use, and the closest one.
func (l *logReport) lawsOfLifetimes() []fit.Report {
	own := l.closest()
	var laws []fit.Report
	if r, err := fit.Fit(lifetimesFamily, fit.RunTime, l.fitted.Classes[0].Sample(fit.RunTime), fit.Options{}); err == nil {
		laws = append(laws, r)
	}
	if len(own) > 0 && own[0].Family != lifetimesFamily {
		laws = append(laws, own[0])
	}
	return laws
}

// farMeans explains means of laws that are far above the log's, at the least
// age: those rest on run times that no job of the log has. Curves begin with the
// log's.
func farMeans(all []figure.Remaining) string {
	const far = 2
	log := all[0].Mean[0]
	var which []string
	for _, r := range all[1:] {
		if len(r.Mean) > 0 && r.Mean[0] > far*log {
			which = append(which, fmt.Sprintf("%s by %s", timeText(r.Mean[0]), r.Name))
		}
	}
	if len(which) == 0 {
		return ""
	}
	return fmt.Sprintf("A job that has run for %s runs for another %s on average in the log, but %s. The tail of such a distribution extends past the log's longest job, which raises its means but not its medians.",
		timeText(all[0].Age[0]), timeText(log), strings.Join(which, " and "))
}

// remainingTable has the curves at some of the ages.
func remainingTable(all []figure.Remaining) *page.Table {
	const few = 12
	t := page.Table{Caption: "The numbers", Head: []string{"age"}, Folded: true}
	for _, r := range all {
		t.Head = append(t.Head, r.Name+", median", r.Name+", mean")
	}
	ages := all[0].Age
	for i := 0; i < len(ages); i += max(1, len(ages)/few) {
		row := []page.Cell{timeCell(ages[i])}
		for _, r := range all {
			mean := textCell("–")
			if r.Mean != nil {
				mean = timeCell(r.Mean[i])
			}
			row = append(row, timeCell(r.Median[i]), mean)
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}
