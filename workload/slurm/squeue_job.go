package slurm

import (
	"bytes"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// job reads one record.
func (s *squeueReader) job(v *squeueValues) error {
	fault := func(f squeueField, want string) error {
		return &workload.InputError{File: s.name, Line: s.line, Field: s.place(s.layout.names[f]), Saw: s.saw(v[f]), Want: want}
	}
	id, want := parseSacctID(v[squeueJobID])
	ok := true
	if want != "" || id.step {
		return fault(squeueJobID, "a job's number, such as 123, 123_4 or 123_[0-9]")
	}
	tasks := taskList{tasks: []int64{id.part}}
	if id.kind == idTasks {
		if tasks, ok = parseTasks(id.waiting, mostTasks-s.waitingTasks); !ok {
			return fault(squeueJobID, "the numbers of tasks, such as 123_[0-9] or 123_[1,5-9%2]")
		}
		if tasks.more {
			s.from.Warnings.Add("unlisted-tasks", "arrays with more waiting tasks than are listed or read: the others are left out (SLURM_BITSTR_LEN=0 lists all)", s.line, string(v[squeueJobID]))
		}
		s.waitingTasks += len(tasks.tasks)
		id.kind = idTask
	}
	for _, id.part = range tasks.tasks {
		if first := s.jobs.twice(id, s.line); first > 0 {
			s.repeated = true
			return &workload.InputError{File: s.name, Line: s.line, Field: s.place(s.layout.names[squeueJobID]),
				Saw: string(v[squeueJobID]) + ", which is in line " + parse.FormatNumber(float64(first)) + " too", Want: "each job once"}
		}
	}
	state := parseSacctState(v[squeueState])
	if state == stateUnknown {
		return fault(squeueState, "a state of Slurm's, such as PENDING or R")
	}
	j := workload.UnknownJob()
	j.ID = id.job
	if own := v[squeueOwnID]; len(own) > 0 {
		if j.ID, want = parseSacctCount(own); want != "" {
			return fault(squeueOwnID, want)
		}
	}
	processors, ok := squeueCount(v[squeueCPUs])
	if !ok {
		return fault(squeueCPUs, "a number of processors")
	}
	j.Processors = processors
	submit, known, want := s.moment(v[squeueSubmit])
	if want != "" || !known {
		return fault(squeueSubmit, wantTime(want))
	}
	j.Submit = submit
	if j.Time, want = parseSacctDuration(v[squeueLimit]); want != "" {
		return fault(squeueLimit, want)
	}
	if isNoLimit(j.Time) {
		rule, why := noLimit()
		s.from.Warnings.Add(rule, why, s.line, s.saw(v[squeueLimit]))
		j.Time = math.NaN()
	}
	used, want := parseSacctDuration(v[squeueTime])
	if want != "" {
		return fault(squeueTime, want)
	}
	start, started, want := s.moment(v[squeueStart])
	if want != "" {
		return fault(squeueStart, want)
	}
	waits, held := state.waits(), false
	if state == stateConfiguring && started {
		waits = false // its nodes are being made ready: it holds them
	}
	if waits {
		if used > 0 {
			return fault(squeueTime, "0:00, of a job that is "+string(v[squeueState]))
		}
		if held = s.isHeld(state, string(v[squeueReason]), len(tasks.tasks)); held && s.queue == nil {
			return nil
		}
	} else if some, known := sacctHasNodes(v[squeueNodes]); state.ended() && known && !some {
		j.Status = state.status() // it never started
	} else {
		if !started {
			return fault(squeueStart, "a time, of a job that is "+string(v[squeueState]))
		}
		j.Allocated, j.Wait = processors, start-submit
		if state.ended() {
			j.Run, j.Status = used, state.status()
			if end, known, _ := s.moment(v[squeueEnd]); known && endsBeforeStart(used, end-start) {
				rule, why := endFirst()
				s.from.Warnings.Add(rule, why, s.line, s.saw(v[squeueEnd]))
				j.Run = math.NaN()
			}
		} else if used >= 0 {
			s.taken = max(s.taken, start+used)
		}
		if !state.ended() && id.kind == idTask {
			s.runningTasks[id.job]++
		}
	}
	s.taken = max(s.taken, submit)
	j.Size = workload.RigidSize(j.Allocated, j.Processors)
	user, group, queue := v[squeueUser], v[squeueAccount], v[squeueQOS]
	if len(group) == 0 {
		group = v[squeueGroup]
	}
	if len(queue) == 0 {
		queue = v[squeuePartition]
	}
	j.User, j.Group = s.number(workload.ColUser, user), s.number(workload.ColGroup, group)
	j.Application, j.Queue = s.number(workload.ColApplication, v[squeueName]), s.number(workload.ColQueue, queue)
	j.Partition = s.number(workload.ColPartition, v[squeuePartition])
	tres, bad, want := s.more(v, id, !math.IsNaN(j.Wait), &j)
	if want != "" {
		return fault(bad, want)
	}
	if waits && !held && tasks.limit > 0 {
		s.throttled = append(s.throttled, throttled{id.job, tasks.limit, int64(len(s.jobs.tres)), int64(len(tasks.tasks)), s.line})
	}
	if !started {
		start = math.NaN()
	}
	label := string(v[squeueJobID])
	for _, task := range tasks.tasks {
		if len(id.waiting) > 0 {
			label = taskLabel(id.job, task)
		}
		if s.queue != nil {
			s.enqueue(&j, label, state, v, tres, start, held)
		} else if err := s.jobs.add(&j, s.line, tres); err != nil {
			return err
		}
	}
	return nil
}

func wantTime(want string) string {
	if want == "" {
		return "a time such as 2021-12-10T14:23:28"
	}
	return want
}

// number is the log's number of a name.
func (s *squeueReader) number(col int, text []byte) int64 {
	if isUnknownWord(text) {
		text = nil
	}
	n, complete := s.names.NumberOf(col, text)
	if !complete {
		s.names.LeftOut(col, s.line)
	}
	return n
}

// moment reads a time in seconds since 1970; known is false for none.
func (s *squeueReader) moment(text []byte) (seconds float64, known bool, want string) {
	t, want := parseSacctTime(text)
	switch {
	case want != "" || t.kind == timeUnknown || t.kind == timeZero:
		return 0, false, want
	case t.kind == timeUnix:
		return float64(t.seconds), true, ""
	}
	s.local = true
	first, _, _ := s.clock.Instants(t.seconds)
	return float64(first), true, ""
}

// squeueCount reads a number above 0 and of a range, which a job may ask for, the first.
func squeueCount(text []byte) (int64, bool) {
	text, _, _ = bytes.Cut(text, []byte{'-'})
	n, want := parseSacctCount(text)
	return n, want == "" && n > 0
}

// isHeld reports whether a waiting job waits for something other than processors,
// and counts it, or the tasks of its record, if so. A job whose reason is unknown counts as queued.
func (s *squeueReader) isHeld(state sacctJobState, reason string, jobs int) bool {
	switch state {
	case stateRequeueHold, stateReservationHold, stateSpecialExit:
		s.held.add(s.line, state.String(), jobs)
		return true
	}
	if s.layout.at[squeueReason] < 0 {
		s.reasonless.add(s.line, "", jobs)
		return false
	}
	switch squeueReasonOf(reason) {
	case reasonHeld:
		s.held.add(s.line, reason, jobs)
		return true
	case reasonUnknown:
		s.unknown.add(s.line, reason, jobs)
	}
	return false
}
