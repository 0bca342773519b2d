package population

import (
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// PerTrait has something of each trait of a user: a number, or the quantiles of a stratum.
// Scores are normal scores: of a value's rank among those of all jobs, bags or sessions.
type PerTrait[T float64 | []float64] struct {
	LnJobs          T `opt:"ln_jobs" in:"[0,21.4876]" repeats:"true"`          // ln of the number of jobs
	LnWork          T `opt:"ln_work" in:"[0,69]" repeats:"true"`               // ln of processor seconds
	LnSpan          T `opt:"ln_span" in:"[0,10.5058]" repeats:"true"`          // ln of the weeks from the first job to the last
	Active          T `opt:"active" in:"[0,1]" repeats:"true"`                 // share of these weeks in which there are jobs
	LnWeek          T `opt:"ln_week" in:"[-10.5058,0]" repeats:"true"`         // ln of the share of the work that is in the week with most
	LnAtOnce        T `opt:"ln_at_once" in:"[0,69]" repeats:"true"`            // ln of the processor seconds of work under way at a bag's submission, including the bag; each earlier bag counts as one job that ends at the mean of its ends: the quantile of 0.9 by the bags' work
	Days            T `opt:"days" in:"[0,7]" repeats:"true"`                   // days on which sessions begin in a week that has jobs, a mean
	BagOne          T `opt:"bag_one" in:"[0,1]" repeats:"true"`                // share of the bags that are of one job
	BagMean         T `opt:"bag_mean" in:"[-10,10]" repeats:"true"`            // mean score of the jobs in the other bags
	BagSD           T `opt:"bag_sd" in:"[0,20]" repeats:"true"`                // and its standard deviation
	BagAlike        T `opt:"bag_alike" in:"[0,0.999]" repeats:"true"`          // correlation of the jobs in two bags of a session
	BagAgain        T `opt:"bag_again" in:"[-0.999,0.999]" repeats:"true"`     // the same, in the last bag of a session and the first of the next
	BagRun          T `opt:"bag_run" in:"[-10,10]" repeats:"true"`             // slope of the score of the run time on the score of the jobs in the bag, within the user
	BagSize         T `opt:"bag_size" in:"[-10,10]" repeats:"true"`            // the same, of the size
	SessionOne      T `opt:"session_one" in:"[0,1]" repeats:"true"`            // share of the sessions that are of one bag
	SessionMean     T `opt:"session_mean" in:"[-10,10]" repeats:"true"`        // mean score of the bags in the other sessions
	SessionSD       T `opt:"session_sd" in:"[0,20]" repeats:"true"`            // and its standard deviation
	SessionAgain    T `opt:"session_again" in:"[-0.999,0.999]" repeats:"true"` // the same, of the bags in a session
	SessionRun      T `opt:"session_run" in:"[-10,10]" repeats:"true"`         // slope of the score of the run time on the score of the bags in the session, within the user
	SessionSize     T `opt:"session_size" in:"[-10,10]" repeats:"true"`        // the same, of the size
	SizeMean        T `opt:"size_mean" in:"[-10,10]" repeats:"true"`           // mean score of the size
	SizeSD          T `opt:"size_sd" in:"[0,20]" repeats:"true"`               // and its standard deviation from template to template
	RunMean         T `opt:"run_mean" in:"[-10,10]" repeats:"true"`            // mean score of the run time among those of its size
	RunSD           T `opt:"run_sd" in:"[0,20]" repeats:"true"`                // and its standard deviation from template to template
	RunWithin       T `opt:"run_within" in:"[0,20]" repeats:"true"`            // and within a template
	RunSame         T `opt:"run_same" in:"[0,20]" repeats:"true"`              // sd of the score's step from job to job within a template and a bag, over sqrt 2
	RunAgain        T `opt:"run_again" in:"[0,20]" repeats:"true"`             // the same, from bag to bag
	RunSweep        T `opt:"run_sweep" in:"[0,20]" repeats:"true"`             // the same, from template to template within a bag
	RunDrift        T `opt:"run_drift" in:"[0,20]" repeats:"true"`             // the same, from template to template and bag to bag
	SizeDrift       T `opt:"size_drift" in:"[-0.999,0.999]" repeats:"true"`    // the same, of sizes
	SizeRun         T `opt:"size_run" in:"[-0.999,0.999]" repeats:"true"`      // correlation of the two from template to template
	ChangeInBag     T `opt:"change_in_bag" in:"[0,1]" repeats:"true"`          // probability that a job is of another template than the one before
	ChangeBetween   T `opt:"change_between" in:"[0,1]" repeats:"true"`         // the same, at the begin of a bag
	ChangeSession   T `opt:"change_session" in:"[0,1]" repeats:"true"`         // the same, at the begin of a session
	Follow          T `opt:"follow" in:"[0,25]" repeats:"true"`                // ln of the response time, s, of the jobs whose end half the bags wait for
	WithinMean      T `opt:"within_mean" in:"[-10,10]" repeats:"true"`         // mean score of the gaps within a bag
	ApartMean       T `opt:"apart_mean" in:"[-10,10]" repeats:"true"`          // mean score of the gaps between bags
	DayCV           T `opt:"day_cv" in:"[0,1000]" repeats:"true"`              // coefficient of variation of the sessions that begin on a day, of days with any
	EstimateMean    T `opt:"estimate_mean" in:"[-10,10]" repeats:"true"`       // mean score of the estimate
	EstimateSD      T `opt:"estimate_sd" in:"[0,20]" repeats:"true"`           // and its standard deviation from template to template
	EstimateSame    T `opt:"estimate_same" in:"[0,1]" repeats:"true"`          // probability that a template asks for what the one before did
	EstimateRun     T `opt:"estimate_run" in:"[-0.999,0.999]" repeats:"true"`  // correlation of the estimate with the mean run time from template to template
	EstimateReached T `opt:"estimate_reached" in:"[0,1]" repeats:"true"`       // share of the jobs that reached it
	MemoryMean      T `opt:"memory_mean" in:"[-10,10]" repeats:"true"`         // as of estimates, of the memory
	MemorySD        T `opt:"memory_sd" in:"[0,20]" repeats:"true"`
	MemorySame      T `opt:"memory_same" in:"[0,1]" repeats:"true"`
	QueueMean       T `opt:"queue_mean" in:"[-10,10]" repeats:"true"` // as of estimates, of the queue
	QueueSD         T `opt:"queue_sd" in:"[0,20]" repeats:"true"`
	QueueSame       T `opt:"queue_same" in:"[0,1]" repeats:"true"`
	ApplicationNew  T `opt:"application_new" in:"[0,1]" repeats:"true"`  // probability that a template is of an application new to its user
	ApplicationSame T `opt:"application_same" in:"[0,1]" repeats:"true"` // probability that a template is of the application of the one before
	ResourceMean    T `opt:"resource_mean" in:"[-10,10]" repeats:"true"` // as of estimates, of the resources among those of its size
	ResourceSD      T `opt:"resource_sd" in:"[0,20]" repeats:"true"`     // and its standard deviation from job to job
	ResourceSame    T `opt:"resource_same" in:"[0,1]" repeats:"true"`    // probability that a template has the resources of the last one of its size
}

// Traits are the traits of a user, and Margins their quantiles in a stratum.
type (
	Traits  = PerTrait[float64]
	Margins = PerTrait[[]float64]
)

// NumTraits is the number of traits.
const NumTraits = int(unsafe.Sizeof(Traits{}) / unsafe.Sizeof(float64(0)))

// NumTraits returns how many of the traits, the first, are drawn for the users of the model:
// those of resources, which are the last, only if it has resources.
func (m *Model) NumTraits() int {
	if m.Asks(AsksResources) {
		return NumTraits
	}
	return NumTraits - 3
}

// All is what p has of each trait, in their order: its fields, which are all of one type, as a
// slice of the same memory. Users are drawn by it, so it has to be fast.
func (p *PerTrait[T]) All() []T { return unsafe.Slice(&p.LnJobs, NumTraits) }

// TraitName returns the name of the i-th trait in a file.
func TraitName(i int) string { return reflect.TypeFor[Traits]().Field(i).Tag.Get("opt") }

// What jobs ask for besides their size.
const (
	AsksTime = iota
	AsksMemory
	AsksQueue
	AsksResources // among those of its size
	NumAsks
)

// Asks returns what p has of the traits of something that templates ask for: the mean score,
// its standard deviation, and the probability that it is that of the template before.
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

// Asks reports whether the jobs of the model ask for something.
func (m *Model) Asks(what int) bool {
	return [NumAsks]bool{m.Estimates.Values != nil, m.Memory.Values != nil, m.Queues.Values != nil, m.Resources.Sizes != nil}[what]
}

// Has reports whether the model has the part to which the i-th trait belongs: the one that
// the trait's name begins with.
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
