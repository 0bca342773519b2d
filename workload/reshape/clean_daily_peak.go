package reshape

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// DailyPeak removes the jobs of automatic scripts that run at a fixed time
// of the day, such as those of user 5 of the SDSC Paragon, who submitted 5,301
// of the 38,719 jobs of 1996 between 3 and 4 in the morning. The rule is this
// project's reading of the archive's filter ("user=5 and hour=3") and of
// Lublin and Feitelson (2003), who noticed the peak:
//
// the day at the site has 48 slots of half an hour. Up to Width slots side by
// side are a peak of one user where each of them has at least Jobs of the
// user's jobs, on at least Days different days, and at least Factor times as
// many as the two slots before and behind the peak have on average. The widest
// peak counts.
//
// With Action "cap", of a peak's jobs so many stay as its neighbouring slots
// have on average, slot by slot, evenly spread over the log (the first is
// removed first); with "remove" none stay, as in the archive's filter.
//
// It has to see the whole log before the first job can go on: the jobs wait in
// a temporary file, in memory there are 16 bytes for each gap in the rows and
// 780 bytes a user, of whom at most 100,000 are watched; a warning says if
// there were more. Without a start time in the header, second 0 is taken as
// midnight, with a warning.
type DailyPeak struct {
	Action string  // "cap" or "remove"
	Factor float64 // times the neighbours' mean
	Jobs   int     // in a slot
	Days   int     // different days
	Width  int     // slots
}

var _ Filter = (*DailyPeak)(nil)

// NewDailyPeak returns the filter with its defaults.
func NewDailyPeak() *DailyPeak {
	return &DailyPeak{Action: "cap", Factor: 5, Jobs: 100, Days: 20, Width: 2}
}

func dailyPeakKind() FilterKind {
	return FilterKind{
		Name:    "daily-peak",
		Meaning: "jobs of a script that runs at a fixed time of the day: half-hour slots with far more of one user's jobs than the neighbouring slots (as at SDSC at 3:30; the rule is this project's reading)",
		Parameters: []FilterParameter{
			{"action", "cap", "cap (keep as many as are in the neighbouring slots) or remove (keep none)", stringParameter(func(d *DailyPeak) *string { return &d.Action })},
			{"factor", "5", "multiple of the mean of the neighbouring slots", floatParameter(func(d *DailyPeak) *float64 { return &d.Factor })},
			{"jobs", "100", "least jobs of the user in a slot", intParameter(func(d *DailyPeak) *int { return &d.Jobs })},
			{"days", "20", "least days on which there were any", intParameter(func(d *DailyPeak) *int { return &d.Days })},
			{"width", "2", "most slots of a peak", intParameter(func(d *DailyPeak) *int { return &d.Width })},
		},
		new: func() parsable { return NewDailyPeak() },
	}
}

// Validate checks the parameters.
func (d *DailyPeak) Validate() error {
	switch {
	case d.Action != "cap" && d.Action != "remove":
		return fmt.Errorf("action: %q: want cap or remove", d.Action)
	case !(d.Factor > 1) || math.IsInf(d.Factor, 0):
		return fmt.Errorf("factor: %v: want more than 1", d.Factor)
	case d.Jobs < 1:
		return fmt.Errorf("jobs: %d: want 1 or more", d.Jobs)
	case d.Days < 1:
		return fmt.Errorf("days: %d: want 1 or more", d.Days)
	case d.Width < 1 || d.Width > halfHours/2:
		return fmt.Errorf("width: %d: want 1 to %d", d.Width, halfHours/2)
	}
	return nil
}

// String implements Filter.
func (d *DailyPeak) String() string {
	return fmt.Sprintf("daily-peak action=%s factor=%s jobs=%d days=%d width=%d", d.Action,
		strconv.FormatFloat(d.Factor, 'g', -1, 64), d.Jobs, d.Days, d.Width)
}

// Apply implements Filter.
func (d *DailyPeak) Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		err := d.apply(h, jobs, o, yield)
		if err != nil && !errors.Is(err, errStopped) {
			yield(workload.Job{}, err)
		}
	}
}

// errStopped reports that the consumer wants no more jobs.
var errStopped = errors.New("stopped")

func (d *DailyPeak) apply(h workload.Header, jobs workload.JobSeq, o *Outcome, yield func(workload.Job, error) bool) error {
	clock, note := h.Clock()
	if !clock.Known {
		o.Warnings.Add("no-start", "daily-peak: "+note, 0, "")
	}
	kept, err := newReplay()
	if err != nil {
		return err
	}
	defer kept.close()
	days := dayCounts{clock: clock, users: map[int64]*userDay{}}
	for j, err := range jobs {
		if err == nil {
			err = kept.add(&j)
		}
		if err != nil {
			return err
		}
		days.add(&j, o)
	}
	for _, u := range days.users {
		u.findPeaks(d)
	}
	for j, err := range kept.jobs() {
		if err != nil {
			return err
		}
		if reason := days.surplus(&j); reason != "" {
			o.Remove(&j, reason)
			continue
		}
		if !yield(j, nil) {
			return errStopped
		}
	}
	return nil
}
