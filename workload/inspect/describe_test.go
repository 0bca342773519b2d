package inspect

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// batches returns batches of the jobs, with all other columns unknown.
func batches(jobs ...workload.Job) workload.BatchSeq {
	return workload.Batches(workload.JobsOf(jobs))
}

// logOf returns a log of the jobs.
func logOf(jobs ...workload.Job) *workload.Log {
	return workload.LogOf("log.swf", workload.Header{}, jobs)
}

func isNumber[F ~float64](x F) bool { return !math.IsNaN(float64(x)) }

func job(submit, wait, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Wait, j.Run, j.Allocated = submit, wait, run, size
	return j
}

func TestDescribe(t *testing.T) {
	nan := math.NaN()
	last := job(100, nan, 8, 3)
	last.User, last.Status = 7, workload.StatusCompleted
	d, err := Describe(t.Context(), logOf(job(0, 5, 10, 1), job(nan, nan, nan, 4), job(50, 60, -1, workload.Unknown), job(20, nan, 0, 2), last), DescribeOptions{Processors: 10})
	if err != nil {
		t.Fatal(err)
	}
	// Work: 1*10 + 3*8; the job of zero length and the one with a negative run time add nothing.
	// Span 0 to 100 s on 10 processors.
	if d.Jobs != 5 || d.Work != 34 || d.OfferedLoad != 0.034 {
		t.Errorf("jobs %d, work %v, load %v; want 5, 34, 0.034", d.Jobs, d.Work, d.OfferedLoad)
	}
	// Ends: 0+5+10, 20+0, 100+8: an unknown wait counts as 0.
	if l := d.Log; l.FirstSubmit != 0 || l.LastSubmit != 100 || l.LastEnd != 108 {
		t.Errorf("from %v to %v, last end %v; want 0, 100, 108", d.Log.FirstSubmit, d.Log.LastSubmit, d.Log.LastEnd)
	}
	// Sizes 1, 4, 2, 3: one serial, and two powers of two among the other three.
	if d.Serial != 0.25 || d.PowerOfTwo != 2.0/3 {
		t.Errorf("serial %v, powers of two %v; want 1/4 and 2/3", d.Serial, d.PowerOfTwo)
	}
	if d.Status[workload.Status(workload.Unknown)] != 4 || d.Status[workload.Status(workload.StatusCompleted)] != 1 {
		t.Errorf("status %v", d.Status)
	}
	for name, c := range d.Columns {
		switch name {
		case "wait_time_s":
			// 5 and 60.
			if c.Known != 2 || c.Mean != 32.5 || c.Median != 32.5 || c.Min != 5 || c.Max != 60 || math.Abs(float64(c.CV)-27.5*math.Sqrt2/32.5) > 1e-15 {
				t.Errorf("%+v", c)
			}
		case "size_processors":
			if c.Known != 4 || c.Mean != 2.5 {
				t.Errorf("%+v", c)
			}
		case "cpu_time_s":
			if c.Known != 0 || isNumber(c.Mean) || isNumber(c.Min) || isNumber(c.Median) {
				t.Errorf("%+v", c)
			}
		}
	}
	for name, g := range d.Groups {
		if want := int64(0); name == "user_id" && (g.Known != 1 || g.Distinct != 1) || name != "user_id" && g.Known != want {
			t.Errorf("%s: %+v", name, g)
		}
	}
}
