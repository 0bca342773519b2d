package workload

import "math"

// Facts are statements of a header about all jobs of its log. Header.Complete writes those
// that are known, and leaves the lines of unknown ones (Unknown or NaN) unchanged.
type Facts struct {
	Jobs    int64   // for MaxJobs
	Records int64   // for MaxRecords: lines, of which a job may have several
	End     float64 // for EndTime: s from the log's start, the last instant that is known of a job
	Shift   float64 // for UnixStartTime and StartTime: s by which second 0 was moved, in whole seconds
}

// NoFacts returns facts that are all unknown.
func NoFacts() Facts {
	return Facts{Jobs: Unknown, Records: Unknown, End: math.NaN()}
}

// FactsCounter collects the facts of jobs. The zero value is ready for use.
type FactsCounter struct {
	jobs, records int64
	first, last   jobRecord
	end           float64
	hasEnd        bool
}

// jobRecord is what tells whether two records beside each other are of one job.
type jobRecord struct {
	id   int64
	part bool
}

// with says whether two records are of one job that was executed in parts.
func (a jobRecord) with(b jobRecord) bool {
	return a.id == b.id && a.id != Unknown && (a.part || b.part)
}

// Counting yields the same jobs and adds each to the counter.
func (c *FactsCounter) Counting(jobs JobSeq) JobSeq {
	return func(yield func(Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				c.Add(&j)
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// Add counts a record.
func (c *FactsCounter) Add(j *Job) {
	r := jobRecord{j.ID, j.Status == StatusPartial || j.Status == StatusLastCompleted || j.Status == StatusLastFailed}
	if c.records == 0 {
		c.first = r
	}
	if c.records == 0 || !r.with(c.last) {
		c.jobs++
	}
	c.records++
	c.last = r
	end := j.Submit
	for _, x := range [...]float64{j.Wait, j.Run} {
		if x > 0 {
			end += x
		}
	}
	c.addEnd(end)
}

func (c *FactsCounter) addEnd(end float64) {
	if !math.IsNaN(end) && (!c.hasEnd || end > c.end) {
		c.end, c.hasEnd = end, true
	}
}

// Facts returns the facts of the jobs added. A job that was executed in parts (status 2, 3
// and 4) counts once if its records are adjacent, as the format requires.
func (c *FactsCounter) Facts() Facts {
	f := Facts{Jobs: c.jobs, Records: c.records, End: math.NaN()}
	if c.hasEnd {
		f.End = c.end
	}
	return f
}
