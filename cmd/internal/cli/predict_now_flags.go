package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
)

// nowOptions ask for the wait of a request that is submitted at one moment.
type nowOptions struct {
	state   string   // file of what runs and waits; empty: predict scores
	history []string // logs of what ended before
	at      string   // the moment; empty: the state's own
	sizes   []int64
	limit   float64 // s, requested; 0 for none
	queue   string  // name or number
	user    string
	policy  string
	queues  []int64
	draws   int

	speedup    []float64 // A and sigma
	sequential float64   // s, on one processor
	runTimes   map[int64]float64
}

// The predictors of --now. Those of heads, queues and bounds that are not here
// are for scores only.
var nowNames = []string{"downey-a-exact", "downey-b-queue", "drawn", "simulated", "estimates", "bmbp", "qbets"}

// onlyNowNames have no scores.
var onlyNowNames = []string{"downey-b-queue", "drawn"}

// nowFlags are flags that mean something with --now only, and scoreFlags those
// that mean something without it.
var (
	nowFlags   = []string{"at", "size", "time", "queue", "user", "policy", "queues", "draws", "speedup", "sequential", "run-times"}
	scoreFlags = []string{"quantile", "parameters", "months", "unbias", "estimate-factor", "calibration", "by", "predictions", "plots", "replicates", "require", "baseline", "max-drop", "sites", "interval-jobs", "first-jobs"}
)

// nowTexts are flags before they are read.
type nowTexts struct{ sizes, speedup, runTimes string }

func addNowFlags(cmd *cobra.Command, o *nowOptions) *nowTexts {
	t := &nowTexts{}
	o.policy = sched.EASY{}.Name()
	f := cmd.Flags()
	f.StringVar(&o.state, "now", "", "predict the wait of a request on the machine of this `state`: squeue or sacct output, or any log; the arguments are logs of its history")
	f.StringVar(&o.at, "at", "", "`moment` of the state: its seconds, or a time such as 2024-05-31T14:30:00 (default: the latest that it shows)")
	f.StringVar(&t.sizes, "size", "", "`processors` of the request: a number, numbers by commas, or a range such as 1-64 (1, 2, 4, ... 64)")
	f.Float64Var(&o.limit, "time", 0, "`seconds` that the request asks for")
	f.StringVar(&o.queue, "queue", "", "queue of the request: a `name` or number of the state or of its history")
	f.StringVar(&o.user, "user", "", "user of the request, likewise: a `name` or number")
	enumFlag(cmd, &o.policy, "policy", "who starts next on the machine", policyNames())
	f.Int64SliceVar(&o.queues, "queues", nil, "queue `numbers`, the most urgent first, for --policy priority")
	f.IntVar(&o.draws, "draws", predict.DefaultDraws, "schedules that 'drawn' simulates")
	f.StringVar(&t.speedup, "speedup", "", "`A,sigma` of a malleable request by Downey's model: says the size of the least turnaround; wants --sequential")
	f.Float64Var(&o.sequential, "sequential", 0, "`seconds` that the request would run on one processor")
	f.StringVar(&t.runTimes, "run-times", "", "run times by size in place of --speedup, such as `1=7200,4=2400,16=900`")
	return t
}

// predictArgs are one log to score, or with --now any number of logs.
func predictArgs(o *nowOptions) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if o.state == "" {
			return oneLog(cmd, args)
		}
		if i := slices.Index(args, ""); i >= 0 {
			return fmt.Errorf("the name of log %d is empty: want files of history", i+1)
		}
		if dashes := append([]string{o.state}, args...); count(dashes, "-") > 1 {
			return fmt.Errorf("standard input can be read only once, saw %q", dashes)
		}
		return nil
	}
}

func count(list []string, s string) int {
	n := 0
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}

