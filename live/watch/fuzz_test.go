package watch

import (
	"context"
	"strings"
	"testing"
)

// fuzzPoll polls twice with any answers: nothing crashes, and the events are in order.
func fuzzPoll(t *testing.T, a *answers) {
	s := testSource(a)
	s.log.Workers = 1 // else what runs differs from time to time
	tracker := NewTracker()
	last := 0.0
	for i := range 2 {
		p, err := s.Poll(context.Background())
		if err != nil {
			return
		}
		events := tracker.Events(p)
		for n, e := range events {
			if (i > 0 || n > 0) && e.Time < last || e.Job == nil || e.Job.Row < 0 {
				t.Fatalf("event %d: %+v", n, e)
			}
			last = e.Time
		}
		for _, w := range p.Warnings {
			if w.Count < 1 || w.Rule == "" {
				t.Fatalf("%+v", w)
			}
		}
		for _, n := range s.o.Names.Fresh() {
			if len(n.Text) > LongestName {
				t.Fatalf("a name of %d bytes", len(n.Text))
			}
		}
	}
}

func FuzzQueue(f *testing.F) {
	// Short ones: the fuzzer spends its time on making long ones shorter.
	f.Add(`{"meta": {"Slurm": {"release": "22.05.8"}}, "errors": [], "jobs": [{"job_id": 3, "array_job_id": 3, "array_task_string": "1-6%2", "job_state": "PENDING", "submit_time": 1795433593, "start_time": 1795434900, "cpus": 8, "time_limit": 3, "user_name": "ann", "name": "<b>", "state_reason": "Priority", "priority": 10281},
{"job_id": 6, "job_state": "RUNNING", "submit_time": 1795433593, "start_time": 1795433593, "end_time": 1795433773, "cpus": 64, "nodes": "n1", "tres_req_str": "cpu=64"}]}`)
	f.Add(`{"jobs": [{"job_id": 7, "job_state": ["CANCELLED"], "submit_time": {"set": true, "number": 1795433593}, "end_time": {"set": true, "number": 1795433599}, "cpus": {"set": true, "number": 4}, "nodes": ""}], "last_update": {"set": true, "number": 1795433600}, "meta": {"slurm": {}}}`)
	f.Add("JobId=9 JobName=a b UserId=u(1) JobState=PENDING Reason=Priority TimeLimit=00:10:00 SubmitTime=2026-11-23T11:33:00 StartTime=2026-11-23T11:40:00 NumCPUs=3 ArrayJobId=9 ArrayTaskId=1-4%2")
	f.Add("JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|REASON\n7|PENDING|2026-11-23T11:33:00|N/A|4|Priority\n")
	f.Fuzz(func(t *testing.T, text string) {
		fuzzPoll(t, &answers{queueText: text})
	})
}

func FuzzEnded(f *testing.F) {
	f.Add(`{"meta": {"Slurm": {"release": "22.05.8"}}, "jobs": [{"job_id": 10, "array": {"job_id": 3, "task_id": 4}, "association": {"account": "a", "user": "ann"}, "state": {"current": "CANCELLED"}, "time": {"submission": 1795411040, "start": null, "end": 1795411091, "elapsed": 0, "limit": 1}, "required": {"CPUs": 3}, "nodes": "None assigned"},
{"job_id": 7, "state": {"current": ["REQUEUED"]}, "time": {"submission": 1795411040, "start": 1795411041, "end": 1795411061, "elapsed": 20}, "required": {"CPUs": 3}, "nodes": "n1"}]}`)
	f.Add("JobIDRaw|Submit|Start|End|State|NCPUS\n7|2026-11-23T11:31:00|2026-11-23T11:31:10|2026-11-23T11:31:30|COMPLETED|4\n8|2026-11-23T11:31:00|None|2026-11-23T11:31:30|CANCELLED by 0|4\n")
	f.Fuzz(func(t *testing.T, text string) {
		fuzzPoll(t, &answers{endedText: text, queueText: "JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS\n"})
	})
}

func FuzzNodes(f *testing.F) {
	f.Add(readTestdata(f, "nodes-22.05.txt"))
	f.Fuzz(func(t *testing.T, text string) {
		a := realAnswers(t)
		a.nodesText = text
		s := testSource(a)
		if s.readCapacity(context.Background()) == nil {
			if c := s.capacity; c.Processors < 0 || c.Free < 0 || c.Used < 0 || c.Total < 0 {
				t.Fatalf("%+v", c)
			}
		}
	})
}

func FuzzPartitions(f *testing.F) {
	f.Add(readTestdata(f, "partitions-22.05.txt"), "ReservationName=r1 NodeCnt=1 CoreCnt=16 TRES=cpu=16 State=ACTIVE")
	f.Fuzz(func(t *testing.T, partitions, reservations string) {
		a := realAnswers(t)
		a.nodesText = strings.Replace(a.nodesText, "State=IDLE", "State=IDLE+RESERVED", 1)
		a.partitionsText, a.reservationsText = partitions, reservations
		s := testSource(a)
		if s.readCapacity(context.Background()) == nil {
			if c := s.capacity; c.Processors < 0 || c.Free < 0 || c.Processors > c.Total {
				t.Fatalf("%+v", c)
			}
			for _, p := range s.capacity.Partitions {
				if p.Processors < 0 || p.MaxProcessors < 0 {
					t.Fatalf("%+v", p)
				}
			}
		}
	})
}
