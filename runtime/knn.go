package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// knnHistory is the number of last jobs of a class among which knn searches.
const knnHistory = 100

// knn predicts the mean run time of the jobs most similar to the submitted one, of the given
// number, among the last hundred of the class to end: instance-based learning, as in Kapadia,
// Fortes and Brodley (1999), "Predictive application-performance modeling in a
// computational grid environment".
//
// The distance of two requests is a sum over the columns known at submission: the
// absolute differences of the logarithms of the estimates and of the sizes, and
// 1 for each of user, application, queue and partition that differs. askedColumns
// add the absolute difference of the logarithms of 1 + amount, and 1 for each
// identifier that differs. A value known for only one of the two adds 1. Of jobs at equal
// distance, the later to end is nearer.
type knn struct {
	Neighbours int `opt:"neighbours" in:"[1,100]" help:"how many similar jobs"`
	jobs       ring[features]
}

func (k knn) New() Predictor { return &k }

// distance returns the distance of two requests.
func distance(x, y *features) float64 {
	d := gap(x.logTime, y.logTime) + gap(x.logSize, y.logSize) + apart(x.kind.asked, y.kind.asked, math.Ln2)
	return d + differ(x.kind.user, y.kind.user) + differ(x.kind.application, y.kind.application) + differ(x.kind.queue, y.kind.queue) + differ(x.kind.partition, y.kind.partition)
}

func (k *knn) Observe(j *workload.Job) {
	x := featuresOf(&j.Request, math.Log)
	x.run = j.Run
	k.jobs.put(x, knnHistory)
}

func (k *knn) Predict(r *workload.Request) (workload.Prediction, bool) {
	x := featuresOf(r, math.Log)
	// The nearest jobs so far, by ascending distance.
	type neighbour struct{ distance, run float64 }
	nearest := make([]neighbour, 0, knnHistory)
	for i := range k.jobs.all {
		y := &k.jobs.all[k.jobs.newest(i)]
		d := distance(&x, y)
		at := len(nearest)
		if at == k.Neighbours {
			if at--; nearest[at].distance <= d {
				continue
			}
		} else {
			nearest = nearest[:at+1]
		}
		for ; at > 0 && nearest[at-1].distance > d; at-- {
			nearest[at] = nearest[at-1]
		}
		nearest[at] = neighbour{d, y.run}
	}
	sum := 0.0
	for _, n := range nearest {
		sum += n.run
	}
	return fromJobs(len(nearest), sum/float64(len(nearest)))
}
