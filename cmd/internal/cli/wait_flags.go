package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/predict"
)

// requestTexts are flags before they are read.
type requestTexts struct {
	sizes, runTimes string
}

func addRequestFlags(cmd *cobra.Command, o *waitOptions) *requestTexts {
	t, q := &requestTexts{}, &o.query
	f := cmd.Flags()
	f.StringVar(&o.machine.At, "at", "", "`time` of the state: seconds, or such as 2024-05-31T14:30 (default: the latest)")
	f.StringVar(&t.sizes, "size", "", "`processors` requested: a number, several by commas, or a range such as 1-64 (1, 2, 4, ... 64)")
	f.Var((*flags.Seconds)(&q.Time), "time", "run time requested: `seconds`, or a time such as 2:00:00, 1-12:00 or 90m")
	f.StringVar(&q.Queue, "queue", "", "queue (QOS in Slurm), by `name` or number")
	f.StringVar(&q.Partition, "partition", "", "partition, by `name` or number: bounds from past waits are of its jobs")
	f.StringVar(&q.User, "user", "", "user, by `name` or number")
	flags.Policy(cmd, &q.Policy, "scheduling policy ('loadstone simulate' assumes fcfs)", policyNames())
	f.StringVar(&t.runTimes, "run-times", "", "run times by `size`, such as 1=7200,4=2400: adds the size of the least turnaround")
	return t
}

// check reads the texts and finds the faults of the options.
func (o *waitOptions) check(cmd *cobra.Command, t *requestTexts) error {
	q := &o.query
	var err error
	if cmd.Flags().Changed("time") && q.Time == 0 { // which is none in the library
		return flags.Usagef(cmd, "--time 0: want a number of seconds above 0")
	}
	o.sizes = t.sizes
	if q.Sizes, _, err = parseSizes(t.sizes, math.MaxInt64); err != nil {
		return flags.Usagef(cmd, "--size: %w", err)
	}
	if q.Run, err = t.run(cmd); err != nil {
		return err
	}
	if err := q.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	return nil
}

// run is how long the request runs by size; nil where that was not given.
func (t *requestTexts) run(cmd *cobra.Command) (predict.RunBySize, error) {
	if t.runTimes == "" {
		return nil, nil
	}
	table, err := parseRunTimes(t.runTimes)
	if err != nil {
		return nil, flags.Usagef(cmd, "--run-times: %w", err)
	}
	return predict.RunByTable(table)
}

// parseSizes reads "4", "1,2,4" and "1-64", which doubles. Sizes that ranges
// have in common are taken once. Ranges that begin at or below most end there, and ended
// are those that would not have.
func parseSizes(text string, most int64) (sizes []int64, ended []string, err error) {
	if text == "" {
		return nil, nil, nil
	}
	add := func(n int64) {
		if !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	var items []string
	for _, item := range strings.Split(text, ",") {
		items = append(items, strings.TrimSpace(item))
	}
	if err := flags.EachOnce(items); err != nil {
		return nil, nil, err
	}
	for _, item := range items {
		first, last, isRange := strings.Cut(item, "-")
		from, err := strconv.ParseInt(first, 10, 32)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(last, 10, 32)
		}
		if err != nil || from < 1 || to < from {
			return nil, nil, fmt.Errorf("saw %q, want processor counts of 1 or more, such as 16, or 1,4,16, or 1-64", item)
		}
		if isRange && from <= most && to > most {
			to, ended = most, append(ended, item)
		}
		for n := from; n < to; n *= 2 {
			add(n)
		}
		add(to)
	}
	return sizes, ended, nil
}

func parseRunTimes(text string) (map[int64]float64, error) {
	table := map[int64]float64{}
	for _, item := range strings.Split(text, ",") {
		size, run, _ := strings.Cut(strings.TrimSpace(item), "=")
		n, err1 := strconv.ParseInt(size, 10, 64)
		var seconds flags.Seconds
		err2 := seconds.Set(run)
		x := float64(seconds)
		if _, twice := table[n]; err1 != nil || err2 != nil || twice || n < 1 || !(x > 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("saw %q, want sizes with their seconds above 0, each once, such as 1=7200,4=2400", item)
		}
		table[n] = x
	}
	return table, nil
}
