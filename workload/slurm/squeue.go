package slurm

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Squeue is the format of the output of squeue with a header line. It is read-only. If
// Options.Map names columns, such a listing is read as any other table.
var Squeue = workload.Format{
	Name: "squeue",
	Sniff: func(_ string, r *bufio.Reader, o workload.Options) bool {
		head, _ := r.Peek(parse.Sniffed)
		return len(o.Map) == 0 && isSqueue(head)
	},
	Open: openSqueue,
}

// openSqueue reads what Slurm's squeue prints with a header line: the jobs that
// run and wait at one moment (man page squeue(1)). Columns are found by their
// names, in any order, as -o, -O and SQUEUE_FORMAT print them; between them are
// bars, tabs or commas where the header line has any, else blanks. Best is
//
//	squeue -a -r -o "%i|%u|%a|%P|%q|%j|%T|%V|%S|%M|%l|%C|%r"
//
// Wanted are JOBID, ST or STATE, SUBMIT_TIME, START_TIME and CPUS.
//
// What becomes a column of the job table:
//   - Names, numbers and second 0 are as of sacct (see openSacct).
//   - A job that holds processors (RUNNING, COMPLETING, CONFIGURING, SUSPENDED
//     and the like) has a wait, from SUBMIT_TIME to START_TIME, and no run time.
//   - A job that waits has neither: its START_TIME is what the scheduler
//     expects. Jobs whose REASON or state is not that they lack processors (see
//     squeueReasons) are left out and counted.
//   - A record of the waiting tasks of an array, 123_[0-9%2], is a job for each. Of those
//     that its limit allows no processors, because as many tasks run, it is as of
//     REASON JobArrayTaskLimit.
//   - A job that has ended has the run time TIME, where that is there.
//
// The listing, which is of one moment, is read at once.
func openSqueue(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	s, err := newSqueueReader(name, "squeue", o)
	if err != nil {
		return nil, err
	}
	return s.open(o, func() error { return s.readText(r) })
}

