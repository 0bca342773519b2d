package slurm

import (
	"bufio"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Sacct is the format of the output of sacct -P and sacct -p. It is read-only.
var Sacct = workload.Format{
	Name: "sacct",
	Sniff: func(_ string, r *bufio.Reader, o workload.Options) bool {
		head, _ := r.Peek(r.Size())
		return isSacct(head) && (len(o.Map) == 0 || !isOtherSacct(head)) || otherSacct(head) != ""
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		if head, _ := r.Peek(r.Size()); !isSacct(head) {
			return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: otherSacct(head)}
		}
		return openSacct(name, r, o)
	},
}

// openSacct reads what Slurm's sacct prints with -p or -P: a line with the
// names of the columns, then a record of a job or of a step of one a line,
// with bars between the fields (man page sacct(1), "--parsable") or what --delimiter asks for. Any columns
// in any order will do, as long as JobID or JobIDRaw and some time are among
// them; best are those of
//
//	sacct -a -D -P --array --noconvert -S ... -E ... -o JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqMem,TotalCPU,MaxRSS,NTasks,NodeList
//
// What becomes a column of the job table:
//   - Second 0 is midnight, at the site, of the day on which the first job was
//     submitted. Jobs of earlier days that come later have negative times and
//     are counted.
//   - user is User (else UID), group is Account, which Slurm's limits and
//     shares go by (else Group, else GID), application is JobName, queue is
//     QOS (else Partition), partition is Partition: as numbers, see Names.
//   - run time is Elapsed with the time suspended in it, wait is Start less
//     Submit. A job that waits still, or was cancelled before it started, has
//     neither; a job that runs still has no run time.
//   - requested memory is for each processor asked for, whatever ReqMem counts.
//   - steps are no jobs: they give the job above them their TotalCPU, where it
//     has none, and their MaxRSS times their tasks, which is an upper bound of
//     what was used; both divided by the processors.
//   - status is completed for COMPLETED, cancelled for CANCELLED, unknown for a
//     job that has not ended, else failed. Of a job with several records those
//     that were requeued, preempted, lost a node or changed size are partial
//     (2), and the last of them is 3 or 4, where they lie within 32,768 jobs.
//     How many jobs were in which state is in a note of the header in the end.
func openSacct(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openSacctChunks(name, r, o, parse.ChunkSize)
}

func openSacctChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newSacctReader(name, "sacct", o)
	if err != nil {
		return nil, err
	}
	return s.openText(r, size)
}

// openText opens the lines that sacct -P prints.
func (s *sacctReader) openText(r io.Reader, size int) (*workload.Log, error) {
	t := newSacctText(s.name, r, s.zone, size, 2*s.workers+2)
	if err := t.readLayout(); err != nil {
		return nil, err
	}
	w := &s.from.Warnings
	for _, name := range t.layout.unknown {
		w.Add("unknown-column", "columns that sacct does not have: left out", 1, workload.Shorten([]byte(name)))
	}
	if n := len(t.layout.unused); n > 0 {
		w.Count(workload.Warning{Rule: "left-out-columns", Text: "columns that the job table does not have", Count: int64(n), Saw: parse.ListShort(t.layout.unused)})
	}
	if lacks := t.layout.lacks(); len(lacks) > 0 {
		w.Count(workload.Warning{Rule: "missing-column", Text: "columns that the listing lacks: what they say of a job is unknown", Count: int64(len(lacks)), Line: 1, Saw: strings.Join(lacks, ", ")})
	}
	s.line = 1
	return s.open(t, t.layout)
}
