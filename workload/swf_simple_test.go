package workload

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// simpleField is a field as the simple parser reads it.
type simpleField struct {
	null  bool
	float float64
	whole int64
}

func (f simpleField) String() string {
	if f.null {
		return "null"
	}
	return fmt.Sprintf("%v/%d", f.float, f.whole)
}

type simpleJob = [swfFields]simpleField

type simpleLog struct {
	header []string
	jobs   []simpleJob
	late   int // comments after the first job
	extra  int // jobs with more fields
}

var decimalNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// simpleSWF reads the standard workload format in the plainest way, to compare
// with. It shares no code with the reader. The error's text is the line and
// the name of the field at fault, which is empty for a fault of the line.
func simpleSWF(text string) (log simpleLog, err error) {
	for job, err := range simpleJobs(text, &log) {
		if err != nil {
			return log, err
		}
		log.jobs = append(log.jobs, job)
	}
	if len(log.jobs) == 0 && len(log.header) == 0 {
		return log, ErrNoJobs
	}
	return log, nil
}

// simpleJobs yields the jobs, and fills in the rest of the log as it goes.
func simpleJobs(text string, log *simpleLog) iter.Seq2[simpleJob, error] {
	return func(yield func(simpleJob, error) bool) {
		n, jobs := 0, 0
		for line := range strings.SplitSeq(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n") {
			n++
			line = strings.TrimSuffix(line, "\r")
			words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
			fault := ""
			var job simpleJob
			switch {
			case len(words) == 0:
				continue
			case words[0][0] == ';' && strings.ContainsRune(line, 0):
				fault = fmt.Sprintf("%d ", n)
			case words[0][0] == ';' && jobs > 0:
				log.late++
				continue
			case words[0][0] == ';':
				_, comment, _ := strings.Cut(line, ";")
				log.header = append(log.header, comment)
				continue
			default:
				job, fault = simpleLine(n, line, words, log)
			}
			if fault != "" {
				yield(job, errors.New(fault))
				return
			}
			jobs++
			if !yield(job, nil) {
				return
			}
		}
	}
}

func simpleLine(n int, line string, words []string, log *simpleLog) (job simpleJob, fault string) {
	ofLine := fmt.Sprintf("%d ", n)
	binary := strings.ContainsRune(line, 0)
	for f := range job {
		if f >= len(words) {
			return job, ofLine
		}
		word, _, stray := strings.Cut(words[f], "\r")
		if stray && word == "" {
			return job, ofLine
		}
		var ok bool
		if job[f], ok = simpleNumber(word, ColumnAt(f).Float()); !ok {
			if binary {
				return job, ofLine
			}
			return job, ofLine + ColumnAt(f).Name
		}
		if stray {
			return job, ofLine
		}
	}
	if len(words) == swfFields || words[swfFields][0] == ';' {
		return job, ""
	}
	if words[swfFields][0] == '\r' || binary {
		return job, ofLine
	}
	log.extra++
	return job, ""
}

func simpleNumber(word string, float bool) (f simpleField, ok bool) {
	n, notPlain := strconv.ParseInt(word, 10, 64)
	if notPlain != nil && !decimalNumber.MatchString(word) {
		return f, false
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return f, false
	}
	if x == -1 {
		return simpleField{null: true}, true
	}
	if float {
		return simpleField{float: x}, true
	}
	if notPlain == nil && n != math.MinInt64 {
		return simpleField{whole: n}, true
	}
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return f, false
	}
	return simpleField{whole: int64(x)}, true
}

// readAll takes a log apart into fields, as the simple parser does.
func readAll(l *Log) (jobs []simpleJob, err error) {
	for rec, err := range l.Batches() {
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, recordFields(rec)...)
	}
	return jobs, nil
}

func recordFields(rec arrow.Record) []simpleJob {
	v := NewView(rec)
	jobs := make([]simpleJob, v.Len())
	for i := range jobs {
		for f := range swfFields {
			switch {
			case rec.Column(f).IsNull(i):
				jobs[i][f].null = true
			case ColumnAt(f).Float():
				jobs[i][f].float = v.Float(f, i)
			default:
				jobs[i][f].whole = v.Int(f, i)
			}
		}
	}
	return jobs
}

// sameField also tells 0 from -0, which == does not.
func sameField(a, b simpleField) bool {
	return a.null == b.null && a.whole == b.whole && math.Float64bits(a.float) == math.Float64bits(b.float)
}

// differ describes the first difference of two logs, or is empty.
func differ(got, want []simpleJob) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d jobs, want %d", len(got), len(want))
	}
	for i := range got {
		for f := range swfFields {
			if !sameField(got[i][f], want[i][f]) {
				return fmt.Sprintf("row %d %s: got %v, want %v", i, ColumnAt(f).Name, got[i][f], want[i][f])
			}
		}
	}
	return ""
}

// warned is how often a rule was met.
func warned(l *Log, rule string) int {
	for _, w := range l.Warnings() {
		if w.Rule == rule {
			return int(w.Count)
		}
	}
	return 0
}

// place is "line field" of an error, as the simple parser gives it.
func place(err error) string {
	var e *InputError
	if !errors.As(err, &e) {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", e.Line, e.Field)
}
