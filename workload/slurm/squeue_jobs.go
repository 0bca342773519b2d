package slurm

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// squeueKept is how many jobs of a listing are in memory: they are read in order.
const squeueKept = 1 << 10

// squeueJobs are the jobs of a listing, in bounded memory but for some 10 bytes a job,
// and some 50 while the listing is read: what is to be known of all of them is known
// before the first is yielded. Their times are seconds since 1970.
type squeueJobs struct {
	file  workload.JobFile
	lines []int64
	tres  []squeueTRES
	ids   map[sacctKey]int64 // their lines, nil once the listing has been read

	first  float64 // submission
	has    workload.ColumnSet
	counts squeueTRES // lists in which some job has GPUs, so that Slurm counts them there
	some   squeueTRES
	apart  bool // the jobs are kept elsewhere

	out map[int64]bool // jobs to leave out, by their places
}

// squeueTRES says which lists of resources a job has: of what was asked for, and given.
type squeueTRES uint8

const (
	askedTRES squeueTRES = 1 << iota
	givenTRES
)

// twice notes a job and returns the line in which it was before, 0 for none.
func (s *squeueJobs) twice(id sacctID, line int64) (before int64) {
	if s.ids == nil {
		s.ids, s.first = map[sacctKey]int64{}, math.Inf(1)
		if !s.apart {
			s.file.Keep(squeueKept)
		}
	}
	key := newSacctKey(id)
	before, s.ids[key] = s.ids[key], line
	return before
}

// add appends a job.
func (s *squeueJobs) add(j *workload.Job, line int64, tres squeueTRES) error {
	s.first = min(s.first, j.Submit)
	s.note(j, tres)
	for col := workload.FirstOptional; col < workload.NumColumns; col++ {
		c := workload.ColumnAt(col)
		if c.Float() && !math.IsNaN(c.Number(j)) || !c.Float() && c.Int(j) != workload.Unknown {
			s.has |= workload.ColumnSetOf(col)
		}
	}
	s.lines = append(s.lines, line)
	return s.file.Append(j)
}

// note keeps what a job's lists of resources say of GPUs.
func (s *squeueJobs) note(j *workload.Job, tres squeueTRES) {
	if j.GPUs > 0 {
		s.counts |= askedTRES | givenTRES // what is asked for can be given
	}
	if j.AllocatedGPUs > 0 {
		s.counts |= givenTRES
	}
	s.some |= tres
	s.tres = append(s.tres, tres)
}

// columns are the optional columns that the jobs have.
func (s *squeueJobs) columns() workload.ColumnSet {
	has := s.has
	if s.counts&s.some&askedTRES != 0 {
		has |= workload.ColumnSetOf(workload.ColRequestedGPUs)
	}
	if s.counts&s.some&givenTRES != 0 {
		has |= workload.ColumnSetOf(workload.ColAllocatedGPUs)
	}
	return has
}

// leaveOut takes back a job that was added.
func (s *squeueJobs) leaveOut(i int64) {
	if s.out == nil {
		s.out = map[int64]bool{}
	}
	s.out[i] = true
}

// finish completes job i when all have been read: GPUs that are not in a job's list of
// resources are none where Slurm counts them.
func (s *squeueJobs) finish(j *workload.Job, i int) {
	without := s.counts & s.tres[i]
	if without == 0 {
		return
	}
	if without&askedTRES != 0 && j.GPUs == workload.Unknown {
		j.GPUs = 0
	}
	if without&givenTRES != 0 && j.AllocatedGPUs == workload.Unknown {
		j.AllocatedGPUs = 0
	}
}

// all yields the jobs, in seconds from start.
func (s *squeueJobs) all(start float64) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for i := range s.file.Len() {
			if s.out[i] {
				continue
			}
			kept, err := s.file.At(i)
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			j := *kept
			j.MoveTo(j.Submit - start)
			s.finish(&j, int(i))
			if !yield(j, nil) {
				return
			}
		}
	}
}

// batches yields them as batches, whose lines it tells.
func (s *squeueJobs) batches(start float64, o workload.Options, lines **workload.RowLines) workload.BatchSeq {
	return func(yield func(workload.Batch, error) bool) {
		row, place := 0, int64(-1)
		left := slices.DeleteFunc(slices.Clone(s.lines), func(int64) bool { place++; return s.out[place] })
		for rec, err := range workload.Batches(s.all(start), o.Allocator) {
			if err == nil {
				n := int(rec.NumRows())
				*lines = linesOfRows(int64(row), slices.Clone(left[row:row+n]))
				row += n
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
