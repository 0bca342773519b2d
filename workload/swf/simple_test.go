package swf_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// simpleLog is a log as read by the simplest parser, for comparison; it shares no code with the
// reader.
type simpleLog struct {
	header []string
	jobs   *workload.Batch
	lines  []int64 // of the jobs
	late   int     // comments after the first job
	extra  int     // jobs with more fields
	fault  string  // line and name of the faulty field; the name is empty for a fault of the line
}

func readSimply(text string) simpleLog {
	log := simpleLog{jobs: &workload.Batch{}}
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n") {
		n++
		line = strings.TrimSuffix(line, "\r")
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		ok, field, binary := true, "", strings.ContainsRune(line, 0)
		switch {
		case len(words) == 0:
		case words[0][0] == ';' && binary:
			ok = false
		case words[0][0] == ';' && log.jobs.Rows > 0:
			log.late++
		case words[0][0] == ';':
			_, comment, _ := strings.Cut(line, ";")
			log.header = append(log.header, comment)
		default:
			field, ok = log.addJob(words, binary)
			log.lines = append(log.lines, int64(n))
		}
		if !ok {
			log.fault = fmt.Sprintf("%d %s", n, field)
			break
		}
	}
	return log
}

// addJob adds the job of a line. If the line is faulty, ok is false, and field is the name of the
// faulty field.
func (log *simpleLog) addJob(words []string, binary bool) (field string, ok bool) {
	j := workload.UnknownJob()
	for f := range parse.Fields {
		if f >= len(words) {
			return "", false
		}
		word, _, stray := strings.Cut(words[f], "\r")
		c := workload.ColumnAt(f)
		switch isNumber := setSimply(word, c, &j); {
		case isNumber && !stray:
		case binary, stray && (word == "" || isNumber):
			return "", false
		default:
			return c.Name, false
		}
	}
	if rest := words[parse.Fields:]; len(rest) > 0 && rest[0][0] != ';' {
		if rest[0][0] == '\r' || binary {
			return "", false
		}
		log.extra++
	}
	log.jobs.Append(&j)
	return "", true
}

var decimalNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// setSimply sets a column of a job to the value of a word.
func setSimply(word string, c *workload.Column, j *workload.Job) (ok bool) {
	n, notPlain := strconv.ParseInt(word, 10, 64)
	if notPlain != nil && !decimalNumber.MatchString(word) {
		return false
	}
	x, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil:
		return false
	case x == -1:
	case c.Float():
		c.SetNumber(j, x)
	case notPlain == nil && n != math.MinInt64:
		c.SetInt(j, n)
	case x != math.Trunc(x) || math.Abs(x) > 1<<53:
		return false
	default:
		c.SetInt(j, int64(x))
	}
	return true
}
