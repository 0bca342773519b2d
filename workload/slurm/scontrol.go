package slurm

import (
	"bufio"
	"bytes"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Scontrol is the format of the output of scontrol show job, with or without -o: the jobs
// that Squeue reads, with the same meaning. Several outputs may stand behind one another, of
// different jobs. It is read-only.
var Scontrol = workload.Format{
	Name: "scontrol",
	Sniff: func(_ string, r *bufio.Reader, _ workload.Options) bool {
		head, _ := r.Peek(parse.Sniffed)
		return scontrolShows(head) != ""
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		head, _ := r.Peek(parse.Sniffed)
		if shows := scontrolShows(head); shows != "JobId" && shows != noJobs {
			return nil, &workload.InputError{File: name, Line: 1, Saw: "scontrol's " + shows + "=", Want: "jobs: scontrol show job"}
		}
		return openQueue(name, "scontrol", r, o, (*queueReader).openScontrol)
	},
}

const noJobs = "No jobs in the system"

// scontrolShows is the first word of what scontrol show prints, "" for other texts.
func scontrolShows(head []byte) string {
	head = bytes.TrimLeft(head, " \r\n")
	for _, key := range []string{"JobId", "NodeName", "PartitionName", "ReservationName", "StepId"} {
		if bytes.HasPrefix(head, []byte(key+"=")) {
			line, _, _ := bytes.Cut(head, []byte{'\n'})
			if key == "JobId" && !bytes.Contains(line, []byte(" JobName=")) {
				return "" // no listing of a job
			}
			return key
		}
	}
	if bytes.HasPrefix(head, []byte(noJobs)) {
		return noJobs
	}
	return ""
}

var (
	scontrolLayout = newLayout(true, "scontrol")
	scontrolFields = func() map[string]int { // by key
		fields := map[string]int{}
		for i := range recordType.NumField() {
			if key := recordType.Field(i).Tag.Get("scontrol"); key != "" {
				fields[key] = i
			}
		}
		return fields
	}()
)

// openScontrol reads the jobs of scontrol show job.
func (q *queueReader) openScontrol(r *bufio.Reader) error {
	s := newTextLines(q.name, r, q.zone, parse.ChunkSize, 2*q.workers+2)
	s.layout, s.parse, s.finish = scontrolLayout, (*parser).scontrolLine, (*parser).scontrolJob
	s.lines.Cut = func(text []byte) int { return bytes.LastIndex(text, []byte("\nJobId=")) + 1 }
	q.source, q.layout = s, s.layout
	return nil
}

// scontrolLine reads a line of a job.
func (p *parser) scontrolLine(pos, end int) error {
	line := bytes.TrimSpace(p.open.text[pos:end])
	if bytes.HasPrefix(line, []byte("JobId=")) {
		p.scontrolJob()
		p.open.at, p.open.line, p.record = pos, p.batch.lines, record{}
	}
	if len(line) == 0 || bytes.HasPrefix(line, []byte(noJobs)) {
		return nil
	}
	if p.open.at < 0 {
		return &workload.InputError{File: p.name, Line: p.batch.lines, Saw: parse.ShortenLine(line), Want: "a job, which begins with JobId="}
	}
	p.scontrolPairs(line)
	return nil
}

// scontrolPairs takes the "key=value" pairs of a line. Only a job's name has blanks in it, as
// far as they are wanted: it ends where the line does or, with -o, before UserId. Of equal
// keys the first counts: comments and commands, which may look like others, come later.
func (p *parser) scontrolPairs(line []byte) {
	before, name, named := bytes.Cut(line, []byte("JobName="))
	var after []byte
	for _, next := range []string{" HetJobIdSet=", " UserId="} {
		if at := bytes.Index(name, []byte(next)); at >= 0 && after == nil {
			name, after = name[:at], name[at:]
		}
	}
	if named && p.JobName == nil {
		p.JobName = name
	}
	for _, pair := range slices.Concat(bytes.Fields(before), bytes.Fields(after)) {
		key, value, _ := bytes.Cut(pair, []byte{'='})
		if i, ok := scontrolFields[string(key)]; ok && *p.at[i] == nil {
			*p.at[i] = value
		}
	}
}

// scontrolJob ends a job.
func (p *parser) scontrolJob() error {
	line := p.open.line
	if p.open.at < 0 {
		return nil
	}
	p.open.at = -1
	for _, f := range []*[]byte{&p.State, &p.Submit, &p.Start, &p.ReqCPUS} {
		if *f == nil {
			key := p.layout.names[slices.Index(p.at, f)]
			p.batch.faults = append(p.batch.faults, &workload.InputError{File: p.name, Line: line, Field: "job " + string(p.JobIDRaw), Saw: "no " + key, Want: "all that scontrol show job prints of a job"})
			return nil
		}
	}
	if !parse.IsDigits(p.ArrayTask) { // all tasks that wait
		p.ArrayTask, p.ArrayTasks = nil, p.ArrayTask
	}
	p.JobID = p.taskID()
	p.User, p.Group = withoutNumber(p.User), withoutNumber(p.Group)
	// Slurm writes its sentences with underscores here.
	p.Reason = bytes.ReplaceAll(p.Reason, []byte{'_'}, []byte{' '})
	if len(p.ReqTRES) == 0 && len(p.AllocTRES) == 0 {
		if p.AllocTRES = p.TRES; parseState(p.State).waits() {
			p.ReqTRES = p.TRES
		}
	}
	for _, f := range []*[]byte{&p.ReqTRES, &p.AllocTRES, &p.NodeList} {
		if string(*f) == "(null)" {
			*f = nil
		}
	}
	p.queueRecord(line)
	return nil
}

// taskID is the number of a job as sacct and squeue print it: that of a task of an
// array, 41_3, of all tasks that wait, 41_[1-6], or of a component of a heterogeneous
// job, 12+1.
func (r *record) taskID() []byte {
	has := func(id []byte) bool { return len(id) > 0 && string(id) != "0" }
	join := func(texts ...[]byte) []byte { return bytes.Join(texts, nil) }
	switch {
	case has(r.ArrayID) && len(r.ArrayTask) > 0:
		return join(r.ArrayID, []byte("_"), r.ArrayTask)
	case has(r.ArrayID) && len(r.ArrayTasks) > 0:
		tasks := r.ArrayTasks
		if bytes.HasPrefix(tasks, []byte("0x")) { // sacct's bits
			tasks = []byte("...")
		}
		return join(r.ArrayID, []byte("_["), tasks, []byte("]"))
	case has(r.HetID) && len(r.HetOffset) > 0:
		return join(r.HetID, []byte("+"), r.HetOffset)
	}
	return r.JobIDRaw
}
