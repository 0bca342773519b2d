package reshape

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxParts is how many parts a log can be split into.
const maxParts = 1000

// SplitOptions are the options of Split. Exactly one of At, Every, By and Parts is set.
type SplitOptions struct {
	// At are times of submission at which a new part begins: dates such as 1996-12-24 or
	// 1996-12-24T18:00 on the site's clock, or seconds from the log's start.
	At []string `opt:"at" not:"every|by|parts" common:"true" help:"<times> to split at, by commas"`
	// Every is the length of the parts, by submission.
	Every Interval `opt:"every" not:"by|parts" common:"true" help:"<length> of a part, such as 12h, 1d, 1w"`
	// By is a comma-separated list of columns as workload.ParseClasses reads it: each value
	// of a column without ranges is a part, and each calendar month of "month".
	By    string                `opt:"by" not:"parts" common:"true" help:"classes to split by, or month"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for
	// Parts is the number of parts with equally many jobs.
	Parts int `opt:"parts" in:"[1,1000]" common:"true" help:"number of parts with equal numbers of jobs"`
}

// Grouping is that of ways to sort jobs.
func (o *SplitOptions) Grouping(option string) *workload.Grouping { return groupingOf(option) }

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *SplitOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch {
	case o.By != "":
		_, err := byWords.ClassesBy(o.By, o.Named, nil)
		return err
	case len(o.At) == 0 && o.Every == Interval{} && o.Parts == 0:
		return workload.OptionFault("parts", "is missing", "one of `at`, `every`, `by` and `parts`")
	}
	return nil
}

// Interval is a length of time on the clock or in the calendar. Exactly one field is
// positive.
type Interval struct {
	Seconds float64
	Days    int // in local time, so that one may have 23 or 25 hours
}

// Set makes it that of a text, a number with a unit: "90s", "30m", "12h", "7d", "2w". Days
// and weeks are the calendar's. An error is a *workload.OptionError.
func (i *Interval) Set(text string) error {
	number := strings.TrimRight(text, "smhdw")
	x, err := strconv.ParseFloat(number, 64)
	unit := units[text[len(number):]]
	read := Interval{Seconds: x * unit}
	if unit >= units["d"] {
		read = Interval{Days: int(x * unit / units["d"])}
	}
	whole := read.Days >= 1 && x == math.Trunc(x) && x <= 10000
	if err != nil || strings.ContainsAny(number, "+-_eExXpP") || !whole && !(read.Seconds >= 1 && inTime(read.Seconds)) {
		return workload.OptionFault("every", strconv.Quote(text), "a number with one of the units s, m, h, d and w, such as 12h")
	}
	*i = read
	return nil
}

// Type names the value of a flag.
func (i *Interval) Type() string { return "string" }

// String writes the length as Set reads it; "" if there is none.
func (i *Interval) String() string {
	switch {
	case i.Days > 0:
		return fmt.Sprintf("%dd", i.Days)
	case i.Seconds > 0:
		return fmt.Sprintf("%gs", i.Seconds)
	}
	return ""
}

// SplitSchema names the JSON form of Splitting and its version.
const SplitSchema = "loadstone.split/1"

// Splitting holds the parts of a log. The caller sets the File of those that it writes.
type Splitting struct {
	Schema   string             `json:"schema"`
	Log      string             `json:"log"`
	Parts    []Part             `json:"parts"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	division
	optional workload.ColumnSet
}

// Part is one part of a log.
type Part struct {
	N     int    `json:"n" show:"n"`         // from 1, in the order of the parts
	Value string `json:"value" show:"value"` // what its jobs have in common, fit for a file's name
	Jobs  int64  `json:"jobs" show:"jobs"`
	File  string `json:"file" show:"file"` // that it is written to

	key workload.ClassKey
}

