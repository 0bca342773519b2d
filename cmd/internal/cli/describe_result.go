package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// describeJSON is the stable form. What was not asked for is left away.
type describeJSON struct {
	Schema      string                        `json:"schema"`
	Log         describeLogJSON               `json:"log"`
	Jobs        int64                         `json:"jobs"`
	Months      stats.Number                  `json:"period_months"`
	Users       *int64                        `json:"users"`
	Sites       *int64                        `json:"sites"`
	OfferedLoad stats.Number                  `json:"offered_load"`
	SerialPct   stats.Number                  `json:"serial_pct"`
	ParallelPct stats.Number                  `json:"parallel_pct"`
	PowersPct   stats.Number                  `json:"power_of_two_pct"`
	Status      map[string]int64              `json:"status"`
	Columns     map[string]describeColumnJSON `json:"columns"`
	Groups      map[string]describeGroupJSON  `json:"groups"`
	Known       map[string]describeKnownJSON  `json:"known,omitempty"`
	Bursts      describeBurstsJSON            `json:"bursts"`
	Sizes       describeSizesJSON             `json:"sizes"`
	Arrivals    *describeArrivalsJSON         `json:"arrivals,omitempty"`
	Load        *describeLoadJSON             `json:"load,omitempty"`
	Series      []inspect.RunTimeSeries       `json:"stationarity,omitempty"`
	By          *describeByJSON               `json:"by,omitempty"`
}

type describeLogJSON struct {
	Name         string       `json:"name"`
	Format       string       `json:"format"`
	Computer     string       `json:"computer,omitempty"`
	Installation string       `json:"installation,omitempty"`
	Processors   *int64       `json:"processors"`
	Start        string       `json:"start,omitempty"`
	FirstSubmit  stats.Number `json:"first_submit_s"`
	LastSubmit   stats.Number `json:"last_submit_s"`
	LastEnd      stats.Number `json:"last_end_s"`
}

type describeGroupJSON struct {
	Known    int64  `json:"known"`
	Distinct int64  `json:"distinct"`
	Method   string `json:"method"`
}

// describeSection is one section: what goes into the JSON is put there by its
// maker.
type describeSection struct {
	title  string        // empty for the first, which needs none
	words  string        // before the table
	people present.Table // its head is empty where there is none
	after  []string      // lines after it
	csv    present.Table
}

func (s describeSection) writeTo(w io.Writer) error {
	if s.title != "" {
		if _, err := io.WriteString(w, s.title+"\n"); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(w, s.words); err != nil {
		return err
	}
	if len(s.people.Head) > 0 {
		if err := s.people.WriteTable(w); err != nil {
			return err
		}
	}
	for _, line := range s.after {
		if _, err := io.WriteString(w, "\n"+line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func describeResult(log *workload.Log, d inspect.Description, o describeOptions) result {
	clock, note := log.Header.Clock()
	js := baseJSON(log, d, clock)
	made := map[string]describeSection{
		summarySection: summaryOf(log, d, clock, note),
		columnsSection: columnsOf(&js, d),
		burstsSection:  burstsOf(&js, d, clock),
		sizesSection:   sizesOf(&js, d),
	}
	if slices.Contains(o.sections, knownSection) {
		made[knownSection] = knownOf(&js, d)
	}
	if d.Arrivals != nil {
		made[arrivalsSection] = arrivalsOf(&js, d, clock, note)
	}
	if d.Load != nil {
		made[loadSection] = loadOf(&js, d, clock)
	}
	if slices.Contains(o.sections, stationaritySection) {
		made[stationaritySection] = stationarityOf(&js, d)
	}
	sections := o.sections
	csv := made[columnsSection].csv
	switch {
	case len(sections) == 1:
		csv = made[sections[0]].csv
	case len(sections) == 0 && o.by != "":
		sections = []string{summarySection}
	case len(sections) == 0:
		sections = defaultSections
	}
	var shown []describeSection
	for _, name := range describeSections {
		if slices.Contains(sections, name) {
			shown = append(shown, made[name])
		}
	}
	if d.By != nil {
		by := byOf(&js, log, d)
		shown = append(shown, by)
		csv = by.csv
	}
	text := func(w io.Writer) error {
		for i, s := range shown {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := s.writeTo(w); err != nil {
				return err
			}
		}
		return nil
	}
	return result{text: text, json: js, csv: csv}
}

// baseJSON is what every description has.
func baseJSON(log *workload.Log, d inspect.Description, clock workload.Clock) describeJSON {
	js := describeJSON{
		Schema: "loadstone.describe/1",
		Log: describeLogJSON{
			Name: log.Name, Format: log.Format, Computer: log.Header.Get("Computer"), Installation: log.Header.Get("Installation"),
			FirstSubmit: stats.Number(d.FirstSubmit), LastSubmit: stats.Number(d.LastSubmit), LastEnd: stats.Number(d.LastEnd),
		},
		Jobs: d.Jobs, Months: stats.Number(d.Months()), Users: distinctOf(d, "user_id"), Sites: distinctOf(d, "partition_id"),
		OfferedLoad: stats.Number(d.OfferedLoad), SerialPct: stats.Number(100 * d.Serial), ParallelPct: stats.Number(100 * d.Parallel()), PowersPct: stats.Number(100 * d.PowerOfTwo),
		Status: map[string]int64{}, Columns: map[string]describeColumnJSON{}, Groups: map[string]describeGroupJSON{},
	}
	if d.Processors > 0 {
		js.Log.Processors = &d.Processors
	}
	if clock.Known {
		js.Log.Start = clock.Start.Format(time.RFC3339)
	}
	for _, g := range d.Groups {
		js.Groups[g.Name] = describeGroupJSON{g.Known, g.Distinct, g.Method}
	}
	for code, n := range d.Status {
		js.Status[statusName(code)] += n
	}
	return js
}

// distinctOf is nil where the identifier is not in the log.
func distinctOf(d inspect.Description, column string) *int64 {
	if n := d.Distinct(column); n > 0 {
		return &n
	}
	return nil
}

// countText writes a count that a log may not have.
func countText(n *int64) string {
	if n == nil {
		return ""
	}
	return jobsText(*n)
}

// statusNames are the words for the status codes of the format.
var statusNames = map[int64]string{
	workload.StatusFailed: "failed", workload.StatusCompleted: "completed", workload.StatusPartial: "partial",
	workload.StatusLastCompleted: "last part, completed", workload.StatusLastFailed: "last part, failed",
	workload.StatusCancelled: "cancelled", workload.Unknown: "unknown",
}

func statusName(code int64) string {
	if name, ok := statusNames[code]; ok {
		return name
	}
	return fmt.Sprintf("with the undefined code %d", code)
}

// wrap joins words by commas into lines of about width characters; all but the
// first are indented.
func wrap(words []string, width, indent int) string {
	var b strings.Builder
	at := 0
	for i, w := range words {
		if i > 0 {
			b.WriteString(",")
			if at+len(w) > width {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = 0
			} else {
				b.WriteString(" ")
			}
		}
		b.WriteString(w)
		at += len(w) + 2
	}
	return b.String()
}

// moment is a second of the log for people: by the clock where it is known.
func moment(clock workload.Clock, seconds float64) string {
	if dated(clock, seconds) {
		return clock.At(seconds).Format("2006-01-02 15:04")
	}
	return "day " + present.Sig(seconds/86400)
}

// dated says whether the times have dates by the clock.
func dated(clock workload.Clock, seconds ...float64) bool { return clock.Dates(seconds...) }
