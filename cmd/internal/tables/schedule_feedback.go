package tables

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
)

// feedbackLines tells people what feedback did and what got done; it is empty for
// an open simulation.
func feedbackLines(r *evaluate.ScheduleResult) string {
	f, t := r.Feedback, r.Whole.Throughput
	if f == nil {
		return ""
	}
	done := present.Sig(t.JobsPerDay) + " jobs"
	if r.UtilisationOf == "" {
		done += " and " + present.Sig(t.WorkPerDay/3600) + " processor hours"
	}
	text := fmt.Sprintf("throughput: %s a day, makespan %s days\n", done, present.Sig(t.Makespan/86400))
	text += fmt.Sprintf("feedback: %d jobs have a preceding job, %s; %d submitted later than in the log", f.Linked, whoseLinks(f.Dependencies), f.Delayed)
	if f.Delayed > 0 {
		text += fmt.Sprintf(", by %s s on average and %s s at most", present.Sig(f.DelayMean), present.Sig(f.DelayMax))
	}
	return text + "\n"
}

// whoseLinks tells people where the dependencies of a closed simulation are from.
func whoseLinks(dependencies string) string {
	if dependencies == "log" {
		return "by the log"
	}
	return "by their users' work"
}
