package slurm

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// SqueueJSON is what squeue --json and scontrol show job --json print, and slurmrestd
// under /slurm; it is read only.
var SqueueJSON = workload.Format{
	Name:  "squeue",
	JSON:  true,
	Sniff: sniffJSON(jsonSqueue),
	Open:  openSqueueJSON,
}

// squeueJSONNames are the members of a job that stand for squeue's columns.
var squeueJSONNames = [squeueFields]string{
	squeueJobID: "job_id", squeueOwnID: "job_id", squeueState: "job_state", squeueSubmit: "submit_time", squeueStart: "start_time", squeueCPUs: "cpus",
	squeueTime: "end_time", squeueLimit: "time_limit", squeueUser: "user_name", squeueAccount: "account", squeueGroup: "group_name",
	squeuePartition: "partition", squeueQOS: "qos", squeueName: "name", squeueReason: "state_reason", squeueNodes: "nodes",
	squeueNodeCount: "node_count", squeuePriority: "priority", squeueEligible: "eligible_time", squeueRestarts: "restart_cnt", squeueExit: "exit_code",
	squeueReqTRES: "tres_req_str", squeueAllocTRES: "tres_alloc_str",
}

// openSqueueJSON reads what squeue --json prints: the jobs that openSqueue reads, with
// the same meaning. A job that has ended has its run time from start_time to end_time.
// The moment of the listing is last_update, or, before data parser 0.0.40, the latest at
// which a job was submitted, started, ended or looked at by the scheduler.
func openSqueueJSON(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	s, err := newSqueueReader(name, "squeue", o)
	if err != nil {
		return nil, err
	}
	s.layout = &squeueLayout{names: squeueJSONNames}
	array := jsontext.NewArray(r, "jobs", parse.ChunkSize, 1)
	array.Member = func(key string, value []byte) {
		jsonErrors(key, value, &s.from.Warnings)
		if key == "last_update" {
			var r jsonReader
			r.Reset(value, 0, true)
			s.sawMoment(r.positive())
		}
	}
	d := squeueJSONJob{s: s}
	return s.open(o, func() error {
		for {
			c, err := array.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return jsonFault(name, err)
			}
			if err := d.decode(c); err != nil {
				return err
			}
			array.Recycle(c)
		}
	})
}

// sawMoment notes a moment at which the listing was not yet taken, in seconds since
// 1970.
func (s *squeueReader) sawMoment(text []byte) {
	if n, want := parseSacctCount(text); want == "" && n > 0 {
		s.taken = max(s.taken, float64(n))
	}
}

// squeueJSONJob reads one job as the values that a line of squeue has.
type squeueJSONJob struct {
	s *squeueReader
	r jsonReader
	v [squeueFields][]byte

	array, task, tasks, het, offset []byte
	uid                             []byte
	start, end                      int64
}

// decode reads a chunk.
func (d *squeueJSONJob) decode(c jsontext.Chunk) error {
	d.r.Reset(c.Text, '[', c.First)
	line, passed, element := c.Line+1, 0, c.Element
	for ; !d.r.Blank() && d.r.Next(); element++ {
		d.r.Kind()
		at := d.r.Offset()
		line += int64(bytes.Count(c.Text[passed:at], []byte{'\n'}))
		passed = at
		place := func(member string) string {
			return jsonPlace(line, c.Offset+int64(at), fmt.Sprintf("jobs[%d].%s", element, member))
		}
		if err := d.read(line, place); err != nil {
			return err
		}
	}
	if f := d.r.Fault(); f != nil {
		line := c.Line + 1 + int64(bytes.Count(c.Text[:f.At], []byte{'\n'}))
		member := fmt.Sprintf("jobs[%d]%s", max(element-1, c.Element), d.r.where())
		return &workload.InputError{File: d.s.name, Line: line, Field: jsonPlace(line, c.Offset+int64(f.At), member), Saw: f.Saw, Want: f.Want}
	}
	return nil
}

// read reads the job that comes next, which is in that line.
func (d *squeueJSONJob) read(line int64, place func(string) string) error {
	*d = squeueJSONJob{s: d.s, r: d.r}
	d.r.scratch = d.r.scratch[:0]
	if !d.r.Enter('{') {
		return nil
	}
	for d.r.next(0) {
		d.member()
	}
	if d.r.Fault() != nil {
		return nil // decode knows the place
	}
	if len(d.v[squeueUser]) == 0 {
		d.v[squeueUser] = d.uid
	}
	d.v[squeueJobID] = d.r.taskID(d.v[squeueOwnID], d.array, d.task, d.tasks, d.het, d.offset)
	if !parseSacctState(d.v[squeueState]).waits() {
		d.s.taken = max(d.s.taken, float64(d.start))
	}
	if ended := parseSacctState(d.v[squeueState]).ended(); ended && d.start > 0 && d.end >= d.start {
		d.v[squeueTime] = d.r.duration(d.end-d.start, 0)
		d.s.taken = max(d.s.taken, float64(d.end))
	}
	var values [squeueFields]string
	for f, v := range d.v {
		values[f] = string(v)
	}
	d.s.line, d.s.place = line, place
	return d.s.job(values)
}

// member reads a member of the job.
func (d *squeueJSONJob) member() {
	v, r := &d.v, &d.r
	switch string(r.Key()) {
	case "job_id":
		v[squeueOwnID] = r.scalar()
	case "job_state":
		v[squeueState] = r.state()
	case "submit_time":
		v[squeueSubmit] = r.positive()
	case "start_time":
		d.time(&d.start)
		if d.start > 0 {
			v[squeueStart] = strconv.AppendInt(nil, d.start, 10)
		}
	case "end_time":
		d.time(&d.end)
	case "last_sched_evaluation":
		d.s.sawMoment(r.positive())
	case "cpus":
		v[squeueCPUs] = r.scalar()
	case "time_limit":
		if minutes := r.scalar(); len(minutes) > 0 {
			v[squeueLimit] = r.join(minutes, []byte(":00"))
		}
	case "user_name":
		v[squeueUser] = r.scalar()
	case "user_id":
		d.uid = r.scalar()
	case "account":
		v[squeueAccount] = r.scalar()
	case "group_name":
		v[squeueGroup] = r.scalar()
	case "partition":
		v[squeuePartition] = r.scalar()
	case "qos":
		v[squeueQOS] = r.scalar()
	case "name":
		v[squeueName] = r.scalar()
	case "nodes":
		if v[squeueNodes] = r.scalar(); len(v[squeueNodes]) == 0 {
			v[squeueNodes] = []byte("None")
		}
	case "state_reason":
		v[squeueReason] = r.scalar()
	case "node_count":
		v[squeueNodeCount] = r.positive()
	case "priority":
		v[squeuePriority] = r.scalar()
	case "eligible_time":
		v[squeueEligible] = r.positive()
	case "restart_cnt":
		v[squeueRestarts] = r.scalar()
	case "exit_code":
		v[squeueExit], _ = r.exit()
	case "tres_req_str":
		v[squeueReqTRES] = r.scalar()
	case "tres_alloc_str":
		v[squeueAllocTRES] = r.scalar()
	case "array_job_id":
		d.array = r.positive()
	case "array_task_id":
		d.task = r.scalar()
	case "array_task_string":
		d.tasks = r.scalar()
	case "het_job_id":
		d.het = r.positive()
	case "het_job_offset":
		d.offset = r.scalar()
	default:
		r.Skip()
	}
}

// time reads seconds since 1970, 0 for none.
func (d *squeueJSONJob) time(to *int64) {
	if !d.r.whole(to) {
		*to = 0
	}
}
