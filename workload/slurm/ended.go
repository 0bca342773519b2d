package slurm

import (
	"bufio"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Ended is the jobs of an accounting database that have ended. Their times are seconds
// since 1970.
type Ended struct {
	Jobs     []EndedJob
	Names    *workload.Names // of the numbers of users, queues, ...
	Warnings []workload.Warning
}

// EndedJob is a job that has ended. Its times are seconds since 1970.
type EndedJob struct {
	workload.Job
	// Withdrawn is when a job ended that never started; NaN for other jobs, and where the
	// database does not say.
	Withdrawn float64
}

// ReadEnded reads what sacct --json or sacct -P prints, and slurmrestd's list of jobs of
// the database: all that the formats Sacct and SacctJSON read, with the same meaning. It
// keeps the jobs that have ended, in memory. What is no such text is an
// *workload.InputError, and so is a job that cannot be read.
func ReadEnded(name string, r io.Reader, o workload.Options) (*Ended, error) {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	s, err := newSacctReader(name, "sacct", o)
	if err != nil {
		return nil, err
	}
	var log *workload.Log
	if head, _ := b.Peek(parse.Sniffed); isJSON(head) {
		switch d := peekJSON(b); {
		case d.kind == jsonSacct:
			j := &sacctJSON{name: name, zone: s.zone, array: newJobArray(b, parse.ChunkSize, 2*s.workers+2)}
			j.array.Member = func(key string, value []byte) { jsonErrors(key, value, &s.from.Warnings) }
			log, err = s.open(j, sacctJSONLayout)
		default:
			return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: "the jobs of sacct --json"}
		}
	} else {
		log, err = s.openText(b, parse.ChunkSize)
	}
	if err != nil {
		return nil, err
	}
	return s.ended(log)
}

// ended reads the jobs.
func (s *sacctReader) ended(log *workload.Log) (*Ended, error) {
	type end struct {
		over bool
		at   float64
	}
	var ends []end // by Job.Row
	s.table.each = func(j *sacctJob) { ends = append(ends, end{j.state.ended(), j.withdrawn}) }
	e := &Ended{}
	for j, err := range log.Jobs() {
		if err != nil {
			return nil, err
		}
		x := ends[j.Row]
		if !x.over {
			continue
		}
		j.MoveTo(j.Submit + s.table.start)
		e.Jobs = append(e.Jobs, EndedJob{Job: j, Withdrawn: x.at})
	}
	e.Names, e.Warnings = log.Names(), log.Warnings()
	return e, nil
}
