package slurm

import (
	"bufio"
	"bytes"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// SqueueJSON is the format of the output of squeue --json and scontrol show job --json.
// It is read-only.
var SqueueJSON = workload.Format{
	Name:  "squeue",
	JSON:  true,
	Sniff: sniffJSON(jsonSqueue),
	Open:  openSqueueJSON,
}

// squeueJSONMembers are the members of a job that stand for squeue's columns.
var squeueJSONMembers = []jsonMember[squeueField]{
	{"job_id", squeueOwnID, (*jsonReader).scalar},
	{"job_state", squeueState, (*jsonReader).state},
	{"submit_time", squeueSubmit, (*jsonReader).positive},
	{"start_time", squeueStart, (*jsonReader).positive},
	{"end_time", squeueEnd, (*jsonReader).positive},
	{"last_sched_evaluation", squeueSeen, (*jsonReader).positive},
	{"eligible_time", squeueEligible, (*jsonReader).positive},
	{"cpus", squeueCPUs, (*jsonReader).scalar},
	{"node_count", squeueNodeCount, (*jsonReader).positive},
	{"time_limit", squeueLimit, (*jsonReader).minutes},
	{"user_name", squeueUser, (*jsonReader).scalar},
	{"user_id", squeueUID, (*jsonReader).scalar},
	{"account", squeueAccount, (*jsonReader).scalar},
	{"group_name", squeueGroup, (*jsonReader).scalar},
	{"partition", squeuePartition, (*jsonReader).scalar},
	{"qos", squeueQOS, (*jsonReader).scalar},
	{"name", squeueName, (*jsonReader).scalar},
	{"nodes", squeueNodes, (*jsonReader).nodes},
	{"state_reason", squeueReason, (*jsonReader).scalar},
	{"priority", squeuePriority, (*jsonReader).scalar},
	{"tres_req_str", squeueReqTRES, (*jsonReader).scalar},
	{"tres_alloc_str", squeueAllocTRES, (*jsonReader).scalar},
	{"array_job_id", squeueArrayID, (*jsonReader).positive},
	{"array_task_id", squeueArrayTask, (*jsonReader).scalar},
	{"array_task_string", squeueArrayTasks, (*jsonReader).scalar},
	{"het_job_id", squeueHetID, (*jsonReader).positive},
	{"het_job_offset", squeueHetOffset, (*jsonReader).scalar},
}

var squeueJSONJobs = newJSONMembers(squeueJSONMembers)

// squeueJSONLayout names them.
var squeueJSONLayout = func() *squeueLayout {
	l := &squeueLayout{}
	for _, m := range squeueJSONMembers {
		l.names[m.field] = m.path
	}
	l.names[squeueJobID], l.names[squeueTime] = "job_id", "end_time"
	return l
}()

// openSqueueJSON reads what squeue --json prints: the jobs that openSqueue reads, with
// the same meaning. A job that has ended has its run time from start_time to end_time.
// The moment of the listing is last_update, or, before data parser 0.0.40, the latest at
// which a job was submitted, started, ended or looked at by the scheduler.
func openSqueueJSON(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	s, err := newSqueueReader(name, "squeue", o)
	if err != nil {
		return nil, err
	}
	return s.open(o, func() error { return s.readJSON(r) })
}

// readJSON reads the jobs of squeue --json. Their texts are found on several processors;
// what they mean depends on the jobs before them, in order.
func (s *squeueReader) readJSON(r *bufio.Reader) error {
	s.layout = squeueJSONLayout
	var beside []squeueMember
	spare := make(chan *squeueChunk, 2*s.workers+2)
	array := newJobArray(r, parse.ChunkSize, cap(spare))
	array.Member = func(key string, value []byte) {
		if key == "errors" || key == "last_update" {
			beside = append(beside, squeueMember{key, bytes.Clone(value)})
		}
	}
	var at jsonAt
	s.place, s.saw = func(member string) string { return at.member(member) }, sawJSON
	decode := func(c jsontext.Chunk) (*squeueChunk, error) {
		chunk := &squeueChunk{}
		select {
		case chunk = <-spare:
		default:
		}
		chunk.decode(s.name, c)
		return chunk, nil
	}
	for chunk, err := range par.Map(s.workers, chunksOf(array), decode, nil) {
		if err != nil {
			return jsonFault(s.name, err)
		}
		for i := range chunk.jobs {
			j := &chunk.jobs[i]
			s.line, at = j.at.line, j.at
			if err := s.jsonJob(j, &chunk.r); err != nil {
				return err
			}
		}
		if chunk.fault != nil {
			return chunk.fault
		}
		array.Recycle(chunk.text)
		select {
		case spare <- chunk:
		default:
		}
	}
	for _, m := range beside {
		jsonErrors(m.key, m.value, &s.from.Warnings)
		if m.key == "last_update" {
			var r jsonReader
			r.Reset(m.value, 0, true)
			s.sawMoment(r.positive())
		}
	}
	return nil
}

// squeueMember is a member of the document beside the jobs.
type squeueMember struct {
	key   string
	value []byte
}

// sawMoment notes a moment at which the listing was not yet taken, in seconds since
// 1970, and returns it, 0 for none.
func (s *squeueReader) sawMoment(text []byte) int64 {
	n, want := parseSacctCount(text)
	if want != "" || n <= 0 {
		return 0
	}
	s.taken = max(s.taken, float64(n))
	return n
}

// jsonJob takes a job, whose values r found.
func (s *squeueReader) jsonJob(j *squeueJSONJob, r *jsonReader) error {
	v := &j.v
	s.sawMoment(v[squeueSeen])
	if state := parseSacctState(v[squeueState]); !state.waits() {
		start := s.sawMoment(v[squeueStart])
		if state.ended() && start > 0 {
			if end, want := parseSacctCount(v[squeueEnd]); want == "" && end >= start {
				v[squeueTime] = r.duration(s.sawMoment(v[squeueEnd])-start, 0)
			}
		}
	}
	return s.passOver(s.job(v))
}

// minutes reads a number of minutes as "5:00".
func (r *jsonReader) minutes() []byte {
	n := r.scalar()
	if isNoValue(n) { // as a text, too
		return nil
	}
	return r.join(n, []byte(":00"))
}

// nodes reads a list of nodes, "None" where there are none.
func (r *jsonReader) nodes() []byte {
	if list := r.scalar(); len(list) > 0 {
		return list
	}
	return []byte("None")
}
