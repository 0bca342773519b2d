package slurm

import (
	"bufio"
	"io"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ReadEnded reads the output of sacct --json or sacct -P: all that the formats Sacct and
// SacctJSON read, with the same meaning. It returns the jobs that have ended; name is for
// messages. Text in another format, or a job that cannot be read, is a *workload.InputError.
func ReadEnded(name string, r io.Reader, o workload.Options) (*Listing, error) {
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
func (s *sacctReader) ended(log *workload.Log) (*Listing, error) {
	type end struct {
		over bool
		at   float64
		key  sacctKey
	}
	var ends []end // by Job.Row
	s.table.each = func(j *sacctJob) { ends = append(ends, end{j.state.ended(), j.withdrawn, j.key}) }
	e := &Listing{}
	for j, err := range log.Jobs() {
		if err != nil {
			return nil, err
		}
		x := ends[j.Row]
		if !x.over {
			continue
		}
		j.MoveTo(j.Submit + s.table.start)
		e.Jobs = append(e.Jobs, ListedJob{Job: j, Label: x.key.label(), Tasks: x.key.kind() == idTasks, Expected: math.NaN(), Priority: workload.Unknown, Withdrawn: x.at})
	}
	e.Names, e.Warnings = log.Names(), log.Warnings()
	return e, nil
}
