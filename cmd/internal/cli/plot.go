package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// kindOfPicture is a picture that 'plot' draws by the command that has its
// numbers.
type kindOfPicture struct {
	name    string
	what    string
	paper   string   // the figure that it is, "" for none
	file    string   // as the command names it; name where it is empty
	command string   // with its flags that leave out what is not drawn
	logs    int      // how many; 3 is three or more
	args    []string // of the command
}

// kindsOfPictures are all, in the order of the list.
func kindsOfPictures() []kindOfPicture {
	kinds := []kindOfPicture{
		{name: "submissions", what: "jobs submitted over time, the busiest five minutes of each stretch", paper: "Sonmez and others (2009), figure 1", command: "describe"},
	}
	for _, of := range []struct{ name, attribute, words, paper string }{
		{"run-times", "run_time", "run times", "Downey (1997), queue times, figure 1; Lublin and Feitelson (2003), figure 3"},
		{"sizes", "size", "sizes", ""},
		{"work", "work", "size times run time", ""},
		{"interarrivals", "interarrival", "interarrival times", ""},
	} {
		args := []string{"--attribute", of.attribute, "--site", siteNone}
		kinds = append(kinds,
			kindOfPicture{name: of.name, what: "distribution of " + of.words + ", with the laws fitted to it", paper: of.paper, command: "fit", args: args},
			kindOfPicture{name: of.name + "-density", what: "its density", command: "fit", args: args},
			kindOfPicture{name: of.name + "-qq", what: "quantiles of the log against those of the laws", command: "fit", args: args},
			kindOfPicture{name: of.name + "-pp", what: "shares of the log against those of the laws", command: "fit", args: args})
	}
	of := []string{"--family", "exponential", "--attribute", "run_time"} // the site's own laws are drawn
	kinds = append(kinds,
		kindOfPicture{name: "remaining-lifetimes", what: "how much longer jobs of some age run", paper: "Downey (1997), queue times, figure 2", command: "fit", args: []string{"--attribute", "run_time", "--site", siteNone}},
		kindOfPicture{name: "run-times-by-size", what: "distributions of run times in ranges of sizes", paper: "Lublin and Feitelson (2003), figures 4 and 7", command: "fit", args: of},
		kindOfPicture{name: "run-times-by-queue", file: "run-times-by-queue_id", what: "distributions of run times in the largest queues", paper: "Downey (1997), queue times, figures 3 and 6", command: "fit", args: []string{"--attribute", "run_time", "--by", "queue_id"}},
		kindOfPicture{name: "run-times-by-kind", file: "run-times-by-kind", what: "of interactive and of batch jobs", paper: "Lublin and Feitelson (2003), figure 10", command: "fit", args: []string{"--attribute", "run_time", "--by", "kind"}},
		kindOfPicture{name: "lifetimes-drift", what: "distributions of run times in stretches of four months, with their laws", paper: "Downey (1997), queue times, figure 7", command: "fit", args: []string{"--lifetimes", "all", "--months", "4"}},
		kindOfPicture{name: "share-by-size", what: "p(size), the share of the shorter run times", command: "fit", args: of},
		kindOfPicture{name: "daily-cycle", what: "jobs by half hour of the day, with the Gamma fitted to them", paper: "Lublin and Feitelson (2003), figure 8", command: "fit", args: of},
		kindOfPicture{name: "weekly-cycle", what: "jobs by day of the week", command: "fit", args: of},
		kindOfPicture{name: "run-time-accuracy", what: "accuracy of run time predictors by classes", paper: "Sonmez and others (2009), figure 2", command: "runtime"},
		kindOfPicture{name: "run-time-best", what: "the best predictor without and with the finest classes", paper: "Sonmez and others (2009), figure 2d", command: "runtime"},
		kindOfPicture{name: "run-time-accuracy-distribution", what: "distribution of the accuracy of the best", paper: "Sonmez and others (2009), figure 3", command: "runtime"},
		kindOfPicture{name: "run-time-error-distribution", what: "and of its absolute error", paper: "Sonmez and others (2009), figure 3", command: "runtime"})
	for _, of := range []struct{ names, what, paper string }{
		{"downey-a,downey-b", "predicted and actual times at the head of the queue", "Downey (1997), queue times, figure 4"},
		{"simulated", "predicted and actual waits", ""},
		{"bmbp", "bounds and actual waits", ""},
	} {
		for _, name := range strings.Split(of.names, ",") {
			kinds = append(kinds, kindOfPicture{name: "wait-scatter-" + name, what: of.what, paper: of.paper, command: "predict", args: []string{"--predictors", name}})
		}
	}
	kinds = append(kinds,
		kindOfPicture{name: "wait-calibration", what: "shares that quantiles of the wait achieve", command: "predict", args: []string{"--predictors", "downey-a-exact,bmbp,qbets"}},
		kindOfPicture{name: "wait-coverage", what: "shares that bounds cover over time", command: "predict", args: []string{"--predictors", "bmbp,chebyshev,qbets"}},
		kindOfPicture{name: "wait-burst", what: "waits and bounds in a burst of one user's jobs", command: "predict", args: []string{"--predictors", "bmbp,chebyshev"}},
		kindOfPicture{name: "wait-burst-simulated", what: "waits and predictions in such a burst, under FCFS", paper: "Sonmez and others (2009), figure 5", command: "predict", args: []string{"--predictors", "simulated,simulated-corrected"}})
	for _, of := range comparedPlots {
		kinds = append(kinds, kindOfPicture{name: "two-" + of.name, file: of.name, what: "distributions of " + strings.ReplaceAll(of.name, "-", " ") + " of two workloads", command: "compare", logs: 2})
	}
	return append(kinds,
		kindOfPicture{name: "two-daily-cycles", file: dayPlot, what: "jobs by half hour of two workloads", command: "compare", logs: 2},
		kindOfPicture{name: mapPlot, what: "who is like whom, of three or more workloads", paper: "Talby, Feitelson and Raveh (1999)", command: "compare", logs: 3})
}

