package reshape

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxParts is the largest number of parts of a log.
const maxParts = 1000

// SplitOptions are the options of Split. Exactly one of At, By and Parts is set.
type SplitOptions struct {
	// At lists the times of submission at which a new part begins: dates such as 1996-12-24 or
	// 1996-12-24T18:00 on the site's clock, or seconds from the log's start.
	At []string `opt:"at" not:"by|parts" common:"true" help:"<times> to split at, by commas"`
	// By is a comma-separated list of columns, as read by workload.ParseClasses. Each value of a
	// column without ranges is a part, and each month for "month", and so on for "week" and "day".
	By    string                `opt:"by" not:"parts" classes:"each measured" common:"true" help:"classes to split by, or month, week or day"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for
	// Parts is the number of parts with equally many jobs.
	Parts int `opt:"parts" in:"[1,1000]" common:"true" help:"number of parts with equal numbers of jobs"`
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *SplitOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if len(o.At) == 0 && o.By == "" && o.Parts == 0 {
		return workload.OptionFault("parts", "is missing", "one of `at`, `by` and `parts`")
	}
	return nil
}

// SplitSchema is the name and version of the JSON format of Splitting.
const SplitSchema = "loadstone.split/1"

// Splitting holds the parts of a log. The caller sets File in the parts that it writes.
type Splitting struct {
	Schema   string             `json:"schema"`
	Log      string             `json:"log"`
	Parts    []Part             `json:"parts"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	division
	index    map[workload.ClassKey]int // index in Parts by class
	optional workload.ColumnSet
}

// Part is one part of a log.
type Part struct {
	N     int    `json:"n" show:"n"`         // from 1, in the order of the parts
	Value string `json:"value" show:"value"` // common property of its jobs, fit for a file name
	Jobs  int64  `json:"jobs" show:"jobs"`
	File  string `json:"file" show:"file"` // name of the file that it is written to

	key workload.ClassKey
}

// Optional returns the optional columns that the log has.
func (s *Splitting) Optional() workload.ColumnSet { return s.optional }

// Split finds the parts of a log that have jobs. The log is opened once, or twice for Parts. An
// invalid option is a *workload.OptionError.
func Split(ctx context.Context, open func() (*workload.Log, error), o SplitOptions) (*Splitting, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	total := int64(0)
	if o.Parts > 0 {
		var err error
		if total, err = rows(ctx, open); err == nil && total < int64(o.Parts) {
			err = fmt.Errorf("%d parts of %d jobs, want a job for each", o.Parts, total)
		}
		if err != nil {
			return nil, err
		}
	}
	s := &Splitting{Schema: SplitSchema, index: map[workload.ClassKey]int{}}
	counts := map[workload.ClassKey]int64{}
	log, err := workload.WithLog(open, func(log *workload.Log) (err error) {
		if s.division, err = o.division(log, total); err != nil {
			return err
		}
		for j, err := range workload.Until(ctx, log.Jobs()) {
			if err != nil {
				return err
			}
			if counts[s.key(&j)]++; len(counts) > maxParts {
				return fmt.Errorf("more than %d parts", maxParts)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for key, n := range counts {
		s.Parts = append(s.Parts, Part{Value: s.value(key), Jobs: n, key: key})
	}
	slices.SortFunc(s.Parts, func(a, b Part) int { return a.key.Compare(b.key) })
	for i := range s.Parts {
		s.Parts[i].N = i + 1
		s.index[s.Parts[i].key] = i
	}
	if len(o.At) > 0 {
		s.Warnings = log.Header.ClockWarnings()
	}
	s.Log, s.optional, s.Warnings = log.Name, log.Optional(), append(s.Warnings, log.Warnings()...)
	return s, nil
}

// division assigns each job of a log to exactly one part.
type division struct {
	key   func(j *workload.Job) workload.ClassKey
	value func(key workload.ClassKey) string
}

// division returns the division of a log of total jobs.
func (o *SplitOptions) division(log *workload.Log, total int64) (division, error) {
	clock, _ := log.Header.Clock()
	switch {
	case o.By != "":
		classes, err := classesOf(log, o.By, o)
		return division{classes.Key, func(key workload.ClassKey) string { return classValue(classes, key) }}, err
	case o.Parts > 0:
		// The numbers of jobs differ by at most one: part k has the rows from k total/n on, rounded
		// down.
		n := int64(o.Parts)
		return division{
			func(j *workload.Job) workload.ClassKey { return workload.ClassKey{((j.Row+1)*n - 1) / total} },
			func(key workload.ClassKey) string { return strconv.FormatInt(key[0]+1, 10) },
		}, nil
	}
	begins := []float64{math.Inf(-1)}
	for _, text := range o.At {
		t, err := clock.Moment("at", strings.TrimSpace(text))
		if err == nil && !inTime(t) {
			err = fmt.Errorf("a cut at %g s, want a moment within 30,000 years of the log's start", t)
		}
		if err != nil {
			return division{}, err
		}
		begins = append(begins, t)
	}
	slices.Sort(begins)
	begins = slices.Compact(begins)
	return division{
		func(j *workload.Job) workload.ClassKey {
			if !inTime(j.Submit) {
				return workload.ClassKey{workload.Unknown}
			}
			i, found := slices.BinarySearch(begins, j.Submit)
			if !found {
				i--
			}
			return workload.ClassKey{int64(i)}
		},
		func(key workload.ClassKey) string {
			switch key[0] {
			case workload.Unknown:
				return unknownPart
			case 0:
				return "start"
			}
			return moment(clock, begins[key[0]])
		},
	}, nil
}

// unknownPart is the Value of the part of jobs whose time or class is unknown. It comes last.
const unknownPart = "unknown"

// classValue returns the Value of the part of a class.
func classValue(classes *workload.Classifier, key workload.ClassKey) string {
	if v := classes.Value(key); v != "" {
		return v
	}
	if len(classes.Columns()) == 1 && classes.Unknown(key) {
		return unknownPart
	}
	return workload.InFileName(classes.Label(key))
}

// inTime reports whether a time is within the range of calendars.
func inTime(t float64) bool { return math.Abs(t) < 1e12 }

// moment formats a time of a log for a file name: the date, with the time of day unless that is
// midnight; seconds if the log has no date.
func moment(clock workload.Clock, t float64) string {
	if !clock.Known {
		return strconv.FormatFloat(t, 'f', -1, 64) + "s"
	}
	return strings.TrimSuffix(clock.At(t).Format("2006-01-02T15-04-05"), "T00-00-00")
}

const (
	// splitFiles is the number of parts written in one reading of the log: each takes some 5 MB.
	splitFiles = 24
	// splitJobs limits the number of jobs that the writers of these parts hold at a time. Each
	// holds at most splitGroup, Parquet's row group.
	splitJobs  = 1 << 20
	splitGroup = 1 << 18
)

// Together returns the end of the parts, beginning with part from, that are to be written in one
// reading of the log.
func (s *Splitting) Together(from int) int {
	held := int64(0)
	for i, p := range s.Parts[from:] {
		if held += min(p.Jobs, splitGroup); i == splitFiles || i > 0 && held > splitJobs {
			return from + i
		}
	}
	return len(s.Parts)
}

// Part returns the index of a job's part. The error is ErrChanged if the job has none.
func (s *Splitting) Part(j *workload.Job) (int, error) {
	i, ok := s.index[s.key(j)]
	if !ok {
		return 0, ErrChanged
	}
	return i, nil
}
