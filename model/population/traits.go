package population

import (
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// PerTrait has a value for each trait of a user: a number, or the quantiles of a stratum. Scores
// are normal scores, of the rank of a value among those of all jobs, bags or sessions.
type PerTrait[T float64 | []float64] struct {
	LnJobs          T `opt:"ln_jobs" in:"[0,21.4876]" repeats:"true"`          // ln of the number of jobs
	LnWork          T `opt:"ln_work" in:"[0,69]" repeats:"true"`               // ln of processor seconds
	LnSpan          T `opt:"ln_span" in:"[0,10.5058]" repeats:"true"`          // ln of the weeks from the first job to the last
	Active          T `opt:"active" in:"[0,1]" repeats:"true"`                 // share of these weeks that have jobs
	LnWeek          T `opt:"ln_week" in:"[-10.5058,0]" repeats:"true"`         // ln of the share of the work in the week with the most work
	LnAtOnce        T `opt:"ln_at_once" in:"[0,69]" repeats:"true"`            // ln of the processor seconds of work under way at a bag's submission, including the bag; each earlier bag counts as one job that ends at the mean of its ends: the quantile of 0.9 by the bags' work
	Days            T `opt:"days" in:"[0,7]" repeats:"true"`                   // mean number of days on which sessions begin, in weeks that have jobs
	BagOne          T `opt:"bag_one" in:"[0,1]" repeats:"true"`                // share of bags with one job
	BagMean         T `opt:"bag_mean" in:"[-10,10]" repeats:"true"`            // mean score of the jobs in the other bags
	BagSD           T `opt:"bag_sd" in:"[0,20]" repeats:"true"`                // and its standard deviation
	BagAlike        T `opt:"bag_alike" in:"[0,0.999]" repeats:"true"`          // correlation of the jobs in two bags of a session, and of the sizes of successive bags of several jobs
	BagAgain        T `opt:"bag_again" in:"[-0.999,0.999]" repeats:"true"`     // the same, for the last bag of a session and the first of the next
	BagRun          T `opt:"bag_run" in:"[-10,10]" repeats:"true"`             // slope of the score of the run time on the score of the jobs in the bag, within the user
	BagSize         T `opt:"bag_size" in:"[-10,10]" repeats:"true"`            // the same, of the size
	SessionOne      T `opt:"session_one" in:"[0,1]" repeats:"true"`            // share of sessions with one bag
	SessionMean     T `opt:"session_mean" in:"[-10,10]" repeats:"true"`        // mean score of the bags in the other sessions
	SessionSD       T `opt:"session_sd" in:"[0,20]" repeats:"true"`            // and its standard deviation
	SessionAgain    T `opt:"session_again" in:"[-0.999,0.999]" repeats:"true"` // correlation of the bags in two consecutive sessions
	SessionRun      T `opt:"session_run" in:"[-10,10]" repeats:"true"`         // slope of the score of the run time on the score of the bags in the session, within the user
	SessionSize     T `opt:"session_size" in:"[-10,10]" repeats:"true"`        // the same, of the size
	SizeMean        T `opt:"size_mean" in:"[-10,10]" repeats:"true"`           // mean score of the size
	SizeSD          T `opt:"size_sd" in:"[0,20]" repeats:"true"`               // and its standard deviation from template to template
	RunMean         T `opt:"run_mean" in:"[-10,10]" repeats:"true"`            // mean score of the run time among those of its size
	RunSD           T `opt:"run_sd" in:"[0,20]" repeats:"true"`                // and its standard deviation from template to template, besides that within a template
	RunWithin       T `opt:"run_within" in:"[0,20]" repeats:"true"`            // and within a template
	RunSame         T `opt:"run_same" in:"[0,20]" repeats:"true"`              // sd of the score's step from job to job within a template and a bag, over sqrt 2
	RunAgain        T `opt:"run_again" in:"[0,20]" repeats:"true"`             // the same, from bag to bag
	RunSweep        T `opt:"run_sweep" in:"[0,20]" repeats:"true"`             // the same, from the last job of a template to the first of the next in its bag
	RunDrift        T `opt:"run_drift" in:"[0,20]" repeats:"true"`             // the same, to the first of the next template in another bag
	SizeDrift       T `opt:"size_drift" in:"[-0.999,0.999]" repeats:"true"`    // autocorrelation of the score of the size from template to template
	SizeRun         T `opt:"size_run" in:"[-0.999,0.999]" repeats:"true"`      // correlation of the two from template to template
	ChangeInBag     T `opt:"change_in_bag" in:"[0,1]" repeats:"true"`          // probability that a job is of a different template than the previous one
	ChangeBetween   T `opt:"change_between" in:"[0,1]" repeats:"true"`         // the same, at the beginning of a bag
	ChangeSession   T `opt:"change_session" in:"[0,1]" repeats:"true"`         // the same, at the beginning of a session
	Follow          T `opt:"follow" in:"[0,25]" repeats:"true"`                // ln of the response time, s, of jobs whose end half of the next bags wait for
	WithinMean      T `opt:"within_mean" in:"[-10,10]" repeats:"true"`         // mean score of the gaps within a bag
	ApartMean       T `opt:"apart_mean" in:"[-10,10]" repeats:"true"`          // mean score of the gaps between bags
	DayCV           T `opt:"day_cv" in:"[0,1000]" repeats:"true"`              // coefficient of variation of the number of sessions that begin on a day, over days with any
	EstimateMean    T `opt:"estimate_mean" in:"[-10,10]" repeats:"true"`       // mean score of the estimate
	EstimateSD      T `opt:"estimate_sd" in:"[0,20]" repeats:"true"`           // and its standard deviation from template to template
	EstimateSame    T `opt:"estimate_same" in:"[0,1]" repeats:"true"`          // probability that a template has the estimate of the previous one
	EstimateRun     T `opt:"estimate_run" in:"[-0.999,0.999]" repeats:"true"`  // correlation of the estimate with the mean run time from template to template
	EstimateReached T `opt:"estimate_reached" in:"[0,1]" repeats:"true"`       // share of jobs that reached their estimate
	MemoryMean      T `opt:"memory_mean" in:"[-10,10]" repeats:"true"`         // as for estimates, of the memory
	MemorySD        T `opt:"memory_sd" in:"[0,20]" repeats:"true"`
	MemorySame      T `opt:"memory_same" in:"[0,1]" repeats:"true"`
	QueueMean       T `opt:"queue_mean" in:"[-10,10]" repeats:"true"` // as for estimates, of the queue
	QueueSD         T `opt:"queue_sd" in:"[0,20]" repeats:"true"`
	QueueSame       T `opt:"queue_same" in:"[0,1]" repeats:"true"`
	ApplicationNew  T `opt:"application_new" in:"[0,1]" repeats:"true"`  // probability that a template has an application new to its user
	ApplicationSame T `opt:"application_same" in:"[0,1]" repeats:"true"` // probability that a template has the application of the previous one
	ResourceMean    T `opt:"resource_mean" in:"[-10,10]" repeats:"true"` // as for estimates, of the resources among those of its size
	ResourceSD      T `opt:"resource_sd" in:"[0,20]" repeats:"true"`     // and its standard deviation from job to job
	ResourceSame    T `opt:"resource_same" in:"[0,1]" repeats:"true"`    // probability that a template has the resources of the last one of its size
}

// Traits holds the traits of a user, and Margins the quantiles of the traits in a stratum.
type (
	Traits  = PerTrait[float64]
	Margins = PerTrait[[]float64]
)

// NumTraits is the number of traits.
const NumTraits = int(unsafe.Sizeof(Traits{}) / unsafe.Sizeof(float64(0)))

// NumTraits returns the number of traits that are drawn for the users of the model. The last
// three, those of resources, are drawn only if the model has resources.
func (m *Model) NumTraits() int {
	if m.Asks(AsksResources) {
		return NumTraits
	}
	return NumTraits - 3
}

// All returns the values for all traits, in order, as a slice that shares the memory of p: its
// fields all have one type. It has to be fast, because it is used to draw users.
func (p *PerTrait[T]) All() []T { return unsafe.Slice(&p.LnJobs, NumTraits) }

// TraitName returns the name of the i-th trait in a file.
func TraitName(i int) string { return reflect.TypeFor[Traits]().Field(i).Tag.Get("opt") }

// The things that jobs request in addition to their size.
const (
	AsksTime = iota
	AsksMemory
	AsksQueue
	AsksResources // among those of the job's size
	NumAsks
)

// Asks returns the values of the three traits of a request of templates, one of AsksTime to
// AsksResources: the mean score, its standard deviation, and the probability that a template has
// the same request as the previous one.
func (p *PerTrait[T]) Asks(what int) (mean, sd, same *T) {
	switch what {
	case AsksTime:
		return &p.EstimateMean, &p.EstimateSD, &p.EstimateSame
	case AsksMemory:
		return &p.MemoryMean, &p.MemorySD, &p.MemorySame
	case AsksQueue:
		return &p.QueueMean, &p.QueueSD, &p.QueueSame
	}
	return &p.ResourceMean, &p.ResourceSD, &p.ResourceSame
}

// Asks reports whether the jobs of the model have a request, one of AsksTime to AsksResources.
func (m *Model) Asks(what int) bool {
	return [NumAsks]bool{m.Estimates.Values != nil, m.Memory.Values != nil, m.Queues.Values != nil, m.Resources.Sizes != nil}[what]
}

// Has reports whether the model has the part to which the i-th trait belongs. The name of the
// trait begins with that of the part.
func (m *Model) Has(i int) bool {
	part, _, _ := strings.Cut(TraitName(i), "_")
	switch part {
	case "estimate":
		return m.Asks(AsksTime)
	case "memory":
		return m.Asks(AsksMemory)
	case "queue":
		return m.Asks(AsksQueue)
	case "application":
		return m.Applications.Count > 0
	case "resource":
		return m.Asks(AsksResources)
	}
	return true
}

// Follows returns the probability that a bag waits for the end of the job
// before it, given that job's response time in seconds: 1/2 at exp(follow), and
// falling hyperbolically, like the probability that a session continues in
// Shmueli and Feitelson (TPDS 20, 2009).
func Follows(follow, response float64) float64 { return 1 / (1 + response*math.Exp(-follow)) }
