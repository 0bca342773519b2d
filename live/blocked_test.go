package live

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// If no job of its size can start, no start is predicted for a request or for a pending job, even
// one that would otherwise have started a moment before. Two jobs, one in each of two partitions of
// the same 8 processors, wait for another that runs for at most 100 s more.
func TestBlockedMachines(t *testing.T) {
	whole := func(lost watch.Unavailable) (watch.Capacity, int64) {
		now := 8 - lost.Down - lost.Drained - lost.Draining - lost.Reserved
		return watch.Capacity{Processors: now, Total: 8, Unavailable: lost}, now
	}
	polled := func(at float64, state watch.PartitionState, lost, ofOne watch.Unavailable) *Batch {
		c, now := whole(lost)
		_, one := whole(ofOne)
		c.Partitions = []watch.Partition{
			{Name: "one", Number: 1, Processors: one, Total: 8, MaxTime: math.Inf(1), State: state, Unavailable: ofOne, Default: true},
			{Name: "two", Number: 2, Processors: now, Total: 8, MaxTime: math.Inf(1), State: watch.Up, Unavailable: lost},
		}
		b := batch(at)
		b.Capacity = c
		return b
	}
	none := watch.Unavailable{}
	for _, c := range []struct {
		name        string
		state       watch.PartitionState
		lost, ofOne watch.Unavailable
		partition   string
		why         string // why a request is not answered; "" if it is
		starts      bool   // whether queued jobs of the partition may start
	}{
		{"idle", watch.Up, none, none, "", "", true},
		{"all drained", watch.Up, watch.Unavailable{Drained: 8}, watch.Unavailable{Drained: 8}, "",
			"unavailable: 0 of 8 processors of the partition one are available", false},
		{"no partition known", watch.Up, watch.Unavailable{Down: 2, Draining: 6}, none, "three",
			"unavailable: 0 of 8 processors of the machine are available", false},
		{"reserved", watch.Up, watch.Unavailable{Reserved: 5}, none, "two",
			"unavailable: 3 of 8 processors of the partition two are available", false},
		{"a partition that is down", watch.Down, none, none, "one", `partition-down: the partition one starts no new jobs: its state is "down"`, false},
		{"the default one", watch.Down, none, none, "", `partition-down: the partition one starts no new jobs: its state is "down"`, false},
		{"the other one", watch.Down, none, none, "two", "", true},
		{"draining", watch.Drain, none, none, "one", `partition-drain: the partition one starts no new jobs: its state is "drain"`, true},
		{"an unheard-of state", "asleep", none, none, "one", `partition-asleep: the partition one starts no new jobs: its state is "asleep"`, false},
		{"a partition that is drained", watch.Up, none, watch.Unavailable{Drained: 6}, "one",
			"unavailable: 2 of 8 processors of the partition one are available", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := polled(10, watch.Up, none, none)
			before := request(3, -10, 1)
			ended := started(*before, -6)
			ended.Run = 5
			first.Events = []watch.Event{submits(before), starts(before, -6), happened(workload.Finish, -1, ended)}
			jobs := []*workload.Job{request(0, 0, 8), request(1, 0, 4), request(2, 0, 4)}
			for i, j := range jobs {
				j.Time, j.Partition = 110, int64(max(1, i))
				first.Events = append(first.Events, submits(j))
			}
			first.Events = append(first.Events, starts(jobs[0], 4))
			feed := &script{batches: []*Batch{first, polled(20, c.state, c.lost, c.ofOne)}}
			for _, name := range []string{"one", "two", "three"} {
				feed.names.Number(workload.ColPartition, name)
			}
			s, ctx := ran(t, feed, DefaultOptions()), t.Context()
			a := jobtest.Must(s.Wait(ctx, Request{Size: 4, Partition: c.partition}))
			why := ""
			if a.Withheld != nil {
				why = a.Withheld.Reason + ": " + a.Withheld.Text
			}
			if why != c.why || a.Start != nil || a.Recommended != "" {
				t.Errorf("withheld: %s, want %s: %+v", why, c.why, a)
			}
			if planned := len(a.Predictions) == 1 && a.Predictions[0].Predictor == PlanName; planned != (why == "") {
				t.Errorf("%+v, want the simulated schedules where it is answered", a)
			}
			if why != "" && (a.Expected == a.Expected || len(a.Predictions)+len(a.LeftOut) > 0) {
				t.Errorf("%+v, want no prediction", a)
			}
			label := "101"
			if c.partition == "two" {
				label = "102"
			}
			j := jobtest.Must(s.Job(ctx, label))
			if c.partition == "three" {
				return // no jobs
			}
			if (j.Withheld == nil) != c.starts || (j.Job.Expected != nil) != c.starts {
				t.Errorf("job %s: %+v, expected %v; want one that may start: %v", label, j.Withheld, j.Job.Expected, c.starts)
			}
		})
	}
}

// A request without a partition is planned on the largest machine.
func TestPlannedByPartition(t *testing.T) {
	v := &view{plan: &plan{machines: []machine{
		{Snapshot: predict.Snapshot{Processors: 4}, partition: 1, missing: "small"},
		{Snapshot: predict.Snapshot{Processors: 8}, partition: 2, missing: "large"},
		{Snapshot: predict.Snapshot{Processors: 6}, partition: 3, missing: "middle"},
	}}}
	for partition, want := range map[int64]string{workload.Unknown: "large", 1: "small", 3: "middle", 4: "no schedule has been simulated of the partition"} {
		if f := v.planned(&workload.Request{Partition: partition}); f.Missing != want {
			t.Errorf("partition %d: %q, want %q", partition, f.Missing, want)
		}
	}
}
