package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
)

// arrivalsTitle describes the sample.
func arrivalsTitle(a *evaluate.ArrivalScores) string {
	title := fmt.Sprintf("%d of %d jobs, each at its submission, on the log's own waits", a.Jobs, a.Of)
	if a.Policy != "" {
		title += fmt.Sprintf("; schedules under %s", a.Policy)
	}
	if a.Policy != "" && a.Processors != nil {
		title += fmt.Sprintf(" on %d processors", *a.Processors)
	}
	return title
}

// arrivalsLegend says what the headings that a table has mean.
func arrivalsLegend(head []string) []string {
	var legend []string
	for _, line := range [][][2]string{{
		{"of waits > 0", "of waits > 0: share covered of the jobs that did not start at once"},
		{"worst weeks", "worst weeks: share covered in the stretch of weeks with the lowest"},
	}, {
		{"worst class", "worst class: share covered of the class with the lowest"},
		{"bursts", "bursts: of jobs that follow another of their user within five minutes"},
	}, {
		{"pinball loss", "pinball loss: mean cost of bounds that are too low or too high, smaller is better"},
		{"interval score", "interval score: that of the interval from 0 to the bound"},
		{"median", "median: of the bounds"},
	}, {
		{"CRPS", "CRPS: error of a whole distribution, smaller is better; that of a single prediction is its absolute error"},
	}, {
		{"accuracy", "accuracy: mean of the smaller of predicted and actual wait over the larger, 0 to 1 (perfect)"},
	}} {
		var parts []string
		for _, x := range line {
			if slices.Contains(head, x[0]) {
				parts = append(parts, x[1])
			}
		}
		if len(parts) > 0 {
			legend = append(legend, strings.Join(parts, "; "))
		}
	}
	return legend
}

// sampledScore is a score on a sample of the log's jobs beside those on other waits.
type sampledScore struct {
	Waits string `json:"waits"`
	evaluate.ArrivalScore
}

func sampled(a *evaluate.ArrivalScores) []sampledScore {
	var all []sampledScore
	for _, s := range a.Scores {
		all = append(all, sampledScore{"log-sample", s})
	}
	return all
}
