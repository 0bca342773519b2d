package capacity

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute. Opt fills in what is not given.
type Options struct {
	// Log is read to its end, not closed.
	Log *workload.Log

	Target string `opt:"target" common:"true" help:"what users are to be given, such as 'wait_p95 <= 1h', 'wait_mean <= 10m' or, of a class of --by, 'wait_p90(debug) <= 5m'" brief:"what users are to be given, such as 'wait_p95 <= 1h'"`

	Processors int64    `opt:"procs" in:"[1,)" common:"true" help:"processors of today's machine (default: the header's)"`
	Policies   []string `opt:"policies" open:"true" common:"true" help:"scheduling policies (default: easy)"`
	Estimates  string   `opt:"estimates" default:"user" help:"run times that policies plan with"`
	// By sorts jobs into classes, by columns of the job table.
	By    string  `opt:"by" common:"true" help:"<classes> whose waits are shown, such as partition, queue or user"`
	Price float64 `opt:"price" in:"(0,)" common:"true" help:"price of a processor for an hour, for the cost of a year"`

	Twins int    `opt:"twins" in:"[1,100]" default:"10" group:"Simulations" help:"twins of the log to simulate"`
	Seed  uint64 `opt:"seed" default:"1" help:"seed of the twins and of the interval"`
	// MostJobs bounds the time: jobs simulated in all, over workloads, machines and policies.
	MostJobs int64 `opt:"most-jobs" in:"[1,)" default:"25000000" help:"bound of the jobs simulated in all: near it fewer machines and twins are simulated"`

	// Simulated, if not nil, is called after each simulation, from several goroutines at once.
	Simulated func()
	Workers   int // goroutines, 0 for one per core; the result does not depend on it
}

// Choices are the values of options that take one of some.
func (o *Options) Choices(option string) []string {
	switch option {
	case "policies":
		return opt.Names(sched.Policies())
	case "estimates":
		return []string{"user", "perfect"}
	}
	return nil
}

// Grouping is that of ways to sort jobs.
func (o *Options) Grouping(option string) *workload.Grouping {
	if option == "by" {
		return &workload.Grouping{Submitted: true}
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be used.
func (o *Options) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	target, err := ParseTarget(o.Target)
	if err != nil {
		return err
	}
	if target.Class != "" && o.By == "" {
		return workload.OptionFault("target", target.Name, "`by` with it, the way to sort jobs into classes")
	}
	_, err = o.policies()
	return err
}

func (o *Options) policies() (all []sched.Policy, err error) {
	for _, name := range o.policyNames() {
		p, err := evaluate.PolicyNamed(name, nil)
		if err != nil {
			return nil, workload.OptionNamed("policies", err)
		}
		all = append(all, p)
	}
	return all, nil
}

func (o *Options) policyNames() []string {
	if len(o.Policies) == 0 {
		return []string{sched.EASY{}.Name()}
	}
	return o.Policies
}

// classes sorts jobs into classes by their label.
type classes struct {
	log     *workload.Log
	by      *workload.Classifier // nil for none
	numbers map[workload.ClassKey]int32
	names   []string
}

func (o *Options) classes() (c classes, err error) {
	c.log = o.Log
	if o.By != "" {
		c.numbers = map[workload.ClassKey]int32{}
		c.by, err = workload.ClassesOf(workload.SplitClasses(o.By), workload.Grouping{Submitted: true, Header: &o.Log.Header})
	}
	return c, workload.OptionNamed("by", err)
}

// of returns the number of a job's class.
func (c *classes) of(j *workload.Job) int32 {
	if c.by == nil {
		return 0
	}
	key := c.by.Key(j)
	n, ok := c.numbers[key]
	if !ok {
		n = int32(len(c.names))
		c.numbers[key] = n
		c.names = append(c.names, c.name(key))
	}
	return n
}

// name is the log's name of the value of a single column, or its number, else the label of the class.
func (c *classes) name(key workload.ClassKey) string {
	number := c.by.Value(key)
	if number == "" {
		return c.by.Label(key)
	}
	if name, ok := c.log.Header.NamesOf(c.by.Columns()[0].Column)[key[0]]; ok {
		return name
	}
	if names := c.log.Names(); names != nil {
		if name, ok := names.Text(workload.ColumnIndex(c.by.Columns()[0].Column), key[0]); ok {
			return name
		}
	}
	return number
}

// everyClass is the class of a target without one.
const everyClass = -1

// number returns the number of a target's class.
func (c *classes) number(t Target) (int32, error) {
	if t.Class == "" {
		return everyClass, nil
	}
	i := slices.Index(c.names, t.Class)
	if i < 0 {
		known := slices.Sorted(slices.Values(c.names))
		return 0, workload.OptionFault("target", t.Name, "a class that has jobs, such as %s", cmp.Or(known[0], "unknown"))
	}
	return int32(i), nil
}
