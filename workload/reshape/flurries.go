package reshape

import (
	"fmt"
	"math"
	"slices"
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
	Window Seconds  `opt:"window" help:"a burst is looked for in so much time from a job on"`
	Jobs   int      `opt:"jobs" in:"[2,67108864]" help:"it has at least so many jobs in it"`
	Share  float64  `opt:"share" in:"[0,1]" help:"and they are at least this share of all jobs in it"`
	Alike  []string `opt:"alike" help:"alike are a user's jobs in one class by each of these, up to three: app, size, group, queue, partition, time, ...; or user: all of them"`
	Hold   int      `opt:"hold" in:"[2,67108864]" help:"jobs held at most, 230 bytes each; a window with more is cut short"`
}

// NewFlurries returns the filter with its defaults: a hundred jobs in a day,
// of one user, application and size, which are half of all.
func NewFlurries() Flurries {
	return Flurries{Window: 86400, Jobs: 100, Share: 0.5, Alike: []string{"application_id", "size"}, Hold: 1 << 18}
}

// alikeWords is how a word of Alike is read.
var alikeWords = workload.Grouping{Each: true, Plain: true}

// Grouping is that of ways to sort jobs.
func (f *Flurries) Grouping(option string) *workload.Grouping {
	if option == "alike" {
		return &alikeWords
	}
	return nil
}

// Check finds what a range cannot say.
func (f Flurries) Check() error {
	if f.Hold < f.Jobs {
		return workload.OptionFault("hold", f.Hold, "hold of %d or more, as jobs", f.Jobs)
	}
	_, err := f.classes()
	return err
}

// classes are those of alike jobs, by user first.
func (f Flurries) classes() (*workload.Classifier, error) {
	others := slices.DeleteFunc(slices.Clone(f.Alike), func(word string) bool { return word == "user_id" || word == workload.AllJobs })
	return workload.ClassesOf(append([]string{"user_id"}, others...), alikeWords)
}

// Name returns the filter's name.
func (Flurries) Name() string { return "flurries" }

// String implements Filter.
func (f Flurries) String() string { return textOf(f) }

// Apply implements Filter.
func (f Flurries) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		classes, err := f.classes()
		if err != nil {
			yield(workload.Job{}, err)
			return
		}
		b := burst{Flurries: f, classes: classes, outcome: o, kinds: map[workload.ClassKey]*kindState{}, latest: math.Inf(-1)}
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
		if n := o.Removed; n > b.jobs/3 {
			o.Warnings.Add("flurries-not-rare", fmt.Sprintf("flurries: %.0f%% of the jobs are removed, although flurries are rare by definition: "+
				"this may be the log's normal load; raise jobs= or share=", 100*float64(n)/float64(b.jobs)), 0, "")
		}
	}
}

// burst is a pass of Flurries: the jobs of the last window, oldest first, and
// how many of each kind they are. A job is settled when its window is full:
// then the held jobs are just those of the window that it opens.
type burst struct {
	Flurries
	classes  *workload.Classifier
	outcome  *Outcome
	held     []heldJob
	timed    int // of held, those with a known submission
	kinds    map[workload.ClassKey]*kindState
	latest   float64 // submission of the last job, or of a later one before it
	flurries int
	jobs     int64 // all that came
}

type heldJob struct {
	workload.Job
	at   float64 // its submission, in order
	kind workload.ClassKey
}

type kindState struct {
	held   int     // jobs of the window
	until  float64 // jobs before this are a flurry
	reason string
}

// ready reports whether the oldest job held can be settled before that one comes.
func (b *burst) ready(next *workload.Job) bool {
	if len(b.held) == 0 {
		return false
	}
	if len(b.held) >= b.Hold {
		b.outcome.Warnings.Add("flurry-hold", fmt.Sprintf("flurries: windows cut short, because more than hold=%d jobs are in them", b.Hold), 0,
			fmt.Sprintf("row %d", b.held[0].Row+1))
		return true
	}
	return b.held[0].at+float64(b.Window) <= next.Submit
}

func (b *burst) add(j workload.Job) {
	b.jobs++
	if j.Submit > b.latest {
		b.latest = j.Submit
	}
	k := b.classes.Key(&j)
	b.held = append(b.held, heldJob{j, b.latest, k})
	if math.IsNaN(j.Submit) {
		return
	}
	b.timed++
	if j.User == workload.Unknown {
		return
	}
	s := b.kinds[k]
	if s == nil {
		s = &kindState{until: math.Inf(-1)}
		b.kinds[k] = s
	}
	s.held++
}

// settle decides on the oldest job held, and yields it where it stays.
func (b *burst) settle(yield func(workload.Job, error) bool) bool {
	j := b.held[0]
	b.held = b.held[1:]
	if math.IsNaN(j.Submit) {
		return yield(j.Job, nil)
	}
	defer func() { b.timed-- }()
	if j.User == workload.Unknown {
		return yield(j.Job, nil)
	}
	s := b.kinds[j.kind]
	if s.held >= b.Jobs && float64(s.held) >= b.Share*float64(b.timed) {
		if j.at >= s.until {
			b.flurries++
			s.reason = fmt.Sprintf("flurry %d: %s: %d of the %d jobs in %s from %s s on", b.flurries,
				strings.Join(b.classes.Cells(j.kind), " "), s.held, b.timed, &b.Window, strconv.FormatFloat(j.at, 'f', -1, 64))
		}
		s.until = j.at + float64(b.Window)
	}
	if s.held--; s.held == 0 {
		delete(b.kinds, j.kind)
	}
	if j.at < s.until {
		b.outcome.Remove(&j.Job, s.reason)
		return true
	}
	return yield(j.Job, nil)
}
