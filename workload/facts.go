package workload

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Facts holds header values that describe all jobs of a log. Header.Complete writes the known
// ones and leaves the lines of unknown ones (Unknown or NaN) unchanged.
type Facts struct {
	Jobs    int64   // for MaxJobs
	Records int64   // for MaxRecords: number of records; a job may have several
	End     float64 // for EndTime: s from the log's start, the latest known time of any job
}

// NoFacts returns facts that are all unknown.
func NoFacts() Facts {
	return Facts{Jobs: Unknown, Records: Unknown, End: math.NaN()}
}

// FactsCounter computes the Facts of a series of jobs. The zero value is ready for use.
type FactsCounter struct {
	jobs, records int64
	id            int64 // of the last record
	part          bool  // the last record is a part of a job
	end           float64
	hasEnd        bool
}

// Counting yields the jobs unchanged and adds each to the counter.
func (c *FactsCounter) Counting(jobs JobSeq) JobSeq { return Each(jobs, c.Add) }

// Add counts a record.
func (c *FactsCounter) Add(j *Job) {
	part := j.IsPart()
	if c.records == 0 || j.ID != c.id || j.ID == Unknown || !(part || c.part) {
		c.jobs++
	}
	c.records++
	c.id, c.part = j.ID, part
	end := j.Submit
	for _, x := range [...]float64{j.Wait, j.Run} {
		if x > 0 {
			end += x
		}
	}
	if !math.IsNaN(end) && (!c.hasEnd || end > c.end) {
		c.end, c.hasEnd = end, true
	}
}

// Facts returns the facts of the jobs added so far. A job that was executed in parts (status 2,
// 3 and 4) counts once if its records are adjacent, as the format requires.
func (c *FactsCounter) Facts() Facts {
	f := Facts{Jobs: c.jobs, Records: c.records, End: math.NaN()}
	if c.hasEnd {
		f.End = c.end
	}
	return f
}

// timeForm is the layout of StartTime and EndTime in the format, that of date(1).
const timeForm = "Mon Jan _2 15:04:05 MST 2006"

// Complete updates MaxJobs, MaxRecords and EndTime in the header from f. A line that is already
// right is not changed, nor is EndTime if the header does not give the start of the log. If
// anything changes, Complete adds a Note with the changed keywords and by, the program that made
// the change, such as "loadstone clean".
func (h *Header) Complete(f Facts, by string) {
	var changed []string
	set := func(key, value string) {
		if h.Get(key) != value {
			h.Set(key, value)
			changed = append(changed, key)
		}
	}
	count := func(key string, n int64) {
		if old, ok := h.Int(key); n != Unknown && (!ok || old != n) {
			set(key, strconv.FormatInt(n, 10))
		}
	}
	count("MaxJobs", f.Jobs)
	count("MaxRecords", f.Records)
	if clock, _ := h.Clock(); clock.Dates(f.End) {
		end := clock.At(math.Floor(f.End))
		if old, err := time.ParseInLocation(timeForm, h.Get("EndTime"), clock.Start.Location()); err != nil || !old.Equal(end) {
			set("EndTime", end.Format(timeForm))
		}
	}
	if len(changed) > 0 {
		h.Add("Note", list(changed)+" recomputed by "+by)
	}
}

// list joins words as in a sentence: "a, b and c".
func list(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
