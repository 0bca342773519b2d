package slurm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Sacct is the format of what sacct prints with -P or -p: a line with the names of the
// columns, then a record of a job or of a step of one a line, with bars between the fields
// (man page sacct(1), "--parsable") or what --delimiter asks for. Any columns in any order
// will do, as long as JobID or JobIDRaw and some time are among them; best are those of
//
//	sacct -a -D -P --array --noconvert -S ... -E ... -o JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqMem,TotalCPU,MaxRSS,NTasks,NodeList
//
// Second 0 is midnight, at the site, of the day on which the first job was submitted. Jobs of
// earlier days that come later have negative times and are counted.
//
// Steps are no jobs: they give the job above them their TotalCPU, where it has none, and their
// MaxRSS times their tasks, which is an upper bound of what was used; both divided by the
// processors.
//
// Status is completed for COMPLETED, cancelled for CANCELLED, unknown for a job that has not
// ended, else failed. Of a job with several records those that were requeued, preempted, lost
// a node or changed size are partial (2), and the last of them is 3 or 4, where they lie within
// 32,768 jobs. How many jobs were in which state is in a note of the header in the end.
//
// The format is read-only.
var Sacct = workload.Format{
	Name: "sacct",
	Sniff: func(_ string, r *bufio.Reader, o workload.Options) bool {
		head, _ := r.Peek(r.Size())
		is, plain := isSacct(head)
		return is && (plain || len(o.Map) == 0) || unreadableSacct(head) != ""
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		head, _ := r.Peek(r.Size())
		if is, _ := isSacct(head); !is {
			return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: unreadableSacct(head)}
		}
		return openSacct(name, r, o, parse.ChunkSize)
	},
}

// SacctJSON is the format of the output of sacct --json: the records that Sacct reads, with
// the same meaning. Data parsers 0.0.37 to 0.0.46 are known. Several outputs may stand behind
// one another. Times are seconds since 1970: second 0 is midnight UTC of the day on which the
// first job was submitted, unless a time zone is given. It is read-only.
var SacctJSON = jsonFormat("sacct", jsonSacct, func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	return openSacctJSON(name, r, o, parse.ChunkSize)
})

func openSacct(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newAccounts(name, o)
	if err != nil {
		return nil, err
	}
	return s.openText(r, size)
}

func openSacctJSON(name string, r *bufio.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newAccounts(name, o)
	if err != nil {
		return nil, err
	}
	return s.openJSON(r, size)
}

// maxLookout is how many chunks are read to find the log's first time.
const maxLookout = 16

// accounts is a log of accounting that is being read.
type accounts struct {
	jobTable
	ahead []*batch // decoded when the log was opened
	row   int64
	used  bool
	each  func(*heldJob) // gets the jobs in place of the log's batches; may be nil
}

func newAccounts(name string, o workload.Options) (*accounts, error) {
	r, err := newReader(name, "sacct", o)
	if err != nil {
		return nil, err
	}
	return &accounts{jobTable: jobTable{reader: r, submit: math.Inf(-1), start: math.NaN()}}, nil
}

