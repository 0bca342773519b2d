package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sacctJSONMembers are the members of a job that stand for sacct's columns. The
// association has the names that the job's own members may lack.
var sacctJSONMembers = []jsonMember[sacctField]{
	{"job_id", sacctJobIDRaw, (*jsonReader).scalar},
	{"cluster", sacctCluster, (*jsonReader).scalar}, {"association.cluster", sacctCluster, (*jsonReader).scalar},
	{"user", sacctUser, (*jsonReader).scalar}, {"association.user", sacctUser, (*jsonReader).scalar},
	{"account", sacctAccount, (*jsonReader).scalar}, {"association.account", sacctAccount, (*jsonReader).scalar},
	{"group", sacctGroup, (*jsonReader).scalar},
	{"partition", sacctPartition, (*jsonReader).scalar},
	{"qos", sacctQOS, (*jsonReader).scalar},
	{"name", sacctJobName, (*jsonReader).scalar},
	{"state.current", sacctState, (*jsonReader).state},
	{"time.submission", sacctSubmit, (*jsonReader).positive},
	{"time.eligible", sacctEligible, (*jsonReader).positive},
	{"time.start", sacctStart, (*jsonReader).positive},
	{"time.end", sacctEnd, (*jsonReader).positive},
	{"time.elapsed", sacctElapsedRaw, (*jsonReader).scalar},
	{"time.suspended", sacctSuspended, (*jsonReader).wholeSeconds},
	{"time.limit", sacctTimelimitRaw, (*jsonReader).scalar},
	{"time.total", sacctTotalCPU, (*jsonReader).seconds},
	{"required.CPUs", sacctReqCPUS, (*jsonReader).scalar},
	{"nodes", sacctNodeList, (*jsonReader).scalar},
	{"allocation_nodes", sacctNNodes, (*jsonReader).scalar},
	{"tres.requested", sacctReqTRES, (*jsonReader).jobTRES},
	{"tres.allocated", sacctAllocTRES, (*jsonReader).jobTRES},
	{"array.job_id", sacctArrayID, (*jsonReader).positive},
	{"array.task_id", sacctArrayTask, (*jsonReader).scalar},
	{"array.task", sacctArrayTasks, (*jsonReader).scalar},
	{"het.job_id", sacctHetID, (*jsonReader).positive},
	{"het.job_offset", sacctHetOffset, (*jsonReader).scalar},
	{"steps", sacctUnused, (*jsonReader).stepList},
}

// sacctJSONStepMembers are those of a step. Its number is the part behind the job's.
var sacctJSONStepMembers = []jsonMember[sacctField]{
	{"step.id", sacctJobID, (*jsonReader).stepID},
	{"tasks.count", sacctNTasks, (*jsonReader).scalar},
	{"time.total", sacctTotalCPU, (*jsonReader).seconds},
	{"statistics.energy.consumed", sacctEnergy, (*jsonReader).positive},
	{"tres.requested.max", sacctMaxRSS, (*jsonReader).stepMemory},
}

var sacctJSONJobs, sacctJSONSteps = newJSONMembers(sacctJSONMembers), newJSONMembers(sacctJSONStepMembers)

// sacctJSONLayout has a column for each of them.
var sacctJSONLayout = func() *sacctLayout {
	l := &sacctLayout{}
	for f := range l.at {
		l.at[f] = -1
	}
	add := func(name string, f sacctField) {
		if l.at[f] < 0 && f != sacctUnused {
			l.at[f] = len(l.columns)
			l.columns = append(l.columns, sacctColumn{name: name, field: f})
		}
	}
	for _, m := range sacctJSONMembers {
		add(m.path, m.field)
	}
	add("job_id", sacctJobID)
	for _, m := range sacctJSONStepMembers {
		add("steps."+m.path, m.field)
	}
	return l
}()

// sacctJSONJob reads one job as the values that a record of sacct's text has.
type sacctJSONJob struct {
	r     jsonReader
	p     *sacctParser
	steps []sacctValues
}

// read reads the job that comes next, in that line, and emits it and its steps. It
// returns the field at fault and what was wanted of it, if it is not the JSON.
func (d *sacctJSONJob) read(line int64) (bad sacctField, want string) {
	v, r := &d.p.values, &d.r
	*v = sacctValues{}
	r.begin(&d.steps)
	r.values(sacctJSONJobs, 0, v[:])
	if r.Fault() != nil {
		return 0, ""
	}
	if len(v[sacctSubmit]) == 0 && len(v[sacctState]) == 0 { // of squeue or scontrol, say, in one file with sacct's
		return sacctSubmit, "a time, as of every job that sacct --json prints"
	}
	v[sacctJobID] = r.taskID(v[sacctJobIDRaw], v[sacctArrayID], v[sacctArrayTask], v[sacctArrayTasks], v[sacctHetID], v[sacctHetOffset])
	if bad, want = d.p.row(); want != "" {
		return bad, want
	}
	d.p.emit(line)
	job, raw, cluster := v[sacctJobID], v[sacctJobIDRaw], v[sacctCluster]
	for _, step := range d.steps {
		*v = step
		v[sacctCluster] = cluster
		v[sacctJobID], v[sacctJobIDRaw] = r.join(job, []byte("."), step[sacctJobID]), r.join(raw, []byte("."), step[sacctJobID])
		if bad, want = d.p.row(); want != "" {
			return bad, want
		}
		d.p.emit(line)
	}
	return 0, ""
}

// stepList reads the steps of a job behind those read before.
func (r *jsonReader) stepList() []byte {
	if r.Kind() == 'n' {
		r.Skip()
		return nil
	}
	if r.Enter('[') {
		for r.Next() {
			*r.steps = append(*r.steps, sacctValues{})
			r.values(sacctJSONSteps, 1, (*r.steps)[len(*r.steps)-1][:])
		}
	}
	return nil
}

// stepID reads a step's own number or name. It is "batch", {"job_id": 4, "step_id":
// "batch"} or "4.batch", by the version.
func (r *jsonReader) stepID() (id []byte) {
	if r.Kind() != '{' {
		id = r.scalar()
	} else if r.Enter('{') {
		for r.Next() {
			if string(r.Key()) == "step_id" {
				id = r.scalar()
			} else {
				r.Skip()
			}
		}
	}
	id = id[bytes.LastIndexByte(id, '.')+1:]
	if len(id) == 0 {
		return []byte("0")
	}
	return id
}

// stepMemory reads the memory, in bytes, of what a step used.
func (r *jsonReader) stepMemory() []byte { return parse.TRES(r.tres(""), "mem") }
