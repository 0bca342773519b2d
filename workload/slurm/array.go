package slurm

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Slurm lists the tasks of an array that wait as one record, 41_[3,5-9,20-30:2%4], unless
// squeue -r lists each. Here each is a job, as when it runs.

// mostTasks bounds the waiting tasks that are read of one listing. Slurm's arrays may have
// four million.
const mostTasks = 100_000

// taskList is what a record has between its brackets.
type taskList struct {
	tasks []int64 // at most as many as asked for
	// limit is how many of the array may run at a time; 0 is no limit.
	limit int64
	// more reports that the array has tasks that are not in tasks: beyond the number asked
	// for, or behind the dots with which Slurm cuts a long list short.
	more bool
}

// parseTasks reads at most so many tasks; false for a text in another form.
func parseTasks(text string, most int) (l taskList, ok bool) {
	text, limit, limited := strings.Cut(text, "%")
	if limited {
		var rest []byte
		if l.limit, rest = parse.Digits([]byte(limit)); len(rest) > 0 {
			return l, false
		}
	}
	for _, text := range strings.Split(text, ",") {
		if strings.HasSuffix(text, "...") {
			l.more = true // the number before the dots may be cut, too
			break
		}
		part := []byte(text)
		first, rest := parse.Digits(part)
		last, step := first, int64(1)
		ok = len(rest) < len(part)
		if ok && len(rest) > 0 && rest[0] == '-' {
			part = rest[1:]
			last, rest = parse.Digits(part)
			ok = len(rest) < len(part)
			if ok && len(rest) > 0 && rest[0] == ':' {
				part = rest[1:]
				step, rest = parse.Digits(part)
				ok = len(rest) < len(part) && step > 0
			}
		}
		if !ok || len(rest) > 0 || last < first {
			return l, false
		}
		for task := first; task <= last && !l.more; task += step {
			if l.more = len(l.tasks) >= most; !l.more {
				l.tasks = append(l.tasks, task)
			}
		}
	}
	return l, true
}
