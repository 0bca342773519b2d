package score

import (
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Curve is a curve of a log with the range of the same curve over its twins.
type Curve struct {
	Name   string
	Policy string // of a schedule; else ""
	Loop   string // the same: OpenLoop or ClosedLoop
	// X are days since the first submission, seconds of wait, or jobs of a user.
	X []float64
	A []float64 // of the log
	// Low, Middle and High are the 5, 50 and 95 % quantiles, at each X, of the
	// twins whose curves reach it; NaN if none does.
	Low, Middle, High []float64
	Twins             int
}

// The names of curves.
const (
	LoadByDay   = "load_by_day"   // offered load of each day
	JobsByUser  = "jobs_by_user"  // share of the users with X jobs or more
	QueuedByDay = "queued_by_day" // jobs that wait, on average over each day
	WaitsUpTo   = "waits_up_to"   // share of the jobs that wait for X or less
)

const (
	daySeconds = 86400.0
	// curveDays bounds the days of a curve.
	curveDays = 1 << 16
	// curveDecades and perDecade are of the fixed points of curves over a log axis:
	// from 1 to 10^8, 20 a decade.
	curveDecades, perDecade = 8, 20
)

// curvePoints are the fixed points of curves over a log axis.
var curvePoints = func() []float64 {
	x := make([]float64, curveDecades*perDecade+1)
	for i := range x {
		x[i] = math.Pow(10, float64(i)/perDecade)
	}
	return x
}()

// Curves accumulates the curves of one workload. Create it with NewCurves.
type Curves struct {
	first    float64   // submission, s
	capacity float64   // processor seconds a day; 0 where the machine is unknown
	load     []float64 // processor seconds by day of submission
	users    map[int64]int
	queues   []*QueueCurves
}

// QueueCurves accumulates the curves of one schedule. Create it with
// Curves.Queue.
type QueueCurves struct {
	policy, loop string
	first        float64
	begun, whole []float64 // changes of the queue's length by day: of the rest of that day, and of all days after
	waits        []int64   // jobs by the first point of curvePoints that the wait does not exceed
	jobs         int64
}

// NewCurves returns empty curves for jobs that are added in order of
// submission. first is the submission time of the first job, in seconds;
// processors is the size of the machine, 0 if it is unknown.
func NewCurves(first float64, processors int64) *Curves {
	return &Curves{first: first, capacity: float64(processors) * daySeconds, users: map[int64]int{}}
}

// Add adds a job of the workload.
func (c *Curves) Add(j *workload.Job) {
	if day, ok := dayOf(j.Submit - c.first); ok && j.Size > 0 && j.Run > 0 && finite(j.Run) {
		c.load = reach(c.load, day)
		c.load[day] += float64(j.Size) * j.Run
	}
	if j.User != workload.Unknown {
		c.users[j.User]++
	}
}

// Queue returns empty curves for a schedule of the workload. To be compared,
// workloads must have the same schedules in the same order.
func (c *Curves) Queue(policy, loop string) *QueueCurves {
	q := &QueueCurves{policy: policy, loop: loop, first: c.first, waits: make([]int64, len(curvePoints)+1)}
	c.queues = append(c.queues, q)
	return q
}

// Add adds a job with its wait.
func (q *QueueCurves) Add(j *workload.Job) {
	if !finite(j.Wait) || j.Wait < 0 {
		return
	}
	q.waits[sort.SearchFloat64s(curvePoints, j.Wait)]++
	q.jobs++
	q.change(j.Submit, 1)
	q.change(j.Submit+j.Wait, -1)
}

// change makes the queue longer by so many jobs from a time on.
func (q *QueueCurves) change(at, jobs float64) {
	day, ok := dayOf(at - q.first)
	if !ok {
		return
	}
	q.begun, q.whole = reach(q.begun, day), reach(q.whole, day)
	rest := float64(day+1) - (at-q.first)/daySeconds
	q.begun[day] += jobs * rest
	q.whole[day] += jobs
}

// queued are the jobs that wait on each day, on average.
func (q *QueueCurves) queued() []float64 {
	out := make([]float64, len(q.begun))
	jobs := 0.0
	for day := range out {
		out[day] = max(0, jobs+q.begun[day]) // rounding may leave less than nothing
		jobs += q.whole[day]
	}
	return out
}

// dayOf is the day of a time since the first submission, s; false outside of the
// days that a curve has.
func dayOf(since float64) (int, bool) {
	day := since / daySeconds
	return int(max(0, day)), day >= 0 && day < curveDays
}

// reach makes a curve long enough for a day.
func reach(x []float64, day int) []float64 {
	if day >= len(x) {
		x = append(x, make([]float64, day+1-len(x))...)
	}
	return x
}

// line is a curve of one workload.
type line struct {
	name, policy, loop string
	x, y               []float64
}

func (c *Curves) all() []line {
	var out []line
	if c.capacity > 0 && len(c.load) > 0 {
		out = append(out, byDay(line{name: LoadByDay}, c.load, c.capacity))
	}
	if len(c.users) > 0 {
		p := line{name: JobsByUser, x: curvePoints}
		var jobs []float64
		for _, n := range c.users {
			jobs = append(jobs, float64(n))
		}
		slices.Sort(jobs)
		for _, x := range p.x {
			p.y = append(p.y, 1-float64(sort.SearchFloat64s(jobs, x))/float64(len(jobs)))
		}
		out = append(out, p)
	}
	for _, q := range c.queues {
		if q.jobs == 0 {
			continue
		}
		out = append(out, byDay(line{name: QueuedByDay, policy: q.policy, loop: q.loop}, q.queued(), 1))
		p := line{name: WaitsUpTo, policy: q.policy, loop: q.loop, x: curvePoints}
		upTo := int64(0)
		for _, n := range q.waits[:len(p.x)] {
			upTo += n
			p.y = append(p.y, float64(upTo)/float64(q.jobs))
		}
		out = append(out, p)
	}
	return out
}

// byDay is a sum by day over that of a full one.
func byDay(p line, sum []float64, full float64) line {
	for day, v := range sum {
		p.x, p.y = append(p.x, float64(day)), append(p.y, v/full)
	}
	return p
}

// CompareCurves returns the curves of a log with the range of those of its
// twins, which have the same schedules. Curves by day end with the log. A curve
// whose data are unknown is left out.
func CompareCurves(log *Curves, twins []*Curves) []Curve {
	of := make([][]line, len(twins))
	for i, t := range twins {
		of[i] = t.all()
	}
	var out []Curve
	for _, a := range log.all() {
		c := Curve{Name: a.name, Policy: a.policy, Loop: a.loop, X: a.x, A: a.y}
		var same []line
		for _, b := range of {
			for _, p := range b {
				if p.name == a.name && p.policy == a.policy && p.loop == a.loop {
					same = append(same, p)
				}
			}
		}
		if c.Twins = len(same); c.Twins == 0 {
			continue
		}
		var y []float64
		for i := range a.x {
			y = y[:0]
			for _, p := range same {
				if i < len(p.y) {
					y = append(y, p.y[i])
				}
			}
			low, middle, high := missing, missing, missing
			if len(y) > 0 {
				slices.Sort(y)
				low, middle, high = stats.Quantile(y, .05), stats.Quantile(y, .5), stats.Quantile(y, .95)
			}
			c.Low, c.Middle, c.High = append(c.Low, low), append(c.Middle, middle), append(c.High, high)
		}
		out = append(out, c)
	}
	return out
}
