package reshape

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Flurries removes workload flurries: rare surges of activity with a
// repetitive nature, caused by a single user, that dominate the workload for a
// relatively short period (Tsafrir and Feitelson, "Instability in parallel job
// scheduling simulation: the role of workload flurries", 2006; Feitelson and
// Tsafrir, "Workload sanitation for performance evaluation", 2006). The papers
// find them by eye and remove ranges of one user's job numbers. This is the
// project's reading of those words as a rule:
//
// jobs are alike where the user is the same and they are in one class by each word
// of Alike (unknown is a value like any other, but an unknown user is nobody's). Where, from the
// submission of a job on, at least Jobs jobs alike are submitted within Window
// seconds, and they are at least the share Share of all jobs submitted in
// these seconds, all of them are a flurry.
//
// What flurries do not dominate stays, and so do the user's other jobs. A user who
// always dominates a log would be removed from it; a warning says if the filter took
// out more than a third of all jobs, which is not rare any more.
//
// It holds the jobs of Window seconds, of which at most Hold (230 bytes each).
// Where there are more, the window is cut short, and a warning says how often.
// A job that stands after one submitted later counts as submitted with that
// one; one of unknown submission stays.
type Flurries struct {
	Window float64  // s
	Jobs   int      // of one kind
	Share  float64  // of all jobs, 0 to 1
	Alike  []string // words of workload.ParseClasses, up to five beside "user", which is always one
	Hold   int      // jobs
}

var _ Filter = (*Flurries)(nil)

// NewFlurries returns the filter with its defaults: a hundred jobs in a day,
// of one user, application and size, which are half of all.
func NewFlurries() *Flurries {
	return &Flurries{Window: 86400, Jobs: 100, Share: 0.5, Alike: []string{"app", "size"}, Hold: 1 << 18}
}

// alikeWords is how a word of Alike is read.
var alikeWords = workload.Grouping{Each: true, Plain: true}

func flurriesKind() FilterKind {
	return FilterKind{
		Name:    "flurries",
		Meaning: "bursts of one user's alike jobs that dominate the workload for a while (Tsafrir and Feitelson 2006; the rule is this project's reading)",
		Parameters: []FilterParameter{
			{"window", "1d", "a burst is looked for in so much time from a job on", secondsParameter(func(f *Flurries) *float64 { return &f.Window })},
			{"jobs", "100", "it has at least so many jobs in it", intParameter(func(f *Flurries) *int { return &f.Jobs })},
			{"share", "0.5", "and they are at least this share of all jobs in it", floatParameter(func(f *Flurries) *float64 { return &f.Share })},
			{"alike", "app,size", "alike are a user's jobs in one class by each of these: app, size, group, queue, partition, time, ...; or user: all of them",
				func(f parsable, text string) error { f.(*Flurries).Alike = strings.Split(text, ","); return nil }},
			{"hold", "262144", "jobs held at most, 230 bytes each; a window with more is cut short", intParameter(func(f *Flurries) *int { return &f.Hold })},
		},
		new: func() parsable { return NewFlurries() },
	}
}

// Validate checks the parameters.
func (f *Flurries) Validate() error {
	switch {
	case !(f.Window > 0) || math.IsInf(f.Window, 0):
		return fmt.Errorf("window: %v: want more than 0 seconds", f.Window)
	case f.Jobs < 2:
		return fmt.Errorf("jobs: %d: want 2 or more", f.Jobs)
	case !(f.Share >= 0 && f.Share <= 1):
		return fmt.Errorf("share: %v: want 0 to 1", f.Share)
	case f.Hold < f.Jobs || f.Hold > 1<<26:
		return fmt.Errorf("hold: %d: want jobs=%d to %d", f.Hold, f.Jobs, 1<<26)
	case len(f.Alike) == 0:
		return errors.New("alike: want user, or some of " + strings.Join(alikeWords.Words(), ", "))
	}
	_, err := f.alike()
	return err
}

// alike are the classes that jobs are alike by, beside the user.
func (f *Flurries) alike() ([]alikeBy, error) {
	var all []alikeBy
	for _, word := range f.Alike {
		c, err := workload.ClassesOf([]string{word}, alikeWords)
		var fault *workload.OptionError
		switch {
		case errors.As(err, &fault):
			return nil, fmt.Errorf("alike: %s: want %s", fault.Saw, fault.Want)
		case err != nil:
			return nil, err
		case word == workload.AllJobs || c.Columns()[0].Column == workload.ColumnAt(workload.ColUser).Name:
			continue
		}
		all = append(all, alikeBy{word, c})
	}
	if len(all) > len(kind{})-1 {
		return nil, fmt.Errorf("alike: %s: want at most %d besides user", strings.Join(f.Alike, ","), len(kind{})-1)
	}
	return all, nil
}

// alikeBy is a word of Alike and the classes that it makes.
type alikeBy struct {
	word    string
	classes *workload.Classifier
}

// text is the class of a job that has the key.
func (a alikeBy) text(key int64) string {
	k := workload.ClassKey{key}
	value := a.classes.Value(k)
	switch {
	case a.classes.Unknown(k):
		value = unknownValue
	case value == "":
		return a.classes.Label(k)
	}
	return a.word + "=" + value
}

// String implements Filter.
func (f *Flurries) String() string {
	return fmt.Sprintf("flurries window=%s jobs=%d share=%s alike=%s hold=%d", formatSeconds(f.Window), f.Jobs,
		strconv.FormatFloat(f.Share, 'g', -1, 64), strings.Join(f.Alike, ","), f.Hold)
}

// Apply implements Filter.
func (f *Flurries) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		alike, err := f.alike()
		if err != nil {
			yield(workload.Job{}, err)
			return
		}
		b := burst{Flurries: f, alike: alike, outcome: o, kinds: map[kind]*kindState{}, latest: math.Inf(-1)}
		for j, err := range jobs {
			if err != nil {
				yield(j, err)
				return
			}
			for b.ready(&j) {
				if !b.settle(yield) {
					return
				}
			}
			b.add(j)
		}
		for len(b.held) > 0 {
			if !b.settle(yield) {
				return
			}
		}
		b.warn()
	}
}

// kind is what alike jobs share: the user, and the class by each word of Alike.
type kind [6]int64

func (b *burst) kindOf(j *workload.Job) kind {
	k := kind{j.User}
	for i, by := range b.alike {
		k[i+1] = by.classes.Key(j)[0]
	}
	return k
}

// reason tells of a burst.
func (b *burst) reason(k kind, number, n, all int, at float64) string {
	s := fmt.Sprintf("flurry %d: user=%d", number, k[0])
	for i, by := range b.alike {
		s += " " + by.text(k[i+1])
	}
	return fmt.Sprintf("%s: %d of the %d jobs in %s from %s s on", s, n, all, formatSeconds(b.Window), strconv.FormatFloat(at, 'f', -1, 64))
}