// checkNow reads and checks the options of --now, and finds flags of the one
// kind with the other.
func (o *predictOptions) checkNow(cmd *cobra.Command, t *nowTexts, args []string) error {
	n := &o.now
	chosen := cmd.Flags().Changed("predictors")
	if n.state == "" {
		for _, flag := range nowFlags {
			if cmd.Flags().Changed(flag) {
				return usagef(cmd, "--%s is for --now, the state of a machine", flag)
			}
		}
		for _, p := range onlyNowNames {
			if slices.Contains(o.predictors, p) {
				return usagef(cmd, "--predictors: %s is for --now, and has no score", p)
			}
		}
		return nil
	}
	n.history = args
	for _, flag := range scoreFlags {
		if cmd.Flags().Changed(flag) {
			return usagef(cmd, "--%s is for scores, not for --now", flag)
		}
	}
	if !chosen {
		o.predictors = nowNames
	}
	for _, p := range o.predictors {
		if !slices.Contains(nowNames, p) {
			return usagef(cmd, "--predictors: %s is not for --now: want %s", p, strings.Join(nowNames, ", "))
		}
	}
	var err error
	switch {
	case t.sizes == "":
		return usagef(cmd, "--size is missing: the processors of the request")
	case cmd.Flags().Changed("time") && !(n.limit > 0 && !math.IsInf(n.limit, 1)):
		return usagef(cmd, "--time %g: want a number of seconds above 0", n.limit)
	case n.draws < 1 || n.draws > predict.MaxDraws:
		return usagef(cmd, "--draws %d: want 1 to %d", n.draws, predict.MaxDraws)
	case n.policy == (sched.Priority{}).Name() && len(n.queues) == 0:
		return usagef(cmd, "--policy priority: want --queues, queue numbers with the most urgent first")
	case n.policy != (sched.Priority{}).Name() && len(n.queues) > 0:
		return usagef(cmd, "--queues is for --policy priority, and this is %s", n.policy)
	case t.speedup != "" && t.runTimes != "":
		return usagef(cmd, "--speedup and --run-times both say how long the request runs: leave one away")
	case (t.speedup != "") != cmd.Flags().Changed("sequential"):
		return usagef(cmd, "want --speedup and --sequential together, or neither")
	}
	if n.sizes, err = parseSizes(t.sizes); err != nil {
		return usagef(cmd, "--size: %w", err)
	}
	if n.speedup, err = parseSpeedup(t.speedup); err != nil {
		return usagef(cmd, "--speedup: %w", err)
	}
	if n.runTimes, err = parseRunTimes(t.runTimes); err != nil {
		return usagef(cmd, "--run-times: %w", err)
	}
	if _, err = n.runs(); err != nil {
		return usagef(cmd, "--speedup %s with --sequential %g: saw %w", t.speedup, n.sequential, err)
	}
	if n.runTimes != nil && !slices.ContainsFunc(n.sizes, func(size int64) bool { _, ok := n.runTimes[size]; return ok }) {
		return usagef(cmd, "--run-times %s: has none of the sizes of --size %s", t.runTimes, t.sizes)
	}
	return nil
}

// runs is how long the request runs by size; nil where that was not said.
func (n *nowOptions) runs() (predict.RunBySize, error) {
	switch {
	case n.speedup != nil:
		return predict.RunBySpeedup(n.sequential, n.speedup[0], n.speedup[1])
	case n.runTimes != nil:
		return predict.RunByTable(n.runTimes)
	}
	return nil, nil
}

// maxSizes bounds the sizes of one request.
const maxSizes = 1000

// parseSizes reads "4", "1,2,4" and "1-64", which doubles. Sizes that ranges
// have in common are taken once.
func parseSizes(text string) ([]int64, error) {
	var sizes []int64
	add := func(n int64) {
		if !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	var items []string
	for _, item := range strings.Split(text, ",") {
		items = append(items, strings.TrimSpace(item))
	}
	if err := eachOnce(items); err != nil {
		return nil, err
	}
	for _, item := range items {
		first, last, isRange := strings.Cut(item, "-")
		from, err := strconv.ParseInt(first, 10, 32)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(last, 10, 32)
		}
		if err != nil || from < 1 || to < from {
			return nil, fmt.Errorf("saw %q, want numbers of processors from 1 on, such as 16, or 1,4,16, or 1-64", item)
		}
		for n := from; n < to; n *= 2 {
			add(n)
		}
		add(to)
	}
	if len(sizes) > maxSizes {
		return nil, fmt.Errorf("saw %d sizes, want at most %d", len(sizes), maxSizes)
	}
	return sizes, nil
}

func parseSpeedup(text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	a, sigma, two := strings.Cut(text, ",")
	x, err1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
	y, err2 := strconv.ParseFloat(strings.TrimSpace(sigma), 64)
	if !two || err1 != nil || err2 != nil {
		return nil, fmt.Errorf("saw %q, want the average parallelism and sigma, such as 32,1", text)
	}
	return []float64{x, y}, nil
}

func parseRunTimes(text string) (map[int64]float64, error) {
	if text == "" {
		return nil, nil
	}
	table := map[int64]float64{}
	for _, item := range strings.Split(text, ",") {
		size, run, _ := strings.Cut(strings.TrimSpace(item), "=")
		n, err1 := strconv.ParseInt(size, 10, 64)
		x, err2 := strconv.ParseFloat(run, 64)
		if _, twice := table[n]; err1 != nil || err2 != nil || twice || n < 1 || !(x > 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("saw %q, want sizes with their seconds above 0, each once, such as 1=7200,4=2400", item)
		}
		table[n] = x
	}
	return table, nil
}
