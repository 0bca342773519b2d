package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/workload"
)

const byKindPlot = "run-times-by-kind"

// need is what some job of a log has to have for a picture to be drawn.
type need struct {
	what string // with its article
	has  func(workload.Job) bool
}

var (
	needSubmit = need{"a time of submission", func(j workload.Job) bool { return !math.IsNaN(j.Submit) }}
	needWait   = need{"a known wait", func(j workload.Job) bool { return !math.IsNaN(j.Wait) }}
	needSize   = need{"a size", func(j workload.Job) bool { return j.Size > 0 }}
	needRun    = need{"a run time", func(j workload.Job) bool { return !math.IsNaN(j.Run) }}
	needQueue  = need{"a queue_id", func(j workload.Job) bool { return j.Queue != workload.Unknown }}
	needUser   = need{"a user", func(j workload.Job) bool { return j.User != workload.Unknown }}
	needSite   = need{"a site (partition_id)", func(j workload.Job) bool { return j.Partition != workload.Unknown }}
	needSpeeds = need{"a speedup", func(j workload.Job) bool { return j.AverageParallelism >= 1 }}
)

// doWithout are flags of commands that draw of a log what it lacks.
var doWithout = map[string]string{
	"grid":     "'-- --no-sites' treats it as a grid's",
	"allocate": "'-- --sigma 1' makes its jobs malleable",
}

// needsOf are those of a picture of one log: enough to say at once what no log
// without them can have. Where there are more, the command that draws says so.
func needsOf(k kindOfPicture) []need {
	switch k.command {
	case "grid":
		return []need{needSite}
	case "allocate":
		return []need{needSpeeds}
	}
	switch k.name {
	case "submissions", "interarrivals", "interarrivals-density", "interarrivals-qq", "interarrivals-pp", "daily-cycle", "weekly-cycle":
		return []need{needSubmit}
	case "run-times", "run-times-density", "run-times-qq", "run-times-pp", figure.RemainingName, byKindPlot:
		return []need{needRun}
	case "sizes", "sizes-density", "sizes-qq", "sizes-pp":
		return []need{needSize}
	case "work", "work-density", "work-qq", "work-pp", "run-times-by-size", figure.BySizeModelName, "share-by-size":
		return []need{needSize, needRun}
	case "run-times-by-queue":
		return []need{needQueue, needRun}
	case "lifetimes-drift", "run-time-accuracy", "run-time-accuracy-distribution", "run-time-error-distribution":
		return []need{needSubmit, needRun}
	case "run-time-best": // the finest classes are by user
		return []need{needSubmit, needRun, needUser}
	case "wait-scatter-bmbp", "wait-coverage":
		return []need{needWait}
	case figure.WaitSampleCoverageName, figure.WaitSampleLossName:
		return []need{needWait, needSize, needRun}
	case "wait-burst":
		return []need{needWait, needUser}
	case "wait-scatter-downey-a", "wait-scatter-downey-b", "wait-scatter-simulated", figure.WaitAccuracyName, figure.WaitErrorName:
		return []need{needSubmit, needSize, needRun}
	case "twin-load", "twin-queue", "twin-waits":
		return []need{needSubmit, needSize, needRun}
	case "twin-users":
		return []need{needSubmit, needUser}
	case "wait-burst-simulated":
		return []need{needSubmit, needSize, needRun, needUser}
	}
	return nil
}

// lacking says what a log has not that pictures need, by their names. It reads
// until some job has what each of them needs.
func (a *app) lacking(ctx context.Context, input string, kinds []kindOfPicture) (map[string]string, error) {
	log, err := a.reopen(input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	lacks := map[string]string{}
	open := map[string][]need{} // what no job so far has
	for _, k := range kinds {
		if needs := needsOf(k); len(needs) > 0 {
			open[k.name] = needs
		}
	}
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return nil, err
		}
		for name, needs := range open {
			if !slices.ContainsFunc(needs, func(n need) bool { return !n.has(j) }) {
				delete(open, name)
			}
		}
		if len(open) == 0 {
			break
		}
	}
	for _, k := range kinds {
		needs, lacking := open[k.name]
		if !lacking {
			continue
		}
		var what []string
		for _, n := range needs {
			what = append(what, n.what)
		}
		lacks[k.name] = "no job has " + strings.Join(what, " and ")
		if flag := doWithout[k.command]; flag != "" {
			lacks[k.name] += ": " + flag
		}
	}
	if clock, _ := log.Header.Clock(); !clock.Known {
		for _, name := range []string{"daily-cycle", "weekly-cycle"} {
			if lacks[name] == "" {
				lacks[name] = "the header does not say when the log began: hours are not known"
			}
		}
	}
	if _, ok := workload.FindKinds(&log.Header); !ok && lacks[byKindPlot] == "" {
		lacks[byKindPlot] = "no partition or queue in the header is called interactive: '-- --interactive column=value' says which jobs are"
	}
	return lacks, nil
}

// couldDraw is an error where a log lacks what the picture needs.
func (a *app) couldDraw(ctx context.Context, o plotOptions) error {
	if len(o.logs) != 1 || o.logs[0] == "-" || o.kind.name == byKindPlot || o.kind.byClass() && len(o.more) > 0 || doWithout[o.kind.command] != "" {
		return nil // standard input can be read once, and of the others the flags decide
	}
	lacks, err := a.lacking(ctx, o.logs[0], []kindOfPicture{o.kind})
	if why := lacks[o.kind.name]; err == nil && why != "" {
		return fmt.Errorf("%s: %s is not drawn: %s", o.logs[0], o.kind.name, why)
	}
	return nil // what else is wrong with the log is said by the command
}
