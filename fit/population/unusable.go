package population

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// why a job cannot be used.
type why int

const (
	noSubmit why = iota
	noRun
	longRun
	noSize
	largeSize
	usable // the number of reasons
)

// leftOut counts the jobs that a model is fitted without.
type leftOut struct {
	of    [usable]int64
	first string // the first that was seen to be so as it was read
}

func (l *leftOut) add(reason why, j *workload.Job) {
	if l.first == "" {
		l.first = j.Label()
	}
	l.of[reason]++
}

func (l *leftOut) jobs() (n int64) {
	for _, x := range l.of {
		n += x
	}
	return n
}

// reasons returns each reason with its number of jobs, such as "run time unknown (3),
// size unknown (1)".
func (l *leftOut) reasons() string {
	var all []string
	for i, text := range [usable]string{
		"submission time unknown", "run time unknown or negative", fmt.Sprintf("run time above %g s", population.MaxSeconds),
		"size unknown", fmt.Sprintf("size above %d", population.MaxProcessors),
	} {
		if n := l.of[i]; n > 0 {
			all = append(all, fmt.Sprintf("%s (%d)", text, n))
		}
	}
	return strings.Join(all, ", ")
}

// unusable returns the reason by which a job cannot be used whatever sizes are.
func unusable(j *workload.Job) why {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		return noSubmit
	case !(j.Run >= 0):
		return noRun
	case j.Run > population.MaxSeconds:
		return longRun
	case j.Size > population.MaxProcessors:
		return largeSize
	}
	return usable
}
