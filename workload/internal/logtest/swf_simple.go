package logtest

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// SimpleField is a field as the simple parser reads it.
type SimpleField struct {
	Null  bool
	Float float64
	Whole int64
}

func (f SimpleField) String() string {
	if f.Null {
		return "null"
	}
	return fmt.Sprintf("%v/%d", f.Float, f.Whole)
}

type SimpleJob = [parse.Fields]SimpleField

type SimpleLog struct {
	Header []string
	Jobs   []SimpleJob
	Late   int // comments after the first job
	Extra  int // jobs with more fields
}

var decimalNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// SimpleSWF reads the standard workload format in the plainest way, to compare
// with. It shares no code with the reader. The error's text is the line and
// the name of the field at fault, which is empty for a fault of the line.
func SimpleSWF(text string) (log SimpleLog, err error) {
	for job, err := range SimpleJobs(text, &log) {
		if err != nil {
			return log, err
		}
		log.Jobs = append(log.Jobs, job)
	}
	if len(log.Jobs) == 0 && len(log.Header) == 0 {
		return log, workload.ErrNoJobs
	}
	return log, nil
}

// SimpleJobs yields the jobs, and fills in the rest of the log as it goes.
func SimpleJobs(text string, log *SimpleLog) iter.Seq2[SimpleJob, error] {
	return func(yield func(SimpleJob, error) bool) {
		n, jobs := 0, 0
		for line := range strings.SplitSeq(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n") {
			n++
			line = strings.TrimSuffix(line, "\r")
			words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
			fault := ""
			var job SimpleJob
			switch {
			case len(words) == 0:
				continue
			case words[0][0] == ';' && strings.ContainsRune(line, 0):
				fault = fmt.Sprintf("%d ", n)
			case words[0][0] == ';' && jobs > 0:
				log.Late++
				continue
			case words[0][0] == ';':
				_, comment, _ := strings.Cut(line, ";")
				log.Header = append(log.Header, comment)
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

func simpleLine(n int, line string, words []string, log *SimpleLog) (job SimpleJob, fault string) {
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
		if job[f], ok = SimpleNumber(word, workload.ColumnAt(f).Float()); !ok {
			if binary {
				return job, ofLine
			}
			return job, ofLine + workload.ColumnAt(f).Name
		}
		if stray {
			return job, ofLine
		}
	}
	if len(words) == parse.Fields || words[parse.Fields][0] == ';' {
		return job, ""
	}
	if words[parse.Fields][0] == '\r' || binary {
		return job, ofLine
	}
	log.Extra++
	return job, ""
}

func SimpleNumber(word string, float bool) (f SimpleField, ok bool) {
	n, notPlain := strconv.ParseInt(word, 10, 64)
	if notPlain != nil && !decimalNumber.MatchString(word) {
		return f, false
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return f, false
	}
	if x == -1 {
		return SimpleField{Null: true}, true
	}
	if float {
		return SimpleField{Float: x}, true
	}
	if notPlain == nil && n != math.MinInt64 {
		return SimpleField{Whole: n}, true
	}
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return f, false
	}
	return SimpleField{Whole: int64(x)}, true
}

// ReadAll takes a log apart into fields, as the simple parser does.
func ReadAll(l *workload.Log) (jobs []SimpleJob, err error) {
	for b, err := range l.Batches() {
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, RecordFields(b)...)
	}
	return jobs, nil
}

// RecordFields takes a batch apart into fields.
func RecordFields(b *workload.Batch) []SimpleJob {
	jobs := make([]SimpleJob, b.Rows)
	for i := range jobs {
		for f := range parse.Fields {
			x, n := b.Float(f, i), b.Int(f, i)
			if jobs[i][f].Null = x != x && n == workload.Unknown; jobs[i][f].Null {
				continue
			}
			if workload.ColumnAt(f).Float() {
				jobs[i][f].Float = x
			} else {
				jobs[i][f].Whole = n
			}
		}
	}
	return jobs
}

// SameField also tells 0 from -0, which == does not.
func SameField(a, b SimpleField) bool {
	return a.Null == b.Null && a.Whole == b.Whole && math.Float64bits(a.Float) == math.Float64bits(b.Float)
}

// Differ describes the first difference of two logs, or is empty.
func Differ(got, want []SimpleJob) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d jobs, want %d", len(got), len(want))
	}
	for i := range got {
		for f := range parse.Fields {
			if !SameField(got[i][f], want[i][f]) {
				return fmt.Sprintf("row %d %s: got %v, want %v", i, workload.ColumnAt(f).Name, got[i][f], want[i][f])
			}
		}
	}
	return ""
}

// Warned is how often a rule was met.
func Warned(l *workload.Log, rule string) int {
	for _, w := range l.Warnings() {
		if w.Rule == rule {
			return int(w.Count)
		}
	}
	return 0
}

// Place is "line field" of an error, as the simple parser gives it.
func Place(err error) string {
	var e *workload.InputError
	if !errors.As(err, &e) {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", e.Line, e.Field)
}
