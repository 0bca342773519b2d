package grid

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// simulation is the clusters, the broker, and what moves them.
type simulation struct {
	cfg      Config
	broker   broker
	yield    func(Placed, error) bool
	clusters []cluster
	largest  int64         // processors of the largest cluster
	sites    map[int64]int // clusters by the log's sites

	jobs      slots.Table[held] // those that run or wait
	submitted int64
	feedback  *feedback.Loop   // nil where the simulation is open
	ends      heap.Heap[int32] // slots of the jobs that run, by their ends, then by number
	active    []int32          // clusters whose queue may have something to start
	now       float64
}

// cluster is a cluster and what is on it.
type cluster struct {
	Cluster
	free    int64
	claimed int64 // processors of all jobs that run or wait
	queue   fifo
	active  bool // it is in simulation.active
}

// held is a job from its submission to its end.
type held struct {
	size     int64
	estimate estimate // by ECT
	start    float64  // s
	run      float64  // s, on its cluster
	queued   int64    // its number in the cluster's queue
	running  int32    // its place in ECT's heap of the cluster, -1 before it runs
	cluster  int32
	link     int32 // of simulation.feedback, where there is one
	number   int64 // position among the submissions

	predictedWait, predictedRun float64

	job workload.Job // with the run time and the user's estimate at speed 1
}

func newSimulation(cfg Config, yield func(Placed, error) bool) (*simulation, error) {
	if err := cfg.Grid.Validate(); err != nil {
		return nil, err
	}
	if cfg.Policy == nil {
		return nil, errors.New("grid: no policy")
	}
	s := &simulation{cfg: cfg, yield: yield, largest: cfg.Grid.Largest().Processors, now: math.Inf(-1)}
	s.sites = map[int64]int{}
	for i, c := range cfg.Grid.Clusters {
		if c.Partition.Known() {
			s.sites[int64(c.Partition)] = i
		}
		s.clusters = append(s.clusters, cluster{Cluster: c, free: c.Processors})
	}
	if cfg.Feedback {
		s.feedback = feedback.New(cfg.Warnings)
	}
	var err error
	s.broker, err = cfg.Policy.broker(s)
	return s, err
}

// submit has the broker say where a job goes.
func (s *simulation) submit(j *workload.Job, link int32) {
	slot := s.hold(j)
	s.jobs.At(slot).link = link
	if to := s.broker.submit(slot); to != hold {
		s.send(slot, to)
	}
}

// hold takes a job in, and returns its slot.
func (s *simulation) hold(j *workload.Job) int32 {
	nan := math.NaN()
	h := held{job: *j, size: j.Size, number: s.submitted, cluster: hold, running: -1, predictedWait: nan, predictedRun: nan}
	s.submitted++
	return s.jobs.Put(&h)
}

// send puts a job into a cluster's queue.
func (s *simulation) send(slot int32, to int) {
	c, j := &s.clusters[to], s.jobs.At(slot)
	j.cluster = int32(to)
	c.claimed += j.size
	j.queued = c.queue.push(waiting{slot, j.size, j.predictedRun})
	s.activate(int32(to))
}

func (s *simulation) activate(cluster int32) {
	if c := &s.clusters[cluster]; !c.active {
		c.active = true
		s.active = append(s.active, cluster)
	}
}

// advance moves the time on: starts what can start now, then finishes, jobs that
// were held back, and what starts at each instant, up to the finishes and the held
// back jobs of the given one. What starts at that instant waits for all its
// submissions.
func (s *simulation) advance(to float64) bool {
	for {
		if !s.start() {
			return false
		}
		t := s.feedback.First()
		if len(s.ends) > 0 {
			t = min(t, s.ends[0].At)
		}
		if t > to || (math.IsInf(t, 1) && len(s.ends) == 0) {
			s.now = to
			return true
		}
		s.now = t
		s.finish()
		s.feedback.Arrive(s.now, func(j *workload.Job, _ float64, link int32) bool {
			s.submit(j, link)
			return true
		})
		if s.now == to && !math.IsInf(to, 1) {
			return true
		}
	}
}

// finish ends the jobs whose time has come.
func (s *simulation) finish() {
	for len(s.ends) > 0 && s.ends[0].At <= s.now {
		slot := s.ends.Pop().Value
		j := s.jobs.At(slot)
		c := &s.clusters[j.cluster]
		c.free += j.size
		c.claimed -= j.size
		if s.feedback != nil {
			s.feedback.Finished(j.link, s.now)
		}
		s.broker.finished(slot)
		s.activate(j.cluster)
		s.jobs.Free(slot)
	}
}

// start starts what can start on the clusters, then what the broker releases.
func (s *simulation) start() bool {
	for {
		for k := 0; k < len(s.active); k++ {
			i := s.active[k]
			s.clusters[i].active = false
			if !s.startAt(i) {
				return false
			}
		}
		s.active = s.active[:0]
		slot, to, ok := s.broker.release()
		if !ok {
			return true
		}
		s.send(slot, to)
	}
}

// startAt starts the jobs at the head of a cluster's queue that fit.
func (s *simulation) startAt(i int32) bool {
	c := &s.clusters[i]
	for c.queue.len() > 0 {
		slot := c.queue.first()
		j := s.jobs.At(slot)
		if j.size > c.free {
			return true
		}
		c.queue.pop()
		c.free -= j.size
		j.start, j.run = s.now, j.job.Run/c.Speed
		end := s.now + j.run
		s.ends.Push(heap.Item[int32]{At: end, Seq: j.number, Value: slot})
		s.broker.started(slot)
		p := Placed{Job: j.job, Cluster: int(i), PredictedWait: j.predictedWait, PredictedRun: j.predictedRun}
		p.Job.Wait, p.Job.Run = s.now-j.job.Submit, j.run
		if end <= s.now { // a job without length ends before the next start
			s.finish()
		}
		if !s.yield(p, nil) {
			return false
		}
	}
	return true
}
