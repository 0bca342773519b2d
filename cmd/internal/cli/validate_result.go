package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type validateJSON struct {
	Schema     string            `json:"schema"`
	Log        validateLogJSON   `json:"log"`
	Faults     int64             `json:"faults"`
	Oddities   int64             `json:"oddities"`
	Findings   []findingJSON     `json:"findings"`
	NotChecked []notCheckedJSON  `json:"not_checked"`
	Busy       *validateBusyJSON `json:"over_full"`
}

type validateLogJSON struct {
	Name       string `json:"name"`
	Format     string `json:"format"`
	Jobs       int64  `json:"jobs"`
	Processors *int64 `json:"processors"`
}

type findingJSON struct {
	Rule     string      `json:"rule"`
	Severity string      `json:"severity"`
	Field    string      `json:"field,omitempty"`
	Words    string      `json:"words"`
	Count    int64       `json:"count"`
	Counts   string      `json:"counts"`
	Note     string      `json:"note,omitempty"`
	Places   []placeJSON `json:"places"`
}

// placeJSON has null for what a place has not: the header has no row.
type placeJSON struct {
	Line  *int64 `json:"line"`
	Row   *int64 `json:"row"`
	Job   *int64 `json:"job_id"`
	Field string `json:"field,omitempty"`
	Saw   string `json:"saw"`
	Want  string `json:"want,omitempty"`
}

type notCheckedJSON struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

type validateBusyJSON struct {
	Placed  int64        `json:"placed_jobs"`
	Moments int64        `json:"moments"`
	Periods int64        `json:"periods"`
	Time    stats.Number `json:"time_s"`
	Jobs    int64        `json:"jobs"`
	Peak    int64        `json:"peak_processors"`
	PeakAt  stats.Number `json:"peak_at_s"`
	PeakPct stats.Number `json:"peak_pct"`
}

func validateResult(log *workload.Log, v inspect.Validation) result {
	js := validateJSON{
		Schema: "loadstone.validate/1",
		Log:    validateLogJSON{Name: log.Name, Format: log.Format, Jobs: v.Jobs},
		Faults: v.Count(inspect.Fault), Oddities: v.Count(inspect.Oddity),
		Findings: []findingJSON{}, NotChecked: []notCheckedJSON{},
	}
	if v.Processors > 0 {
		js.Log.Processors = &v.Processors
	}
	if b := v.Busy; b.Placed > 0 {
		js.Busy = &validateBusyJSON{b.Placed, b.Moments, b.Periods, stats.Number(b.Seconds), b.Jobs, b.Peak, stats.Number(b.PeakAt),
			stats.Number(100 * float64(b.Peak) / float64(v.Processors))}
	}
	csv := present.Table{Head: []string{"severity", "rule", "count", "line", "row", "job_id", "field", "saw", "want"}}
	for _, f := range v.Findings {
		fj := findingJSON{f.Name, string(f.Severity), f.Field, f.Words, f.Count, f.Counts, f.Note, []placeJSON{}}
		head := []string{string(f.Severity), f.Name, strconv.FormatInt(f.Count, 10)}
		for _, p := range f.Places {
			pj := placeJSON{Field: p.Field, Saw: p.Saw, Want: p.Want}
			row := append(head[:3:3], "", "", "", p.Field, p.Saw, p.Want)
			if p.Line > 0 {
				pj.Line, row[3] = &p.Line, strconv.FormatInt(p.Line, 10)
			}
			if p.Row >= 0 {
				n := p.Row + 1
				pj.Row, row[4] = &n, strconv.FormatInt(n, 10)
			}
			if p.Job != workload.Unknown {
				pj.Job, row[5] = &p.Job, strconv.FormatInt(p.Job, 10)
			}
			fj.Places = append(fj.Places, pj)
			csv.Add(row...)
		}
		if len(f.Places) == 0 {
			csv.Add(append(head, "", "", "", f.Field, "", "")...)
		}
		js.Findings = append(js.Findings, fj)
	}
	for _, n := range v.NotChecked {
		js.NotChecked = append(js.NotChecked, notCheckedJSON{n.Rule, n.Why})
	}
	return result{text: func(w io.Writer) error { return writeValidation(w, log, v) }, json: js, csv: csv}
}

// writeValidation is for people: the findings, then their places as an editor
// jumps to them, then what was not checked.
func writeValidation(w io.Writer, log *workload.Log, v inspect.Validation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s, %s, %s\n", log.Name, log.Format, counted(v.Jobs, "job"),
		counted(v.Count(inspect.Fault), "fault"), counted(v.Count(inspect.Oddity), "oddity"))
	if len(v.Findings) > 0 {
		summary := present.Table{Head: []string{"severity", "rule", "count", "of", "what"}}
		for _, f := range v.Findings {
			words := f.Words
			if f.Note != "" {
				words += " (" + f.Note + ")"
			}
			summary.Add(string(f.Severity), f.Name, strconv.FormatInt(f.Count, 10), f.Counts, words)
		}
		b.WriteByte('\n')
		if err := summary.WriteTable(&b); err != nil {
			return err
		}
	}
	gap := "\n"
	for _, f := range v.Findings {
		for _, p := range f.Places {
			b.WriteString(gap + placeText(log.Name, f.Name, p) + "\n")
			gap = ""
		}
	}
	writeNotChecked(&b, v.NotChecked)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeNotChecked gives rules that share a reason a line together.
func writeNotChecked(b *strings.Builder, ns []inspect.NotChecked) {
	var whys, missing []string
	rules := map[string][]string{}
	for _, n := range ns {
		why := n.Why
		if n.Missing != "" {
			why = "the header has no"
			if !slices.Contains(missing, n.Missing) {
				missing = append(missing, n.Missing)
			}
		}
		if rules[why] == nil {
			whys = append(whys, why)
		}
		rules[why] = append(rules[why], n.Rule)
	}
	gap := "\n"
	for _, why := range whys {
		names := strings.Join(rules[why], ", ")
		if why == "the header has no" {
			why += " " + strings.Join(missing, ", ")
		}
		fmt.Fprintf(b, "%snot checked: %s: %s\n", gap, names, why)
		gap = ""
	}
}

// placeText is a place in the form of an error of the reader's.
func placeText(file, rule string, p inspect.Place) string {
	text := file
	switch {
	case p.Line > 0:
		text += fmt.Sprintf(":%d", p.Line)
	case p.Row >= 0:
		text += fmt.Sprintf(": row %d", p.Row+1)
	}
	if p.Job != workload.Unknown {
		text += fmt.Sprintf(": job %d", p.Job)
	}
	if p.Field != "" {
		text += ": " + p.Field
	}
	var words []string
	if p.Saw != "" {
		words = append(words, "saw "+p.Saw)
	}
	if p.Want != "" {
		words = append(words, "want "+p.Want)
	}
	if len(words) > 0 {
		text += ": " + strings.Join(words, ", ")
	}
	return text + " [" + rule + "]"
}

// counted is "1 fault" and "2 oddities".
func counted(n int64, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}