// division says which part of a log each job belongs to: exactly one.
type division struct {
	key   func(j *workload.Job) workload.ClassKey
	value func(key workload.ClassKey) string
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
	withClasses := open
	if o.By != "" {
		withClasses = func() (*workload.Log, error) {
			log, err := open()
			if err != nil {
				return nil, err
			}
			classes, err := byWords.ClassesBy(o.By, o.Named, &log.Header)
			if err != nil {
				log.Close()
				return nil, err
			}
			log.WatchClasses(classes, false)
			s.division = byClasses(classes)
			return log, nil
		}
	} else if err := s.divide(ctx, open, o); err != nil {
		return nil, err
	}
	counts := map[workload.ClassKey]int64{}
	log, err := eachJob(ctx, withClasses, func(j *workload.Job) error {
		key := s.key(j)
		if counts[key]++; len(counts) > maxParts {
			return fmt.Errorf("more than %d parts", maxParts)
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
	}
	s.Log, s.optional, s.Warnings = log.Name, log.Optional(), append(s.Warnings, log.Warnings()...)
	return s, nil
}

// divide makes the division by submission or into equal parts. One into equal parts needs the number of jobs, and
// one by the clock the header: each takes a reading of the log.
func (s *Splitting) divide(ctx context.Context, open func() (*workload.Log, error), o SplitOptions) error {
	if o.Parts > 0 {
		total, err := rows(ctx, open)
		if err == nil && total < int64(o.Parts) {
			err = fmt.Errorf("%d parts of %d jobs, want a job for each", o.Parts, total)
		}
		s.division = equally(int64(o.Parts), total)
		return err
	}
	log, err := workload.WithLog(open, func(*workload.Log) error { return nil })
	if err != nil {
		return err
	}
	s.Warnings = log.Header.ClockWarnings()
	clock, _ := log.Header.Clock()
	if len(o.At) == 0 {
		s.division = every(o.Every, clock)
		return nil
	}
	var cuts []float64
	for _, text := range o.At {
		t, err := clock.Moment("at", strings.TrimSpace(text))
		if err != nil {
			return err
		}
		if !inTime(t) {
			return fmt.Errorf("a cut at %g s, want a moment within 30,000 years of the log's start", t)
		}
		cuts = append(cuts, t)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	// A job belongs to the part that begins at the last moment not after it, the
	// jobs before the first moment to a part "start".
	s.division = bySubmit(func(t float64) int64 {
		i, found := slices.BinarySearch(cuts, t)
		if found {
			i++
		}
		return int64(i)
	}, func(key int64) string {
		if key == 0 {
			return "start"
		}
		return moment(clock, cuts[key-1])
	})
	return nil
}

// unknownPart is the Value of the part of jobs that have no answer. It comes
// last.
const unknownPart = "unknown"

// byClasses divides into the given classes, in their order, such as users, queues or ranges
// of sizes.
func byClasses(classes *workload.Classifier) division {
	return division{classes.Key, func(key workload.ClassKey) string {
		if v := classes.Value(key); v != "" {
			return v
		}
		if len(classes.Columns()) == 1 && classes.Unknown(key) {
			return unknownPart
		}
		return workload.InFileName(classes.Label(key))
	}}
}

// equally divides a log of total jobs into n parts that follow one
// another in the log and whose numbers of jobs differ by one at most: part k has the rows
// from k total/n on, rounded down.
func equally(n, total int64) division {
	return division{
		key: func(j *workload.Job) workload.ClassKey {
			k := j.Row * n / total
			for (k+1)*total/n <= j.Row {
				k++
			}
			return workload.ClassKey{k}
		},
		value: func(key workload.ClassKey) string { return strconv.FormatInt(key[0]+1, 10) },
	}
}

// bySubmit divides by submission; jobs whose submission is unknown, or beyond
// any calendar, are one part.
func bySubmit(number func(t float64) int64, value func(number int64) string) division {
	return division{
		key: func(j *workload.Job) workload.ClassKey {
			if !inTime(j.Submit) {
				return workload.ClassKey{workload.Unknown}
			}
			return workload.ClassKey{number(j.Submit)}
		},
		value: func(key workload.ClassKey) string {
			if key[0] == workload.Unknown {
				return unknownPart
			}
			return value(key[0])
		},
	}
}

// every divides by submission into intervals. Seconds count from the log's start; days from
// the midnight before it, or the midnight of the Monday before it where they are whole
// weeks. Intervals without jobs make no part. A part is named by where it begins.
func every(i Interval, clock workload.Clock) division {
	if i.Seconds > 0 {
		return bySubmit(func(t float64) int64 { return int64(math.Floor(t / i.Seconds)) },
			func(k int64) string { return moment(clock, float64(k)*i.Seconds) })
	}
	start, step := clock.Start, int64(i.Days)
	number := func(t time.Time) int64 { // of the day, from 1970 on
		year, month, day := t.Date()
		return floorDiv(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix(), 86400)
	}
	from := number(start)
	if step%7 == 0 {
		from -= int64(start.Weekday()+6) % 7 // days since Monday
	}
	return bySubmit(func(t float64) int64 { return floorDiv(number(clock.At(t))-from, step) }, func(k int64) string {
		begin := time.Date(1970, 1, int(from+k*step)+1, 0, 0, 0, 0, start.Location())
		return moment(clock, float64(begin.Unix()-start.Unix()))
	})
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// inTime reports whether a time can be told by a calendar.
func inTime(t float64) bool { return math.Abs(t) < 1e12 }

// moment writes a time of a log for a file's name: the date, with the time of
// day where it is not midnight; seconds where the log has no date.
func moment(clock workload.Clock, t float64) string {
	if !clock.Known {
		return strconv.FormatFloat(t, 'f', -1, 64) + "s"
	}
	at := clock.At(t)
	if h, m, s := at.Clock(); h+m+s == 0 {
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02T15-04-05")
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

// Jobs yields the jobs of parts from <= i < to, each with the index i - from of its part.
func (s *Splitting) Jobs(jobs workload.JobSeq, from, to int, yield func(part int, j *workload.Job) error) error {
	index := map[workload.ClassKey]int{}
	for i, p := range s.Parts[from:to] {
		index[p.key] = i
	}
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if i, ok := index[s.key(&j)]; ok {
			if err := yield(i, &j); err != nil {
				return err
			}
		}
	}
	return nil
}
