package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// knnHistory is how many of the last jobs of a class knn looks at.
const knnHistory = 100

// knn is the mean run time of the k jobs most like the one submitted, among
// the last hundred of the class to end: instance-based learning, as in Kapadia,
// Fortes and Brodley (1999), "Predictive application-performance modeling in a
// computational grid environment".
//
// The distance of two requests is a sum over what is known at submission: the
// absolute difference of the logarithms of the estimates and of the sizes, and
// 1 for each of user, application, queue and partition that differs. To this
// askedColumns add the difference of the logarithms of 1 + an amount, and 1 for an
// identifier that differs. What only one of the two has counts 1. Of jobs equally far the later to end is nearer.
type knn struct {
	Neighbours int `opt:"neighbours" in:"[1,100]" help:"how many similar jobs"`
	shelf      *shelf[knnClass]
	pool       *askedPool
	// scratch of predict: the nearest so far, the farthest of them last.
	distances, runs []float64
}

var _ starter = knn{}

type knnClass struct {
	jobs []knnJob // a ring, once it is full
	next int
}

type knnJob struct {
	lnTime, lnSize                      float64
	user, application, queue, partition int64
	asked                               int32 // of the pool
	run                                 float64
}

func (k knn) start() (rule, error) {
	return knn{k.Neighbours, &shelf[knnClass]{}, &askedPool{}, make([]float64, 0, k.Neighbours), make([]float64, 0, k.Neighbours)}, nil
}

func (knn) width() int { return 1 }

func (k knn) features(r *workload.Request) knnJob {
	j := knnJob{asked: k.pool.number(r), lnTime: math.NaN(), lnSize: math.NaN(), user: r.User, application: r.Application, queue: r.Queue, partition: r.Partition}
	if t, ok := limit(r); ok {
		j.lnTime = math.Log(t)
	}
	if r.Size > 0 {
		j.lnSize = math.Log(float64(r.Size))
	}
	return j
}

func (x *knnJob) distance(y *knnJob, pool *askedPool) float64 {
	d := gap(x.lnTime, y.lnTime) + gap(x.lnSize, y.lnSize) + pool.far(x.asked, y.asked, math.Ln2)
	if x.user != y.user {
		d++
	}
	if x.application != y.application {
		d++
	}
	if x.queue != y.queue {
		d++
	}
	if x.partition != y.partition {
		d++
	}
	return d
}

func gap(x, y float64) float64 {
	switch d := math.Abs(x - y); {
	case !math.IsNaN(d):
		return d
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	}
	return 1
}

func (r knn) observe(state []float64, _ int, j *workload.Job) {
	c := r.shelf.open(state)
	x := r.features(&j.Request)
	x.run = j.Run
	if len(c.jobs) < knnHistory {
		c.jobs = append(c.jobs, x)
		return
	}
	c.jobs[c.next] = x
	c.next = (c.next + 1) % knnHistory
}

func (r knn) predict(state []float64, _ int, q *workload.Request) workload.Prediction {
	c := r.shelf.at(state)
	x := r.features(q)
	distances, runs := r.distances[:0], r.runs[:0]
	for i := range c.jobs {
		y := &c.jobs[(c.next+len(c.jobs)-1-i)%len(c.jobs)] // the latest first
		d := x.distance(y, r.pool)
		at := len(distances)
		if at == r.Neighbours {
			if at--; distances[at] <= d {
				continue
			}
		} else {
			distances, runs = append(distances, 0), append(runs, 0)
		}
		for at > 0 && distances[at-1] > d {
			distances[at], runs[at] = distances[at-1], runs[at-1]
			at--
		}
		distances[at], runs[at] = d, y.run
	}
	sum := 0.0
	for _, run := range runs {
		sum += run
	}
	return workload.Prediction{Seconds: sum / float64(len(runs)), Observations: len(runs)}
}
