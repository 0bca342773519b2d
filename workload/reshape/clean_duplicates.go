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
	By     string // "all": number and all fields alike; "id": the number alone
	Within int    // records to look back
}

var _ Filter = (*Duplicates)(nil)

// NewDuplicates returns the filter with its defaults.
func NewDuplicates() *Duplicates { return &Duplicates{By: "all", Within: 1_000_000} }

func duplicatesKind() FilterKind {
	return FilterKind{
		Name:    "duplicates",
		Meaning: "records that repeat an earlier one, of which the first stays",
		Parameters: []FilterParameter{
			{"by", "all", "all (job number and all fields are alike) or id (the job number is, partial executions apart)",
				stringParameter(func(d *Duplicates) *string { return &d.By })},
			{"within", "1000000", "records to look back, about 80 bytes of memory each", intParameter(func(d *Duplicates) *int { return &d.Within })},
		},
		new: func() parsable { return NewDuplicates() },
	}
}

// Validate checks both parameters.
func (d *Duplicates) Validate() error {
	if d.By != "all" && d.By != "id" {
		return fmt.Errorf("by: %q: want all or id", d.By)
	}
	if d.Within < 1 || d.Within > 100_000_000 {
		return fmt.Errorf("within: %d: want 1 to 100000000", d.Within)
	}
	return nil
}

// String implements Filter.
func (d *Duplicates) String() string {
	return fmt.Sprintf("duplicates by=%s within=%d", d.By, d.Within)
}

// Apply implements Filter.
func (d *Duplicates) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		var (
			first  = map[fingerprint]int64{} // row from 1
			recent []fingerprint             // a ring, of the keys of first
			oldest int
		)
		for j, err := range jobs {
			part := j.Status == workload.StatusPartial || j.Status == workload.StatusLastCompleted || j.Status == workload.StatusLastFailed
			if err == nil && j.ID != workload.Unknown && !(part && d.By == "id") {
				key := fingerprint{uint64(j.ID)}
				if d.By == "all" {
					key = fingerprintOf(&j)
				}
				if row, ok := first[key]; ok {
					o.Remove(&j, fmt.Sprintf("repeats row %d", row))
					continue
				}
				first[key] = j.Row + 1
				if len(recent) < d.Within {
					recent = append(recent, key)
				} else {
					delete(first, recent[oldest])
					recent[oldest] = key
					oldest = (oldest + 1) % d.Within
				}
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// fingerprint stands for all fields of a record, in 128 bits: that two of 1e8
// different records share one by chance is a matter of 1e-22.
type fingerprint [2]uint64

func fingerprintOf(j *workload.Job) fingerprint {
	f := fingerprint{0x243f6a8885a308d3, 0x13198a2e03707344} // digits of pi, as good as any
	for _, n := range [...]int64{j.ID, j.Allocated, j.Processors, j.Status, j.User, j.Group, j.Application, j.Queue, j.Partition, j.Preceding} {
		f.add(uint64(n))
	}
	for _, x := range [...]float64{j.Submit, j.Wait, j.Run, j.CPUTime, j.UsedMemory, j.Time, j.Memory, j.Think, j.SequentialTime, j.AverageParallelism, j.Sigma} {
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
