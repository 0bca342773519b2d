package population

import "math"

// Trait is the index of a trait of a user.
type Trait int

// The traits of a user. Scores are normal scores: of a value's rank among those
// of all jobs, bags or sessions.
const (
	LnJobs          Trait = iota // ln of the number of jobs
	LnWork                       // ln of processor seconds
	LnSpan                       // ln of the weeks from the first job to the last
	Active                       // share of these weeks in which there are jobs
	Days                         // days on which sessions begin in a week that has jobs, a mean
	BagOne                       // share of the bags that are of one job
	BagMean                      // mean score of the jobs in the other bags
	BagSD                        // and its standard deviation
	BagAlike                     // correlation of the jobs in two bags of a session
	BagAgain                     // the same, in the last bag of a session and the first of the next
	BagRun                       // slope of the score of the run time on the score of the jobs in the bag, within the user
	BagSize                      // the same, of the size
	SessionOne                   // share of the sessions that are of one bag
	SessionMean                  // mean score of the bags in the other sessions
	SessionSD                    // and its standard deviation
	SessionAgain                 // the same, of the bags in a session
	SessionRun                   // slope of the score of the run time on the score of the bags in the session, within the user
	SessionSize                  // the same, of the size
	SizeMean                     // mean score of the size
	SizeSD                       // and its standard deviation from template to template
	RunMean                      // mean score of the run time among those of its size
	RunSD                        // and its standard deviation from template to template
	RunWithin                    // and within a template
	RunSame                      // sd of the score's step from job to job within a template and a bag, over sqrt 2
	RunAgain                     // the same, from bag to bag
	RunSweep                     // the same, from template to template within a bag
	RunDrift                     // the same, from template to template and bag to bag
	SizeDrift                    // the same, of sizes
	SizeRun                      // correlation of the two from template to template
	ChangeInBag                  // probability that a job is of another template than the one before
	ChangeBetween                // the same, at the begin of a bag
	ChangeSession                // the same, at the begin of a session
	Follow                       // ln of the response time, s, of the jobs whose end half the bags wait for
	WithinMean                   // mean score of the gaps within a bag
	ApartMean                    // mean score of the gaps between bags
	DayCV                        // coefficient of variation of the sessions that begin on a day, of days with any
	EstimateMean                 // mean score of the estimate
	EstimateSD                   // and its standard deviation from template to template
	EstimateSame                 // probability that a template asks for what the one before did
	EstimateRun                  // correlation of the estimate with the mean run time from template to template
	EstimateReached              // share of the jobs that reached it
	MemoryMean                   // as of estimates, of the memory
	MemorySD
	MemorySame
	QueueMean // as of estimates, of the queue
	QueueSD
	QueueSame
	ApplicationNew  // probability that a template is of an application new to its user
	ApplicationSame // probability that a template is of the application of the one before
	ResourceMean    // as of estimates, of the resources among those of its size
	ResourceSD      // and its standard deviation from job to job
	ResourceSame    // probability that a template has the resources of the last one of its size
	NumTraits
)

// Has reports whether the model has the parts to which a trait belongs.
func (m *Model) Has(t Trait) bool {
	switch {
	case t < EstimateMean:
		return true
	case t <= EstimateReached:
		return m.Estimates.Values != nil
	case t <= MemorySame:
		return m.Memory.Values != nil
	case t <= QueueSame:
		return m.Queues.Values != nil
	case t <= ApplicationSame:
		return m.Applications.Count > 0
	}
	return m.Resources.Sizes != nil
}

// Follows returns the probability that a bag waits for the end of the job
// before it, given that job's response time in seconds: 1/2 at exp(follow), and
// falling hyperbolically, like the probability that a session continues in
// Shmueli and Feitelson (TPDS 20, 2009).
func Follows(follow, response float64) float64 { return 1 / (1 + response*math.Exp(-follow)) }

var traitNames = [NumTraits]string{
	"ln_jobs", "ln_work", "ln_span", "active", "days", "bag_one", "bag_mean", "bag_sd", "bag_alike", "bag_again", "bag_run", "bag_size", "session_one", "session_mean", "session_sd", "session_again", "session_run", "session_size", "size_mean", "size_sd", "run_mean", "run_sd",
	"run_within", "run_same", "run_again", "run_sweep", "run_drift", "size_drift", "size_run", "change_in_bag", "change_between", "change_session",
	"follow", "within_mean", "apart_mean",
	"day_cv",
	"estimate_mean", "estimate_sd", "estimate_same", "estimate_run", "estimate_reached", "memory_mean", "memory_sd", "memory_same", "queue_mean", "queue_sd", "queue_same",
	"application_new", "application_same",
	"resource_mean", "resource_sd", "resource_same",
}

// Keys returns the names of the traits in a file, in their order.
func (Margins) Keys() []string { return traitNames[:] }

// String returns the name of the trait in a file.
func (t Trait) String() string { return traitNames[t] }

// Range returns the smallest and the largest allowed value of a trait.
func (t Trait) Range() (lo, hi float64) {
	switch t {
	case LnJobs:
		return 0, math.Log(MaxJobs)
	case LnWork:
		return 0, 69
	case Follow:
		return 0, 25
	case LnSpan:
		return 0, math.Log(MaxDays)
	case Days:
		return 0, 7
	case Active, BagOne, SessionOne, ChangeInBag, ChangeBetween, ChangeSession, EstimateSame, EstimateReached, MemorySame, QueueSame, ApplicationNew, ApplicationSame, ResourceSame:
		return 0, 1
	case BagAlike:
		return 0, .999
	case BagAgain, SessionAgain, SizeDrift, SizeRun, EstimateRun:
		return -.999, .999
	case DayCV:
		return 0, 1000
	case BagSD, SessionSD, SizeSD, RunSD, RunWithin, RunSame, RunAgain, RunSweep, RunDrift, EstimateSD, MemorySD, QueueSD, ResourceSD:
		return 0, 20
	}
	return -10, 10
}
