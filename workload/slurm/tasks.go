package slurm

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// mostTasks is the maximum number of waiting tasks that are read from one listing. Slurm's
// arrays may have four million.
const mostTasks = 100_000

// taskList is the content of the brackets in a record's number.
type taskList struct {
	tasks []int64 // at most as many as requested
	// limit is the number of tasks of the array that may run at a time; 0 means no limit.
	limit int64
	// more is true if the array has tasks that are not in tasks: more than requested, or hidden
	// by the dots with which Slurm shortens a long list.
	more bool
}

var taskRange = regexp.MustCompile(`^(\d{1,15})(?:-(\d{1,15})(?::(\d{1,15}))?)?$`)

// parseTasks parses at most that many tasks from a job's number such as 41_[3,5-9%2]. It returns
// false for a text in another form.
func parseTasks(label string, most int) (l taskList, ok bool) {
	number := func(text string, otherwise int64) int64 {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
		return otherwise
	}
	_, text, _ := strings.Cut(label, "[")
	text, isWhole := strings.CutSuffix(text, "]")
	if !isWhole { // squeue cuts long lists
		text += "..."
	}
	text, limit, limited := strings.Cut(text, "%")
	if l.limit = number(limit, 0); limited && !parse.IsDigits([]byte(limit)) {
		return l, false
	}
	for part := range strings.SplitSeq(text, ",") {
		if strings.HasSuffix(part, "...") {
			l.more = true // the number before the dots may be incomplete, too
			break
		}
		found := taskRange.FindStringSubmatch(part)
		if found == nil {
			return l, false
		}
		first := number(found[1], 0)
		last, step := number(found[2], first), number(found[3], 1)
		if last < first || step < 1 {
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
