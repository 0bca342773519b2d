package live

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// crowd is a machine with so many jobs that wait and run, after some that have ended. Each
// later poll shows a few that start, end or are new.
type crowd struct {
	names            watch.Names
	pending, running int
	rng              *rand.Rand
	now              float64
	shown            atomic.Int64 // s, the time of the last poll
	row              int64
	waits, runs      []*workload.Job
	polls            int
}

func newCrowd(pending, running int) *crowd {
	return &crowd{pending: pending, running: running, rng: rand.New(rand.NewPCG(1, 2)), now: 1e6}
}

func (c *crowd) Name() string        { return "crowd" }
func (c *crowd) Replay(watch.Event)  {}
func (c *crowd) Now() float64        { return float64(c.shown.Load()) }
func (c *crowd) Interval() float64   { return 30 }
func (c *crowd) Names() *watch.Names { return &c.names }

func (c *crowd) job(submit float64) *workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row = c.row, c.row
	c.row++
	j.Submit, j.Processors, j.User, j.Partition = submit, int64(1)<<c.rng.IntN(8), c.rng.Int64N(500), c.rng.Int64N(4)
	j.Size, j.Time = j.Processors, float64(60*(1+c.rng.IntN(24*60)))
	return &j
}

func (c *crowd) events(b *Batch, kind workload.EventKind, at float64, j *workload.Job) {
	copied := *j
	b.Events = append(b.Events, watch.Event{Kind: kind, Time: at, Job: &copied})
}

func (c *crowd) Next(context.Context) (*Batch, error) {
	b := &Batch{Capacity: watch.Capacity{Processors: 1 << 20, Total: 1 << 20}}
	c.now += 30
	if c.polls++; c.polls == 1 {
		for range 5000 {
			j := c.job(c.now)
			c.events(b, workload.Submit, c.now, j)
			j.Wait = c.rng.ExpFloat64() * 3600
			c.events(b, workload.Start, c.now, j)
			j.Run = c.rng.ExpFloat64() * 3600
			c.events(b, workload.Finish, c.now, j)
			c.now += 1
		}
		for i := range c.pending + c.running {
			j := c.job(c.now)
			c.events(b, workload.Submit, c.now, j)
			if i < c.running {
				j.Wait = c.rng.ExpFloat64() * 3600
				c.events(b, workload.Start, c.now, j)
				c.runs = append(c.runs, j)
			} else {
				c.waits = append(c.waits, j)
			}
		}
	} else {
		for range 100 {
			if i := c.rng.IntN(len(c.runs)); true {
				j := c.runs[i]
				j.Run = c.now - j.Submit - j.Wait
				c.events(b, workload.Finish, c.now, j)
				c.runs = slices.Delete(c.runs, i, i+1)
			}
			n := c.job(c.now)
			c.events(b, workload.Submit, c.now, n)
			c.waits = append(c.waits, n)
			j := c.waits[0]
			c.waits = c.waits[1:]
			j.Wait = c.now - j.Submit
			c.events(b, workload.Start, c.now, j)
			c.runs = append(c.runs, j)
		}
	}
	slices.SortStableFunc(b.Events, func(x, y watch.Event) int { return int(x.Time - y.Time) })
	b.Jobs = map[int64]*watch.Sighting{}
	for _, jobs := range [][]*workload.Job{c.waits, c.runs} {
		for _, j := range jobs {
			b.Jobs[j.Row] = &watch.Sighting{Job: *j, Label: fmt.Sprint(j.ID), Expected: math.NaN(), Priority: 1000 - j.Row%7}
		}
	}
	b.At = c.now
	c.shown.Store(int64(c.now))
	return b, nil
}
