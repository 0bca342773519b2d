package reshape

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Duplicates removes the records that repeat an earlier one; the first
// stays. It remembers the last Within records, in about 80 bytes each, and
// holds one job. Records without a job number, and parts of executions (status
// 2, 3 and 4, which share their job's number rightly), are no duplicates by
// number.
type Duplicates struct {
	By     string `opt:"by" help:"all (job number and all fields are alike) or id (the job number is, partial executions apart)"`
	Within int    `opt:"within" in:"[1,100000000]" help:"records to look back, about 80 bytes of memory each"`
}

// NewDuplicates returns the filter with its defaults.
func NewDuplicates() Duplicates { return Duplicates{By: "all", Within: 1_000_000} }

// Choices are the values of By.
func (d *Duplicates) Choices(option string) []string {
	if option == "by" {
		return []string{"all", "id"}
	}
	return nil
}

// Name returns the filter's name.
func (Duplicates) Name() string { return "duplicates" }

// String implements Filter.
func (d Duplicates) String() string { return textOf(d) }

// Apply implements Filter.
func (d Duplicates) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	var (
		first  = map[fingerprint]int64{} // row from 1
		recent []fingerprint             // a ring, of the keys of first
		oldest int
	)
	return sift(jobs, func(j *workload.Job) bool {
		if j.ID == workload.Unknown || isPart(j.Status) && d.By == "id" {
			return true
		}
		key := fingerprint{uint64(j.ID)}
		if d.By == "all" {
			key = fingerprintOf(j)
		}
		if row, ok := first[key]; ok {
			o.Remove(j, fmt.Sprintf("repeats row %d", row))
			return false
		}
		first[key] = j.Row + 1
		if len(recent) < d.Within {
			recent = append(recent, key)
			return true
		}
		delete(first, recent[oldest])
		recent[oldest] = key
		oldest = (oldest + 1) % d.Within
		return true
	})
}

// isPart reports whether a record is a part of an execution.
func isPart(status int64) bool {
	return status >= workload.StatusPartial && status <= workload.StatusLastFailed
}

// fingerprint stands for all fields of a record, in 128 bits: that two of 1e8
// different records share one by chance is a matter of 1e-22.
type fingerprint [2]uint64

func fingerprintOf(j *workload.Job) fingerprint {
	f := fingerprint{0x243f6a8885a308d3, 0x13198a2e03707344} // digits of pi, as good as any
	for i := range workload.NumColumns {
		c := workload.ColumnAt(i)
		if !c.Float() {
			f.add(uint64(c.Int(j)))
			continue
		}
		x := c.Number(j)
		if math.IsNaN(x) {
			x = math.NaN() // one of its many forms
		}
		f.add(math.Float64bits(x))
	}
	return f
}

func (f *fingerprint) add(x uint64) {
	f[0] = fold(f[0]^x, 0x9e3779b97f4a7c15)
	f[1] = fold(f[1]+x, 0xd6e8feb86659fd93)
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