func pictureNames() []string {
	var names []string
	for _, k := range kindsOfPictures() {
		names = append(names, k.name)
	}
	return names
}

// inputs is how many logs the picture is of, in words.
func (k kindOfPicture) inputs() string {
	return [...]string{1: "one", 2: "two", 3: "three or more"}[max(1, k.logs)]
}

type plotOptions struct {
	kind   kindOfPicture
	logs   []string
	more   []string // flags of the command that draws
	output string
	list   bool
	result resultOptions
}

func newPlotCmd(a *app, run func(context.Context, *app, plotOptions) error) *cobra.Command {
	var o plotOptions
	cmd := &cobra.Command{
		Use:   "plot WHAT LOG... -o FILE [-- FLAGS]",
		Short: "Draw one picture of a log",
		Long: `Draws one of the pictures that the commands draw with --plots, into FILE, as its
extension says: ` + strings.Join(pictureFormats, ", ") + `. --list lists them, with the command each is from
and the figure of the papers that it is. What stands behind -- are flags of that
command.`,
		Example: `  loadstone plot --list
  loadstone plot run-times KTH-SP2-1996.swf.gz -o run-times.svg
  loadstone plot run-times kth.swf -o hyper-gamma.pdf -- --family hyper-gamma,log-normal
  loadstone plot two-sizes before.parquet after.parquet -o sizes.png`,
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				o.more, args = args[at:], args[:at]
			}
			if o.list {
				if len(args)+len(o.more) > 0 || o.output != "" {
					return fmt.Errorf("--list goes alone, or with --format")
				}
				return nil
			}
			for _, flag := range o.more {
				if name, _, _ := strings.Cut(flag, "="); slices.Contains([]string{"--plots", "--output", "-o", "--format", "--predictions", "--per-job"}, name) {
					return fmt.Errorf("%s behind --: 'plot' writes the picture and nothing else", name)
				}
			}
			return o.read(args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return pictureNames(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !o.list && o.result.format != "" {
				return usagef(cmd, "--format is for --list: a picture is what its file's extension says")
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "file of the picture: "+strings.Join(pictureFormats, ", "))
	cmd.Flags().BoolVar(&o.list, "list", false, "list the pictures")
	addResultFlags(cmd, &o.result, false)
	return cmd
}

// read takes what is to be drawn and of what.
func (o *plotOptions) read(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want what to draw, one of %s, and a log", strings.Join(pictureNames(), ", "))
	}
	kinds := kindsOfPictures()
	i := slices.IndexFunc(kinds, func(k kindOfPicture) bool { return k.name == args[0] })
	if i < 0 {
		return fmt.Errorf("%q is none of %s", args[0], strings.Join(pictureNames(), ", "))
	}
	o.kind, o.logs = kinds[i], args[1:]
	if n, want := len(o.logs), max(1, o.kind.logs); n < want || n > want && want < 3 {
		return fmt.Errorf("%s takes %s, saw %d", o.kind.name, o.kind.inputs()+map[bool]string{true: " log", false: " logs"}[o.kind.logs < 2], n)
	}
	if o.output == "" {
		return fmt.Errorf("--output is missing: want the picture's file, such as %s.svg", o.kind.name)
	}
	if !slices.Contains(pictureFormats, o.format()) {
		return fmt.Errorf("%s: want a name that ends in .%s", o.output, strings.Join(pictureFormats, ", ."))
	}
	return nil
}

func (o *plotOptions) format() string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(o.output)), ".")
}

