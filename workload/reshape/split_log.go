package reshape

import (
	"context"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SplitOptions are the options of Split. Exactly one of At, Every, By and Parts is set.
type SplitOptions struct {
	// At are times of submission at which a new part begins: dates such as 1996-12-24 or
	// 1996-12-24T18:00 on the site's clock, or seconds from the log's start.
	At []string `opt:"at" common:"true" help:"<times> to split at, by commas"`
	// Every is the length of the parts, by submission.
	Every Interval `opt:"every" common:"true" help:"<length> of a part, such as 12h, 1d, 1w, 1month"`
	// By is a comma-separated list of columns as workload.ParseClasses reads it: each value
	// of a column without ranges is a part.
	By    string                `opt:"by" common:"true" help:"classes to split by"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for
	// Parts is the number of parts with equally many jobs; at most MaxParts.
	Parts int `opt:"parts" in:"[1,1000]" common:"true" help:"number of parts with equal numbers of jobs"`
}

// byWords is the grouping with which SplitOptions.By and SampleOptions.By are parsed.
var byWords = workload.Grouping{Each: true}

// Grouping is that of ways to sort jobs.
func (o *SplitOptions) Grouping(option string) *workload.Grouping { return groupingOf(option) }

func groupingOf(option string) *workload.Grouping {
	if option == "by" {
		return &byWords
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *SplitOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch ways := boolCount(len(o.At) > 0, o.Every != Interval{}, o.By != "", o.Parts != 0); {
	case ways == 0:
		return workload.OptionFault("parts", "is missing", "one of `at`, `every`, `by` and `parts`")
	case ways > 1:
		return workload.OptionFault("parts", "is one way of several", "one of `at`, `every`, `by` and `parts`")
	}
	if o.By == "" {
		return nil
	}
	_, err := byWords.ClassesBy(o.By, o.Named, nil)
	return err
}

// SplitSchema names the JSON form of Splitting and its version.
const SplitSchema = "loadstone.split/1"

// Splitting holds the parts of a log. The caller sets the File of those that it writes.
type Splitting struct {
	Schema   string             `json:"schema"`
	Log      string             `json:"log"`
	Parts    []Part             `json:"parts"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	division Division
	optional workload.ColumnSet
}

// Optional returns the optional columns that the log has.
func (s *Splitting) Optional() workload.ColumnSet { return s.optional }

// Split finds the parts of a log that have jobs. The log is opened twice, once for By. An
// invalid option is a *workload.OptionError.
func Split(ctx context.Context, open func() (*workload.Log, error), o SplitOptions) (*Splitting, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &Splitting{Schema: SplitSchema}
	if o.By == "" {
		if err := s.divide(ctx, open, o); err != nil {
			return nil, err
		}
	}
	log, err := workload.WithLog(open, func(log *workload.Log) (err error) {
		if o.By != "" {
			classes, err := byWords.ClassesBy(o.By, o.Named, &log.Header)
			if err != nil {
				return err
			}
			log.WatchClasses(classes, false)
			s.division = DivideBy(classes)
		}
		s.Parts, err = s.division.Parts(workload.Until(ctx, log.Jobs()))
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Log, s.optional, s.Warnings = log.Name, log.Optional(), append(s.Warnings, log.Warnings()...)
	return s, nil
}

// Jobs yields the jobs of parts from <= i < to, each with the index i - from of its part.
func (s *Splitting) Jobs(jobs workload.JobSeq, from, to int, yield func(part int, j *workload.Job) error) error {
	return s.division.Of(jobs, s.Parts[from:to], yield)
}

// divide makes the division by submission or into equal parts. One into equal parts needs the number of jobs, and
// one by the clock the header: each takes a reading of the log.
func (s *Splitting) divide(ctx context.Context, open func() (*workload.Log, error), o SplitOptions) (err error) {
	var jobs int64
	log, err := workload.WithLog(open, func(log *workload.Log) (err error) {
		if o.Parts > 0 {
			jobs, err = rows(ctx, log)
		}
		return err
	})
	if err != nil {
		return err
	}
	if o.Parts > 0 {
		s.division, err = DivideEqually(o.Parts, jobs)
		return err
	}
	s.Warnings = log.Header.ClockWarnings()
	clock, _ := log.Header.Clock()
	if len(o.At) == 0 {
		s.division, err = DivideEvery(o.Every, clock)
		return err
	}
	var moments []float64
	for _, text := range o.At {
		t, err := clock.Moment("at", strings.TrimSpace(text))
		if err != nil {
			return err
		}
		moments = append(moments, t)
	}
	s.division, err = DivideAt(moments, clock)
	return err
}

const (
	// splitFiles is how many parts are written in one reading of the log: each
	// takes some 5 MB.
	splitFiles = 24
	// splitJobs bounds the jobs that the writers of these hold at a time, each
	// of which holds at most splitGroup (Parquet's row group).
	splitJobs  = 1 << 20
	splitGroup = 1 << 18
)

// Together returns the end of the parts, from one on, that are to be written in one reading
// of the log.
func (s *Splitting) Together(from int) int {
	held := int64(0)
	for i, p := range s.Parts[from:] {
		if held += min(p.Jobs, splitGroup); i == splitFiles || i > 0 && held > splitJobs {
			return from + i
		}
	}
	return len(s.Parts)
}
