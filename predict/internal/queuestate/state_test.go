package queuestate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The row of a job equals the one computed from the jobs under way, one by one.
func TestRowAgainstTheJobsOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := New()
	names := Names()
	type under struct {
		request workload.Request
		start   float64 // NaN while it waits
	}
	var jobs []under
	now, machine := 0.0, 0.0
	users, queues := map[int64]float64{}, map[int64]float64{} // the most processors running at once
	for i := range 3000 {
		now += math.Floor(r.ExpFloat64() * 100)
		switch k := r.IntN(3); {
		case k == 1 && len(jobs) > 20: // one starts or ends
			j := &jobs[r.IntN(len(jobs))]
			if math.IsNaN(j.start) {
				j.start = now
				s.Start(j.request.Row, now)
				break
			}
			s.End(j.request.Row, now)
			row := j.request.Row
			jobs = slices.DeleteFunc(jobs, func(u under) bool { return u.request.Row == row })
		case k == 2 && len(jobs) > 200: // one is withdrawn or ends
			row := jobs[0].request.Row
			s.End(row, now)
			jobs = jobs[1:]
		default:
			q := workload.UnknownJob().Request
			q.Row, q.Submit, q.User, q.Queue = int64(i), now, int64(r.IntN(5)), int64(r.IntN(2))
			q.Processors, q.Time = int64(1+r.IntN(8)), float64(100*(1+r.IntN(50)))
			want := map[string]float64{}
			busy, left, work, first := 0.0, 0.0, 0.0, math.NaN()
			waiting := map[string]float64{}
			for _, u := range jobs {
				p := float64(u.request.Processors)
				if !math.IsNaN(u.start) {
					busy += p
					left += p * max(0, u.start+u.request.Time-now)
					continue
				}
				work += p * u.request.Time
				if math.IsNaN(first) || u.request.Submit < first {
					first = u.request.Submit
				}
				waiting["jobs_waiting_all"]++
				if u.request.User == q.User {
					waiting["jobs_waiting_user"]++
					waiting["work_waiting_user"] += p * u.request.Time
				}
				if u.request.Queue == q.Queue {
					waiting["processors_waiting_queue"] += p
					waiting["work_waiting_queue"] += p * u.request.Time
				}
			}
			machine = max(machine, busy)
			for _, name := range []string{"jobs_waiting_all", "jobs_waiting_user", "processors_waiting_queue"} {
				want[name] = math.Log1p(waiting[name])
			}
			want["processors_running_all"] = math.Log1p(busy)
			want["work_left"] = math.Log1p(left)
			want["work_waiting_all"] = math.Log1p(work)
			want["age_of_first_waiting_all"] = math.Log1p(now - first)
			own := float64(q.Processors)
			want["time_to_drain"] = math.Log1p((left + work) / max(1, machine))
			want["time_to_drain_user"] = math.Log1p(waiting["work_waiting_user"] / max(own, users[q.User]))
			want["time_to_drain_queue"] = math.Log1p(waiting["work_waiting_queue"] / max(own, queues[q.Queue]))
			row := s.Row(&q, nil)
			for name, x := range want {
				got := row[slices.Index(names, name)]
				if math.Abs(got-x) > 1e-6 && !(math.IsNaN(got) && math.IsNaN(x)) {
					t.Fatalf("job %d: %s is %g, want %g", i, name, got, x)
				}
			}
			s.Submit(&q)
			jobs = append(jobs, under{q, math.NaN()})
		}
		busy, ofUser, ofQueue := 0.0, map[int64]float64{}, map[int64]float64{}
		for _, u := range jobs {
			if !math.IsNaN(u.start) {
				busy += float64(u.request.Processors)
				ofUser[u.request.User] += float64(u.request.Processors)
				ofQueue[u.request.Queue] += float64(u.request.Processors)
				users[u.request.User] = max(users[u.request.User], ofUser[u.request.User])
				queues[u.request.Queue] = max(queues[u.request.Queue], ofQueue[u.request.Queue])
			}
		}
		machine = max(machine, busy)
		if s.All.Most != machine {
			t.Fatalf("event %d: a machine of %g, want %g", i, s.All.Most, machine)
		}
	}
}

// A state forgets users and queues that have not appeared for a long time.
func TestForgets(t *testing.T) {
	s := New()
	for i := range 3 * memory {
		q := workload.UnknownJob().Request
		q.Row, q.Submit, q.User, q.Processors = int64(i), float64(i), int64(i), 1
		s.Submit(&q)
		s.Start(q.Row, q.Submit)
		s.End(q.Row, q.Submit)
	}
	if n := len(s.Users); n > 2*memory {
		t.Errorf("%d users, want at most %d", n, 2*memory)
	}
	if len(s.Jobs) != 0 || len(s.Ends) > memory {
		t.Errorf("%d jobs under way, %d times to come", len(s.Jobs), len(s.Ends))
	}
}
