package capacity

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute, which fills in defaults for zero values.
type Options struct {
	// Log is read to its end but not closed.
	Log *workload.Log

	Target string `opt:"target" common:"true" help:"target for the waits of users, such as 'wait_p95 <= 1h', 'wait_mean <= 10m' or, of a class of --by, 'wait_p90(debug) <= 5m'" brief:"target for the waits of users, such as 'wait_p95 <= 1h'"`

	// Cluster is today's machine; nil means a machine of Processors processors.
	Cluster    *sched.Cluster
	Processors int64    `opt:"procs" in:"[1,)" common:"true" help:"processors of today's machine (default: the header's)"`
	Vary       string   `opt:"vary" default:"procs" common:"true" help:"what varies: procs, gpus (the nodes that have some), a pool of --machine, or time-limit=LIMITS such as time-limit=24h,48h, which needs no target"`
	Beyond     string   `opt:"beyond" default:"split" help:"treatment of jobs beyond a time limit: they run as a chain of jobs (split), end at the limit (cap), or are not submitted (refuse)"`
	Checkpoint float64  `opt:"checkpoint" in:"[0,)" unit:"seconds" help:"additional run time of each part but the first of a split job"`
	Policies   []string `opt:"policies" open:"true" default:"easy" common:"true" help:"scheduling policies"`
	// By sorts jobs into classes by columns of the job table.
	By    string  `opt:"by" classes:"submitted" for:"target" help:"<classes> whose waits are shown, such as partition, queue or user"`
	Price float64 `opt:"price" for:"target" in:"[0,1e12]" help:"price per hour of one unit of --vary, for the cost of a year"`

	Twins int    `opt:"twins" in:"[1,100]" default:"10" group:"Simulations" help:"twins of the log to simulate"`
	Seed  uint64 `opt:"seed" default:"1" help:"seed of the twins and of the interval"`
	// MostJobs limits the running time: it is the number of jobs simulated in all, over
	// workloads, machines and policies.
	MostJobs int64 `opt:"most-jobs" in:"[1,)" default:"25000000" help:"limit on the jobs simulated for a target; near it, fewer machines and twins are simulated"`

	// Simulated, if not nil, is called after each simulation, from several goroutines.
	Simulated func()

	Workers int // goroutines; 0 means one for each core. The result does not depend on it
}

// Choices returns the names that an option accepts; nil if they are not listed.
func (o *Options) Choices(option string) []string {
	switch option {
	case "policies":
		return opt.Names(sched.Policies())
	case "beyond":
		return []string{split, capped, refuse}
	}
	return nil
}

// question returns the target or, without one, the time limits.
func (o *Options) question() (target Target, limits []float64, err error) {
	if err = opt.Check(o); err == nil {
		limits, err = limitsOf(o.Vary)
	}
	switch {
	case err != nil:
	case limits == nil && (o.Beyond != split || o.Checkpoint > 0):
		err = workload.OptionFault("vary", o.Vary, "time limits with `beyond` and `checkpoint`, such as time-limit=24h")
	case limits == nil:
		target, err = ParseTarget(o.Target)
	case o.Target != "":
		err = workload.OptionFault("target", o.Target, "none with time limits")
	case o.Checkpoint >= slices.Min(limits):
		err = workload.OptionFault("checkpoint", o.Checkpoint, "less than the shortest limit, %g s", slices.Min(limits))
	}
	return target, limits, err
}

// labels returns a function that returns the label of a job's class: by Options.By or, without it
// and with a target for gpuClass, by whether the job has GPUs. Otherwise the label is "".
func (o *Options) labels(t Target) (func(*workload.Job) string, error) {
	switch {
	case o.By != "":
		by, err := workload.ClassesOf(workload.SplitClasses(o.By), opt.Grouping(o, "by", &o.Log.Header))
		names := evaluate.NamesOf(o.Log)
		return func(j *workload.Job) string { return label(by, by.Key(j), names) }, workload.OptionNamed("by", err)
	case t.Class == gpuClass:
		return func(j *workload.Job) string {
			if j.TakesGPUs > 0 {
				return gpuClass
			}
			return "no " + gpuClass
		}, nil
	case t.Class != "":
		return nil, workload.OptionFault("target", t.Name, "`by` with it, the way to sort jobs into classes")
	}
	return func(*workload.Job) string { return "" }, nil
}

// label returns the label of a class: for a single column the log's name of its value or, without
// one, the number; otherwise the label by the classifier.
func label(by *workload.Classifier, key workload.ClassKey, names func(column int, number int64) (string, bool)) string {
	number := by.Value(key)
	if number == "" {
		return by.Label(key)
	}
	if name, ok := names(workload.ColumnIndex(by.Columns()[0].Column), key[0]); ok {
		return name
	}
	return number
}

// gpuClass is the class of the jobs with GPUs, in a target without Options.By.
const gpuClass = "gpu"