// openText opens the lines that sacct -P prints.
func (s *accounts) openText(r io.Reader, size int) (*workload.Log, error) {
	t := newTextLines(s.name, r, s.zone, size, 2*s.workers+2)
	lines, _, err := t.readHeader(false)
	if err != nil {
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
	s.source, s.layout, s.line = t, t.layout, lines
	return s.open(true)
}

func (s *accounts) openJSON(r *bufio.Reader, size int) (*workload.Log, error) {
	j := newJSONJobs(s.name, r, s.zone, size, 2*s.workers+2, false)
	s.source, s.layout = j, j.layout
	return s.open(false)
}

// sacctColumns are the columns of the standard workload format that sacct has.
var sacctColumns = workload.ColumnSetOf(workload.ColJobID, workload.ColSubmitTime, workload.ColWaitTime, workload.ColRunTime,
	workload.ColAllocatedProcessors, workload.ColCPUTime, workload.ColUsedMemory, workload.ColRequestedProcessors,
	workload.ColRequestedTime, workload.ColRequestedMemory, workload.ColStatus, workload.ColUser, workload.ColGroup,
	workload.ColApplication, workload.ColQueue, workload.ColPartition)

// open reads as far as the first time and returns the log. hours says that its times are local
// ones.
func (s *accounts) open(hours bool) (*workload.Log, error) {
	for column, fields := range map[int]string{
		workload.ColRequestedNodes: "ReqNodes ReqTRES", workload.ColAllocatedNodes: "NNodes AllocTRES",
		workload.ColRequestedGPUs: "ReqTRES", workload.ColAllocatedGPUs: "AllocTRES", workload.ColGPUType: "ReqTRES AllocTRES",
		workload.ColRequestedMemoryTotal: "ReqMem ReqTRES", workload.ColUsedMemoryTotal: "MaxRSS", workload.ColEnergy: "Energy AllocTRES",
		workload.ColAccount: "Account", workload.ColQOS: "QOS", workload.ColArray: "JobID", workload.ColEligibleTime: "Eligible",
	} {
		if s.layout.has(strings.Fields(fields)...) {
			s.columns |= workload.ColumnSetOf(column)
		}
	}
	s.from.Declare(s.columns)
	if err := s.lookOut(); err != nil {
		return nil, err
	}
	s.writeHeader(&s.log.Header, hours)
	s.from.Batches = s.read
	return s.log, nil
}

// lookOut reads up to the first job whose submission is known, from which the
// log's seconds count.
func (s *accounts) lookOut() error {
	if !s.layout.has("Submit") {
		return nil
	}
	line := s.line
	for len(s.ahead) < maxLookout {
		chunk, err := s.source.next()
		if err == io.EOF {
			return nil
		}
		var b *batch
		if err == nil {
			b, err = s.decode(chunk)
		}
		if err != nil {
			return parse.AtLine(err, line)
		}
		s.ahead = append(s.ahead, b)
		line += b.lines
		first := math.NaN()
		for i := range b.rows {
			r := &b.rows[i]
			if s.counted |= r.counted(); math.IsNaN(first) {
				first = r.Submit
			}
		}
		if !math.IsNaN(first) {
			s.start = s.midnight(first)
			return nil
		}
	}
	return &workload.InputError{File: s.name, Field: s.layout.nameOf("Submit"), Saw: "no job with a time in the first 16 MiB", Want: "times of submission"}
}

// read decodes the chunks and yields the jobs.
func (s *accounts) read(yield func(*workload.Batch, error) bool) {
	if s.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once: open it again", s.name))
		return
	}
	s.used = true
	flush := func(n int) bool {
		if s.each != nil {
			for i := range n {
				s.complete(i)
				s.each(&s.jobs[i])
			}
			s.drop(n)
			return true
		}
		b, lines := batchOf(n, s.complete, s.start, sacctColumns|s.columns)
		s.drop(n)
		lines.Row = s.row
		s.from.Lines = lines
		s.row += int64(n)
		return yield(b, nil)
	}
	add := func(b *batch) bool {
		s.taken(b.taken, s.start)
		s.take(b)
		for state, n := range b.states {
			s.states[state] += n
		}
		keyOf := func(key jobKey, cluster int32, line int64) jobKey {
			if cluster > 0 {
				key = key.at(s.number(b, clusterColumn, cluster, line))
			}
			return key
		}
		for i, steps := 0, b.steps; i < len(b.rows) || len(steps) > 0; {
			if len(steps) > 0 && steps[0].after == i {
				step := &steps[0]
				step.key = keyOf(step.key, step.cluster, step.line)
				s.addStep(step)
				steps = steps[1:]
				continue
			}
			r := &b.rows[i]
			r.key = keyOf(r.key, r.cluster, r.line)
			s.setNames(b, r)
			s.addJob(r, b.later)
			i++
		}
		s.finish(b)
		for len(s.jobs) >= 2*workload.DefaultBatchRows {
			if !flush(workload.DefaultBatchRows) {
				return false
			}
		}
		return true
	}
	for _, b := range s.ahead {
		if !add(b) {
			return
		}
	}
	s.ahead = nil
	for b, err := range s.batches() {
		if err != nil {
			yield(nil, parse.AtLine(err, s.line))
			return
		}
		if !add(b) {
			return
		}
	}
	if j, ok := s.source.(*jsonJobs); ok {
		j.end(&s.from.Warnings)
	}
	if s.row == 0 && len(s.jobs) == 0 && s.line > 1 { // the first line alone says: none in that time
		yield(nil, s.noJobs())
		return
	}
	s.endHeader(&s.log.Header)
	for len(s.jobs) > 0 {
		if !flush(min(len(s.jobs), workload.DefaultBatchRows)) {
			return
		}
	}
}

// noJobs is the error for a log with records of which none is a job.
func (s *accounts) noJobs() error {
	e := &workload.InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.line)}
	list := s.from.Warnings.List()
	if i := slices.IndexFunc(list, func(w workload.Warning) bool { return w.Rule == "broken-record" }); i >= 0 {
		w := list[i]
		e.Line, e.Saw, e.Want = w.Line, w.Saw, "records with "+words.Counted(len(s.layout.columns), "column")+", as the first line has"
	} else if s.steps > 0 {
		e.Saw = words.Counted(int(s.steps), "step") + " without their jobs"
	} else if len(list) > 0 {
		last := list[len(list)-1]
		e.Line, e.Saw = last.Line, last.String()
	}
	return e
}

// writeHeader writes what is known of the log before its jobs.
func (s *accounts) writeHeader(h *workload.Header, hours bool) {
	h.Add("Version", "2.2")
	for _, b := range s.ahead {
		if clusters := &b.names[clusterColumn]; clusters.Len() > 0 {
			h.Add("Computer", workload.OneLine(string(clusters.At(1))))
			break
		}
	}
	if !math.IsNaN(s.start) {
		s.writeClock(h, s.start, hours)
	}
	h.Add("Note", "From Slurm's sacct. Second 0 is midnight of the day on which the first job was submitted.")
	note := ""
	for _, c := range []string{"group Account Group GID", "application JobName", "queue QOS Partition", "partition Partition"} {
		fields := strings.Fields(c)
		name := s.layout.nameOf(fields[1:]...)
		if name == "" {
			name = "unknown"
		}
		note += "; " + fields[0] + ": " + name
	}
	h.Add("Note", note[2:]+".")
	if s.layout.has("MaxRSS") {
		h.Add("Note", "used memory: an upper bound, MaxRSS times the tasks of the largest step, by the processors.")
	}
}

// endHeader adds what is known when the log has been read.
func (s *accounts) endHeader(h *workload.Header) {
	var states []string
	for state, n := range s.states {
		if n > 0 {
			states = append(states, fmt.Sprintf("%s %d", jobState(state), n))
		}
	}
	h.Add("Note", "Jobs by state: "+strings.Join(states, ", ")+".")
	s.names.Warn(&s.from.Warnings)
	s.names.AddTo(h)
}