func runPlot(ctx context.Context, a *app, o plotOptions) error {
	if o.list {
		return a.put(o.result, listPictures())
	}
	if err := a.notOver(o.logs, o.output); err != nil {
		return err
	}
	folder := filepath.Dir(o.output)
	if _, err := os.Stat(folder); err != nil {
		return fileFault(folder, err)
	}
	if slices.Contains(o.more, "--help") || slices.Contains(o.more, "-h") {
		root := a.root()
		root.SetArgs([]string{o.kind.command, "--help"})
		return root.ExecuteContext(ctx)
	}
	a.only = &onePicture{name: cmp.Or(o.kind.file, o.kind.name), format: o.format(), file: o.output, why: errNotDrawn}
	// The command is run as it would be by hand, without its table and without
	// what it says of other things than the picture.
	out, quiet, zone, columns := a.Out, a.quiet, a.timezone, a.columns
	defer func() { a.Out = out }()
	a.Out = io.Discard
	root := a.root()
	a.quiet, a.timezone, a.columns = true, zone, columns
	root.SetArgs(slices.Concat([]string{o.kind.command}, o.logs, o.kind.args, []string{"--plots", folder}, o.more))
	if err := root.ExecuteContext(ctx); err != nil {
		return err
	}
	if !a.only.drawn {
		return fmt.Errorf("%s: %s is not drawn: %w", o.logs[0], o.kind.name, a.only.why)
	}
	a.quiet = quiet
	a.note("%s: drawn", o.output)
	return nil
}

type picturesJSON struct {
	Schema   string        `json:"schema"`
	Pictures []pictureJSON `json:"pictures"`
}

type pictureJSON struct {
	Name    string `json:"name"`
	What    string `json:"what"`
	Logs    string `json:"logs"` // one, two, three or more
	Command string `json:"command"`
	Figure  string `json:"figure"` // of a paper, "" for none
}

func listPictures() result {
	out := picturesJSON{Schema: "loadstone.pictures/1"}
	t := table{head: []string{"name", "logs", "command", "what", "figure"}}
	for _, k := range kindsOfPictures() {
		out.Pictures = append(out.Pictures, pictureJSON{k.name, k.what, k.inputs(), k.command, k.paper})
		t.add(k.name, k.inputs(), k.command, k.what, k.paper)
	}
	return result{text: t.writeTo, json: out, csv: t}
}
