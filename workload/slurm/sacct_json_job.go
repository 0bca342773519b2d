package slurm

// sacctJSONJob reads one job as the values that a record of sacct's text has.
type sacctJSONJob struct {
	r     jsonReader
	p     *sacctParser
	steps []sacctJSONStep

	array, task, tasks, het, offset []byte
	plainExit                       bool // see jsonReader.exit
}

// read reads the job that comes next, in that line, and emits it and its steps. It
// returns the field at fault and what was wanted of it, if it is not the JSON.
func (d *sacctJSONJob) read(line int64) (bad sacctField, want string) {
	d.p.values = [sacctFields][]byte{}
	d.array, d.task, d.tasks, d.het, d.offset, d.plainExit = nil, nil, nil, nil, nil, false
	d.steps, d.r.scratch = d.steps[:0], d.r.scratch[:0]
	if !d.r.Enter('{') {
		return 0, ""
	}
	for d.r.next(0) {
		d.member()
	}
	if d.r.Fault() != nil {
		return 0, ""
	}
	v := &d.p.values
	if d.plainExit && string(v[sacctExitCode]) == "0:0" && parseSacctState(v[sacctState]) != stateCompleted {
		v[sacctExitCode] = nil
	}
	v[sacctJobID] = d.r.taskID(v[sacctJobIDRaw], d.array, d.task, d.tasks, d.het, d.offset)
	if bad, want = d.p.row(); want != "" {
		return bad, want
	}
	d.p.emit(line)
	job, raw, cluster := v[sacctJobID], v[sacctJobIDRaw], v[sacctCluster]
	for _, s := range d.steps {
		*v = [sacctFields][]byte{sacctCluster: cluster, sacctNTasks: s.tasks, sacctTotalCPU: s.cpu, sacctMaxRSS: s.memory, sacctEnergy: s.energy}
		v[sacctJobID], v[sacctJobIDRaw] = d.r.join(job, []byte("."), s.id), d.r.join(raw, []byte("."), s.id)
		if bad, want = d.p.row(); want != "" {
			return bad, want
		}
		d.p.emit(line)
	}
	return 0, ""
}

// member reads a member of the job.
func (d *sacctJSONJob) member() {
	v, r := &d.p.values, &d.r
	switch string(r.Key()) {
	case "job_id":
		v[sacctJobIDRaw] = r.scalar()
	case "cluster":
		v[sacctCluster] = r.scalar()
	case "user":
		if name := r.scalar(); len(name) > 0 {
			v[sacctUser] = name
		}
	case "account":
		v[sacctAccount] = r.scalar()
	case "group":
		v[sacctGroup] = r.scalar()
	case "partition":
		v[sacctPartition] = r.scalar()
	case "qos":
		v[sacctQOS] = r.scalar()
	case "name":
		v[sacctJobName] = r.scalar()
	case "nodes":
		v[sacctNodeList] = r.scalar()
	case "allocation_nodes":
		v[sacctNNodes] = r.scalar()
	case "priority":
		v[sacctPriority] = r.scalar()
	case "restart_cnt":
		v[sacctRestarts] = r.scalar()
	case "exit_code":
		v[sacctExitCode], d.plainExit = r.exit()
	case "time":
		d.members(d.time)
	case "state":
		d.members(d.state)
	case "association":
		d.members(d.association)
	case "required":
		d.members(d.required)
	case "tres":
		d.members(d.tres)
	case "array":
		d.members(d.arrayOf)
	case "het":
		d.members(d.hetOf)
	case "steps":
		d.stepsOf()
	default:
		r.Skip()
	}
}

// members reads the members of an object, if it is not null.
func (d *sacctJSONJob) members(f func(key []byte)) {
	if d.r.Kind() == 'n' {
		d.r.Skip()
		return
	}
	if d.r.Enter('{') {
		for d.r.next(1) {
			f(d.r.Key())
		}
	}
}

func (d *sacctJSONJob) time(key []byte) {
	v, r := &d.p.values, &d.r
	switch string(key) {
	case "eligible":
		v[sacctEligible] = r.positive()
	case "submission":
		v[sacctSubmit] = r.positive()
	case "start":
		v[sacctStart] = r.positive()
	case "end":
		v[sacctEnd] = r.positive()
	case "elapsed":
		v[sacctElapsedRaw] = r.scalar()
	case "suspended":
		var s int64
		if r.whole(&s) {
			v[sacctSuspended] = r.duration(s, 0)
		}
	case "limit":
		v[sacctTimelimitRaw] = r.scalar()
	case "total":
		v[sacctTotalCPU] = r.seconds()
	default:
		r.Skip()
	}
}

func (d *sacctJSONJob) state(key []byte) {
	if string(key) == "current" {
		d.p.values[sacctState] = d.r.state()
	} else {
		d.r.Skip()
	}
}

// association has the names that a job's own members may lack.
func (d *sacctJSONJob) association(key []byte) {
	field := sacctUnused
	switch string(key) {
	case "user":
		field = sacctUser
	case "account":
		field = sacctAccount
	case "cluster":
		field = sacctCluster
	default:
		d.r.Skip()
		return
	}
	if name := d.r.scalar(); len(d.p.values[field]) == 0 {
		d.p.values[field] = name
	}
}

func (d *sacctJSONJob) required(key []byte) {
	if string(key) == "CPUs" {
		d.p.values[sacctReqCPUS] = d.r.scalar()
	} else {
		d.r.Skip()
	}
}

func (d *sacctJSONJob) tres(key []byte) {
	switch string(key) {
	case "allocated":
		d.p.values[sacctAllocTRES] = d.r.tres("M")
	case "requested":
		d.p.values[sacctReqTRES] = d.r.tres("M")
	default:
		d.r.Skip()
	}
}

func (d *sacctJSONJob) arrayOf(key []byte) {
	switch string(key) {
	case "job_id":
		d.array = d.r.positive()
	case "task_id":
		d.task = d.r.scalar()
	case "task":
		d.tasks = d.r.scalar()
	default:
		d.r.Skip()
	}
}

func (d *sacctJSONJob) hetOf(key []byte) {
	switch string(key) {
	case "job_id":
		d.het = d.r.positive()
	case "job_offset":
		d.offset = d.r.scalar()
	default:
		d.r.Skip()
	}
}
