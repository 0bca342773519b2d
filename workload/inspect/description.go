package inspect

import (
	"cmp"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// DescriptionSchema is the name and version of the JSON format of Description.
const DescriptionSchema = "loadstone.describe/1"

// Description is the result of Describe.
type Description struct {
	Schema string       `json:"schema" csv:"-"`
	Log    DescribedLog `json:"log" row:"flat"`
	Jobs   int64        `json:"jobs"`
	// Months is the time from the first to the last submission, in months of 365.25/12
	// days; NaN if no submission time is known.
	Months stats.Number     `json:"months"`
	Users  workload.Integer `json:"users"` // distinct users; Unknown if none is known
	Sites  workload.Integer `json:"sites"` // distinct partitions; Unknown if none is known
	// OfferedLoad is Work as a fraction of the machine's capacity from the first to the last
	// submission; NaN if the size of the machine or the time span is unknown.
	OfferedLoad stats.Number `json:"offered_load"`
	// OfferedLoadOf is "gpus" if the header gives the machine's GPUs but not its
	// processors; OfferedLoad then compares GPU seconds. Otherwise it is "".
	OfferedLoadOf string `json:"offered_load_of,omitempty"`
	// Serial and Parallel are the shares of jobs with one processor and with more than one,
	// among the jobs of known size (Parallel: Sonmez and others, 2009, table 1). PowerOfTwo
	// is the share of parallel jobs whose size is a power of two; NaN if there are no
	// parallel jobs.
	Serial     stats.Share               `json:"serial_pct"`
	Parallel   stats.Share               `json:"parallel_pct"`
	PowerOfTwo stats.Share               `json:"power_of_two_pct"`
	Status     map[workload.Status]int64 `json:"status"` // jobs by status
	// Columns has the columns of Measured and Groups those of Identifiers, by name.
	// Optional columns are present only if some job has a value.
	Columns  map[string]Column  `json:"columns"`
	Groups   map[string]Group   `json:"groups"`
	By       *Breakdown         `json:"by,omitempty"`      // nil without DescribeOptions.By
	Pending  []PendingShare     `json:"pending,omitempty"` // for a Slurm log with reasons
	Warnings []workload.Warning `json:"warnings,omitempty"`

	Also        []*Breakdown   `json:"-"` // those of DescribeOptions.Also
	Submissions Submissions    `json:"-"`
	Work        float64        `json:"-"` // processor seconds, of the jobs with known size and run time
	Clock       workload.Clock `json:"-"` // clock of the site
	ClockNote   string         `json:"-"` // the assumption made about Clock; also in Warnings
}

// DescribedLog describes a log by its header and the time span of its jobs.
type DescribedLog struct {
	Name         string           `json:"name" csv:"log"`
	Format       string           `json:"format"`
	Computer     string           `json:"computer,omitempty"`
	Installation string           `json:"installation,omitempty"`
	Processors   workload.Integer `json:"processors"`      // of the machine
	Start        string           `json:"start,omitempty"` // the date of second 0, as in RFC 3339
	// FirstSubmit and the times below are in seconds after Start, NaN if no submission time
	// is known. LastEnd is the latest end of the jobs with a known run time; an unknown
	// wait counts as 0.
	FirstSubmit stats.Number `json:"first_submit_s"`
	LastSubmit  stats.Number `json:"last_submit_s"`
	LastEnd     stats.Number `json:"last_end_s"`
}

// PendingShare is the time that jobs waited for one kind of reason, from their submission to their
// start or, in a listing of the queue, to the time of the listing.
type PendingShare struct {
	Reason string       `json:"reason" show:"reason"`
	Jobs   int64        `json:"jobs" show:"jobs"`
	Time   stats.Number `json:"pending_s" show:"time pending,duration"`
	Share  stats.Share  `json:"share_pct" show:"share of it,%"`
}

const secondsInMonth = 365.25 * 86400 / 12

// percent returns a part of the jobs in per cent.
func percent(part, jobs int64) stats.Number { return stats.Number(100 * float64(part) / float64(jobs)) }

// header adds the log's own data and its warnings, which may be complete only at its end.
func (d *Description) header(log *workload.Log) {
	d.Log.Name, d.Log.Format = log.Name, log.Format
	d.Log.Computer, d.Log.Installation = log.Header.Get("Computer"), log.Header.Get("Installation")
	d.Clock, d.ClockNote = log.Header.Clock()
	if d.Clock.Known {
		d.Log.Start = d.Clock.Start.Format(time.RFC3339)
	}
	total := 0.0
	for _, p := range log.Pending() {
		total += p.Seconds
	}
	for _, p := range log.Pending() {
		d.Pending = append(d.Pending, PendingShare{p.Reason, p.Jobs, stats.Number(p.Seconds), stats.Share(p.Seconds / total)})
	}
	d.Warnings = append(log.Warnings(), d.Warnings...)
	if d.Clock.Known || d.ByCalendar() {
		d.Warnings = append(d.Warnings, log.Header.ClockWarnings()...)
	}
}

// ByCalendar reports whether the classes of By are months, hours or the like, which are in order of
// time.
func (d *Description) ByCalendar() bool {
	return d.By != nil && slices.Contains(workload.CalendarWords, workload.SplitClasses(d.By.Column)[0])
}

// NamedColumn is a column with its name.
type NamedColumn struct {
	Name string `json:"column" show:"column"`
	Of   Column `row:"flat"`
}

// MeasuredColumns returns Columns in the order of Measured.
func (d *Description) MeasuredColumns() (all []NamedColumn) {
	for _, name := range Measured() {
		if c, ok := d.Columns[name]; ok {
			all = append(all, NamedColumn{name, c})
		}
	}
	return all
}

// Missing returns the columns of Measured and Identifiers, apart from optional ones, that
// have no value in any job.
func (d *Description) Missing() (missing []string) {
	for _, name := range slices.Concat(Measured(), Identifiers()) {
		c, measured := d.Columns[name]
		g, counted := d.Groups[name]
		if (measured || counted) && c.Known == 0 && g.Known == 0 {
			missing = append(missing, name)
		}
	}
	return missing
}

// StatusCount is the number of jobs with a status.
type StatusCount struct {
	Status workload.Status
	Jobs   int64
}

// ByStatus returns the number of jobs of each status, largest first.
func (d *Description) ByStatus() []StatusCount {
	all := make([]StatusCount, 0, len(d.Status))
	for status, jobs := range d.Status {
		all = append(all, StatusCount{status, jobs})
	}
	slices.SortFunc(all, func(a, b StatusCount) int {
		return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.Status, b.Status))
	})
	return all
}
