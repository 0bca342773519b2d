package slurm

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Scontrol is the format of the output of scontrol show job, with or without -o. It is
// read-only.
var Scontrol = workload.Format{
	Name: "scontrol",
	Sniff: func(_ string, r *bufio.Reader, _ workload.Options) bool {
		head, _ := r.Peek(parse.Sniffed)
		return scontrolShows(head) != ""
	},
	Open: openScontrol,
}

// scontrolShows is the first word of what scontrol show prints, "" for other texts.
func scontrolShows(head []byte) string {
	head = bytes.TrimLeft(head, " \r\n")
	for _, key := range []string{"JobId", "NodeName", "PartitionName", "ReservationName", "StepId"} {
		if bytes.HasPrefix(head, []byte(key+"=")) {
			line, _, _ := bytes.Cut(head, []byte{'\n'})
			if at, _ := findKey(line, "JobName"); key == "JobId" && at < 0 {
				return "" // no listing of a job
			}
			return key
		}
	}
	if bytes.HasPrefix(head, []byte("No jobs in the system")) {
		return "No jobs"
	}
	return ""
}

// scontrolNames are the keys that stand for squeue's columns.
var scontrolNames = [squeueFields]string{
	squeueJobID: "JobId", squeueOwnID: "JobId", squeueState: "JobState", squeueSubmit: "SubmitTime", squeueStart: "StartTime", squeueCPUs: "NumCPUs",
	squeueTime: "RunTime", squeueEnd: "EndTime", squeueLimit: "TimeLimit", squeueUser: "UserId", squeueAccount: "Account", squeueGroup: "GroupId",
	squeuePartition: "Partition", squeueQOS: "QOS", squeueName: "JobName", squeueReason: "Reason", squeueNodes: "NodeList",
	squeueNodeCount: "NumNodes", squeuePriority: "Priority", squeueEligible: "EligibleTime",
	squeueReqTRES: "ReqTRES", squeueAllocTRES: "AllocTRES", squeueSeen: "LastSchedEval",
	squeueArrayID: "ArrayJobId", squeueArrayTask: "ArrayTaskId", squeueHetID: "HetJobId", squeueHetOffset: "HetJobOffset",
}

// openScontrol reads what scontrol show job prints: the jobs that openSqueue reads, with
// the same meaning. Several outputs may stand behind one another, of different jobs.
func openScontrol(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	head, _ := r.Peek(parse.Sniffed)
	if shows := scontrolShows(head); shows != "JobId" && shows != "No jobs" {
		return nil, &workload.InputError{File: name, Line: 1, Saw: "scontrol's " + shows + "=", Want: "jobs: scontrol show job"}
	}
	s, err := newSqueueReader(name, "scontrol", o)
	if err != nil {
		return nil, err
	}
	return s.open(o, func() error { return s.readScontrol(r) })
}

// readScontrol reads the jobs of scontrol show job.
func (s *squeueReader) readScontrol(r *bufio.Reader) error {
	s.layout = &squeueLayout{names: scontrolNames}
	j := scontrolJob{s: s}
	for line := int64(1); ; line++ {
		text, err := readSqueueLine(r)
		switch {
		case err == errLongLine:
			return parse.LineTooLong(s.name, line, text)
		case err != nil && err != io.EOF:
			return parse.InputFault(s.name, err)
		case bytes.IndexByte(text, 0) >= 0:
			return parse.NotText(s.name, line, text)
		}
		if fault := j.take(line, text); fault != nil {
			return fault
		}
		if err == io.EOF {
			return j.end()
		}
	}
}

// scontrolJob is the job that is being read.
type scontrolJob struct {
	s      *squeueReader
	line   int64 // where it begins, 0 for none
	values map[string]string
}

// take reads a line.
func (j *scontrolJob) take(line int64, text []byte) error {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("JobId=")) {
		if err := j.end(); err != nil {
			return err
		}
		j.line, j.values = line, map[string]string{}
	}
	if len(text) == 0 || bytes.HasPrefix(text, []byte("No jobs in the system")) {
		return nil
	}
	if j.line == 0 {
		return &workload.InputError{File: j.s.name, Line: line, Saw: parse.ShortenLine(text), Want: "a job, which begins with JobId="}
	}
	j.pairs(string(text))
	return nil
}

// pairs takes the "key=value" pairs of a line. Only a job's name has blanks in it, as
// far as they are wanted: it ends where the line does or, with -o, before UserId. Of
// equal keys the first counts: comments and commands, which may look like others, come
// later.
func (j *scontrolJob) pairs(text string) {
	before, name, named := strings.Cut(text, "JobName=")
	after := ""
	if named {
		for _, next := range []string{" HetJobIdSet=", " UserId="} {
			if at := strings.Index(name, next); at >= 0 {
				name, after = name[:at], name[at:]
				break
			}
		}
		j.set("JobName", name)
	}
	for _, pair := range strings.Fields(before + " " + after) {
		if key, value, ok := strings.Cut(pair, "="); ok {
			j.set(key, value)
		}
	}
}

func (j *scontrolJob) set(key, value string) {
	if _, has := j.values[key]; !has {
		j.values[key] = value
	}
}

// end gives the job to the listing.
func (j *scontrolJob) end() error {
	if j.line == 0 {
		return nil
	}
	var v squeueValues
	for f, key := range scontrolNames {
		v[f] = []byte(j.values[key])
	}
	for _, key := range []string{"JobState", "SubmitTime", "StartTime", "NumCPUs"} {
		if _, has := j.values[key]; !has {
			return &workload.InputError{File: j.s.name, Line: j.line, Field: "job " + string(v[squeueOwnID]), Saw: "no " + key, Want: "all that scontrol show job prints of a job"}
		}
	}
	if !parse.IsDigits(v[squeueArrayTask]) { // all tasks that wait
		v[squeueArrayTask], v[squeueArrayTasks] = nil, v[squeueArrayTask]
	}
	var r jsonReader
	v[squeueJobID] = r.taskID(v[squeueOwnID], v[squeueArrayID], v[squeueArrayTask], v[squeueArrayTasks], v[squeueHetID], v[squeueHetOffset])
	v[squeueUser], v[squeueGroup] = withoutNumber(v[squeueUser]), withoutNumber(v[squeueGroup])
	// Slurm writes its sentences with underscores here.
	v[squeueReason] = bytes.ReplaceAll(v[squeueReason], []byte{'_'}, []byte{' '})
	if seen, known, want := j.s.moment(v[squeueSeen]); want == "" && known {
		j.s.taken = max(j.s.taken, seen)
	}
	// Before 23.02 there is one list: of what is asked for, then of what is given.
	if list := []byte(j.values["TRES"]); len(v[squeueReqTRES]) == 0 && len(v[squeueAllocTRES]) == 0 {
		v[squeueAllocTRES] = list
		if parseSacctState(v[squeueState]).waits() {
			v[squeueReqTRES] = list
		}
	}
	for _, f := range []squeueField{squeueReqTRES, squeueAllocTRES, squeueNodes} {
		if string(v[f]) == "(null)" {
			v[f] = nil
		}
	}
	if len(v[squeueNodes]) == 0 {
		v[squeueNodes] = []byte("None")
	}
	j.s.line = j.line
	return j.s.passOver(j.s.job(&v))
}
