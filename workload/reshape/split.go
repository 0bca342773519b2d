package reshape

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MaxParts is how many parts a log can be split into.
const MaxParts = 1000

// Part is one part of a log.
type Part struct {
	N     int    `json:"n" show:"n"`         // from 1, in the order of the parts
	Value string `json:"value" show:"value"` // what its jobs have in common, fit for a file's name
	Jobs  int64  `json:"jobs" show:"jobs"`
	File  string `json:"file" show:"file"` // that it is written to

	key workload.ClassKey
}

// Division says which part of a log each job belongs to: exactly one.
type Division struct {
	key   func(j *workload.Job) workload.ClassKey
	value func(key workload.ClassKey) string
}

// divided is the division by one number, workload.Unknown where it is unknown.
func divided(key func(j *workload.Job) int64, value func(key int64) string) Division {
	return Division{
		key: func(j *workload.Job) workload.ClassKey { return workload.ClassKey{key(j)} },
		value: func(key workload.ClassKey) string {
			if key[0] == workload.Unknown {
				return unknownPart
			}
			return value(key[0])
		},
	}
}

// unknownPart is the Value of the part of jobs that have no answer. It comes
// last.
const unknownPart = "unknown"

// DivideAt divides by submission at moments, in seconds from the log's start:
// a job belongs to the part that begins at the last moment not after it, the
// jobs before the first moment to a part "start".
func DivideAt(moments []float64, clock workload.Clock) (Division, error) {
	cuts := slices.Clone(moments)
	slices.Sort(cuts)
	for _, t := range cuts {
		if !inTime(t) {
			return Division{}, fmt.Errorf("a cut at %g s, want a moment within 30,000 years of the log's start", t)
		}
	}
	cuts = slices.Compact(cuts)
	return divided(
		bySubmit(func(t float64) int64 {
			i, found := slices.BinarySearch(cuts, t)
			if found {
				i++
			}
			return int64(i)
		}),
		func(key int64) string {
			if key == 0 {
				return "start"
			}
			return moment(clock, cuts[key-1])
		}), nil
}

// DivideBy divides into the given classes, in their order, such as users, queues or ranges
// of sizes.
func DivideBy(classes *workload.Classifier) Division {
	return Division{classes.Key, func(key workload.ClassKey) string {
		if v := classes.Value(key); v != "" {
			return v
		}
		if len(classes.Columns()) == 1 && classes.Unknown(key) {
			return unknownPart
		}
		return workload.InFileName(classes.Label(key))
	}}
}

// DivideEqually divides a log of total jobs into n parts that follow one
// another in the log and whose numbers of jobs differ by one at most.
func DivideEqually(n int, total int64) (Division, error) {
	switch {
	case n < 1 || n > MaxParts:
		return Division{}, fmt.Errorf("%d parts, want 1 to %d", n, MaxParts)
	case total < int64(n):
		return Division{}, fmt.Errorf("%d parts of %d jobs, want a job for each", n, total)
	case total > math.MaxInt64/MaxParts:
		return Division{}, fmt.Errorf("%d jobs, too many to count parts in", total)
	}
	return divided(
		// Part k has the rows from k total/n on, rounded down.
		func(j *workload.Job) int64 {
			k := j.Row * int64(n) / total
			for (k+1)*total/int64(n) <= j.Row {
				k++
			}
			return k
		},
		func(key int64) string { return strconv.FormatInt(key+1, 10) }), nil
}

// Parts reads a log once and returns the parts that have jobs, in order.
func (d Division) Parts(jobs workload.JobSeq) ([]Part, error) {
	counts := map[workload.ClassKey]int64{}
	for j, err := range jobs {
		if err != nil {
			return nil, err
		}
		key := d.key(&j)
		if counts[key]++; len(counts) > MaxParts {
			return nil, fmt.Errorf("more than %d parts", MaxParts)
		}
	}
	parts := make([]Part, 0, len(counts))
	for key, n := range counts {
		parts = append(parts, Part{Value: d.value(key), Jobs: n, key: key})
	}
	slices.SortFunc(parts, func(a, b Part) int { return a.key.Compare(b.key) })
	for i := range parts {
		parts[i].N = i + 1
	}
	return parts, nil
}

// Of yields the jobs of some of the parts that Parts found, each with the
// index of its part in that slice. Every job is in exactly one of all parts.
func (d Division) Of(jobs workload.JobSeq, parts []Part, yield func(part int, j *workload.Job) error) error {
	index := make(map[workload.ClassKey]int, len(parts))
	for i, p := range parts {
		index[p.key] = i
	}
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if i, ok := index[d.key(&j)]; ok {
			if err := yield(i, &j); err != nil {
				return err
			}
		}
	}
	return nil
}