// readText reads the lines of squeue.
func (s *squeueReader) readText(r *bufio.Reader) error {
	for {
		line, err := readSqueueLine(r)
		if err == errLongLine {
			return parse.LineTooLong(s.name, s.line+1, line)
		}
		if err != nil && err != io.EOF {
			return parse.InputFault(s.name, err)
		}
		if len(line) > 0 || err == nil {
			s.line++
			if fault := s.take(line); fault != nil {
				return fault
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// open reads a listing and returns the log.
func (s *squeueReader) open(o workload.Options, read func() error) (*workload.Log, error) {
	err := read()
	if err == nil && s.unreadable >= s.readable && s.unreadable > 0 { // no exception
		err = s.firstFault
	}
	if err != nil {
		s.jobs.file.Close()
		return nil, err
	}
	s.finish(o)
	return s.log, nil
}

func newSqueueReader(name, format string, o workload.Options) (*squeueReader, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	s := &squeueReader{name: name, runningTasks: map[int64]int64{}, workers: par.Workers(o.Workers), clock: parse.Clock{Zone: zone}, sure: o.TimeZone != ""}
	s.log, s.from = workload.NewLog(name, format)
	s.place, s.saw = func(field string) string { return field }, workload.Shorten
	return s, nil
}

var errLongLine = fmt.Errorf("a line of more than %d bytes", parse.MaxLine)

// readSqueueLine reads a line without its end.
func readSqueueLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > parse.MaxLine {
			return line, errLongLine
		}
		if err != bufio.ErrBufferFull {
			return parse.TrimReturn(bytes.TrimSuffix(line, []byte{'\n'})), err
		}
	}
}

// squeueReader is the state of a listing that is being read. Until the end the
// times of its jobs are seconds since 1970.
type squeueReader struct {
	name    string
	workers int // goroutines that read JSON
	log     *workload.Log
	from    *workload.Reading
	clock   parse.Clock
	sure    bool // the zone was given
	local   bool // there were local times

	layout *squeueLayout
	line   int64
	place  func(field string) string // names a field in a message
	saw    func(value []byte) string // shows a value in one
	jobs   squeueJobs
	names  parse.Names
	taken  float64 // the latest moment that a job shows, or a line above the header; 0 is none

	held, unknown, reasonless reasonCounts // of waiting jobs

	readable, unreadable int64 // jobs
	firstFault           *workload.InputError
	repeated             bool // a job is there twice

	waitingTasks int             // of arrays, so far
	throttled    []throttled     // arrays that wait
	runningTasks map[int64]int64 // by array

	queue *Listing // that gets the jobs, held ones too; nil for a job table
}

// take reads a line.
func (s *squeueReader) take(line []byte) error {
	text := strings.TrimPrefix(string(line), "\ufeff")
	if bytes.IndexByte(line, 0) >= 0 {
		return parse.NotText(s.name, s.line, line)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if at, ok := squeueDate(text); ok {
		s.local = true
		first, _, _ := s.clock.Instants(at.Unix())
		s.taken = max(s.taken, float64(first))
		return nil
	}
	if s.layout == nil {
		var err error
		s.layout, err = newSqueueLayout(s.name, s.line, text)
		if err == nil && len(s.layout.unused) > 0 {
			s.from.Warnings.Count(workload.Warning{Rule: "left-out-columns", Text: "columns that the job table does not have", Count: int64(len(s.layout.unused)), Saw: parse.ListShort(s.layout.unused)})
		}
		return err
	}
	if text == s.layout.text {
		s.from.Warnings.Add("repeated-header", "header lines among the records, as if several listings were in one file: left out", s.line, "")
		return nil
	}
	values, joined, err := s.layout.split(s.name, s.line, text)
	if err != nil {
		return s.passOver(err)
	}
	if joined {
		s.from.Warnings.Add("separator-in-text", "jobs with the separator inside a text: their columns are found by the form of the values", s.line, workload.Shorten(line))
	}
	if s.layout.at[squeueNodes] >= 0 && len(values[squeueNodes]) == 0 {
		values[squeueNodes] = []byte("None")
	}
	return s.passOver(s.job(values))
}

// finish turns moments into seconds of the log and sets up its batches.
func (s *squeueReader) finish(o workload.Options) {
	zone := s.clock.Zone
	if s.local && !s.sure {
		s.from.Warnings.Add("no-time-zone", "local times without a zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, "")
	}
	s.jobs.ids = nil
	s.beyondLimits(func(at, line int64) {
		s.jobs.leaveOut(at)
		s.held.add(line, taskLimit, 1)
	})
	s.log.AtClose(s.jobs.file.Close)
	if s.jobs.file.Len() == 0 { // nothing runs or waits, and no time is known
		s.from.Batches = s.jobs.batches(0, o, &s.from.Lines)
		s.log.Header.Add("Note", "From Slurm's squeue: no job runs or waits for processors.")
		s.warnOfReasons()
		return
	}
	y, m, d := time.Unix(int64(s.jobs.first), 0).In(zone).Date()
	start := float64(time.Date(y, m, d, 0, 0, 0, 0, zone).Unix())
	s.from.Batches = s.jobs.batches(start, o, &s.from.Lines)
	if s.taken > 0 {
		s.from.Taken = s.taken - start
		s.from.TakenKnown = true
	}
	s.from.Declare(s.jobs.columns())
	h := &s.log.Header
	h.Add("Version", "2.2")
	h.Add("UnixStartTime", parse.FormatNumber(start))
	if s.local || s.sure { // else times are instants, and the site's hours are not known
		h.Add("TimeZoneString", zone.String())
	}
	h.Add("Note", "From Slurm's squeue: jobs that run and wait at one moment. Second 0 is midnight of the day on which the first of them was submitted.")
	s.warnOfReasons()
	s.names.Warn(&s.from.Warnings)
	s.names.AddTo(h)
}

// warnOfReasons counts jobs by why they wait.
func (s *squeueReader) warnOfReasons() {
	w := &s.from.Warnings
	if s.queue == nil {
		s.held.warn(w, "held-jobs", "queued jobs left out: they wait for something other than processors")
	}
	s.unknown.warn(w, "unknown-reasons", "jobs that wait for a reason that Slurm's manual does not list: they count as queued")
	if n := s.reasonless.jobs; n > 0 {
		w.Count(workload.Warning{Rule: "no-reasons", Text: "queued jobs without a reason, because the column REASON (%r) is missing: held jobs count as queued", Count: n})
	}
}
