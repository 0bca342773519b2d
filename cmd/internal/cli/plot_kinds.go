package cli

import (
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
)

// kindOfPicture is a picture that 'plot' draws of the result of a command.
type kindOfPicture struct {
	name    string
	what    string
	paper   string  // the figure that it is, "" for none
	picture string  // of the result; name where it is empty
	command string  // that has the result
	logs    int     // how many; 0 and 1 are one, 3 is three or more, noneOrOne and oneOrTwo are what they say
	preset  options // of the command: what is not drawn is not computed
	drawn   options // and those where the least logs are given that it takes
}

// byFlag is the flag of the classes that a picture has side by side.
const byFlag = "by"

// byClass says whether the picture is of classes side by side, which the flags
// behind -- may change.
func (k kindOfPicture) byClass() bool { return k.preset[byFlag] != "" }

// options are values of a command's flags, by their names.
type options map[string]string

// noneOrOne is of pictures that can do without a log: the command draws one.
const noneOrOne = -1

// oneOrTwo is of pictures of a log and its twin, which is drawn from the log where
// none is given.
const oneOrTwo = -2

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
		preset := options{"attribute": of.attribute, "site": tables.SiteNone}
		kinds = append(kinds,
			kindOfPicture{name: of.name, what: "distribution of " + of.words + ", and those fitted to it", paper: of.paper, command: "fit", preset: preset},
			kindOfPicture{name: of.name + "-density", what: "its density", command: "fit", preset: preset},
			kindOfPicture{name: of.name + "-qq", what: "quantiles of the log against those of the laws", command: "fit", preset: preset},
			kindOfPicture{name: of.name + "-pp", what: "shares of the log against those of the laws", command: "fit", preset: preset})
	}
	model := options{"family": "exponential", "attribute": "run_time"} // the site's own laws are drawn
	kinds = append(kinds,
		kindOfPicture{name: "remaining-lifetimes", what: "how much longer jobs of some age run", paper: "Downey (1997), queue times, figure 2", command: "fit", preset: options{"attribute": "run_time", "site": tables.SiteNone}},
		kindOfPicture{name: "run-times-by-size", what: "distributions of run times in ranges of sizes, with the distribution of each", paper: "Lublin and Feitelson (2003), figures 4 and 5", command: "fit", preset: model},
		kindOfPicture{name: figure.BySizeModelName, what: "the same, with the model of p(size)", paper: "Lublin and Feitelson (2003), figure 7", command: "fit", preset: model},
		kindOfPicture{name: "run-times-by-queue", what: "distributions of run times in the largest queues, or other classes (--by)", paper: "Downey (1997), queue times, figures 3 and 6", command: "fit", preset: options{"attribute": "run_time", byFlag: "queue_id"}},
		kindOfPicture{name: byKindPlot, what: "of interactive and of batch jobs", paper: "Lublin and Feitelson (2003), figure 10", command: "fit", preset: options{"attribute": "run_time", byFlag: "kind"}},
		kindOfPicture{name: "lifetimes-drift", what: "distributions of run times in stretches of four months, with their laws", paper: "Downey (1997), queue times, figure 7", command: "lifetimes", preset: options{"months": "4"}},
		kindOfPicture{name: "share-by-size", what: "p(size), the share of the shorter run times", command: "fit", preset: model},
		kindOfPicture{name: "daily-cycle", what: "jobs by half hour of the day, with the Gamma fitted to them", paper: "Lublin and Feitelson (2003), figures 8 and 9", command: "fit", preset: model},
		kindOfPicture{name: "weekly-cycle", what: "jobs by day of the week", command: "fit", preset: model},
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
			kinds = append(kinds, kindOfPicture{name: "wait-scatter-" + name, what: of.what, paper: of.paper, command: "predict", preset: options{"predictors": name}})
		}
	}
	sampled := options{"sample": "1000", "predictors": "bmbp,qbets,drawn,estimates"}
	kinds = append(kinds,
		kindOfPicture{name: figure.WaitAccuracyName, what: "distribution of the accuracy of predicted waits", paper: "Sonmez and others (2009), figure 4", command: "predict", preset: options{"predictors": "simulated,simulated-corrected"}},
		kindOfPicture{name: figure.WaitErrorName, what: "and of their absolute errors", paper: "Sonmez and others (2009), figure 4", command: "predict", preset: options{"predictors": "simulated,simulated-corrected"}},
		kindOfPicture{name: "wait-calibration", what: "shares that quantiles of the wait achieve", command: "predict", preset: options{"calibration": "true", "predictors": "downey-a-exact,bmbp,qbets"}},
		kindOfPicture{name: "wait-coverage", what: "shares that bounds cover over time", command: "predict", preset: options{"predictors": "bmbp,chebyshev,qbets"}},
		kindOfPicture{name: figure.WaitSampleCoverageName, what: "the same of all predictors on the same jobs", command: "predict", preset: sampled},
		kindOfPicture{name: figure.WaitSampleLossName, what: "the mean pinball loss of these bounds over time", command: "predict", preset: sampled},
		kindOfPicture{name: "wait-burst", what: "waits and bounds in a burst of one user's jobs", command: "predict", preset: options{"predictors": "bmbp,chebyshev"}},
		kindOfPicture{name: "wait-burst-simulated", what: "waits and predictions in such a burst, under FCFS", paper: "Sonmez and others (2009), figure 5", command: "predict", preset: options{"predictors": "simulated,simulated-corrected"}})
	for _, of := range figure.ComparedAttributes() {
		kinds = append(kinds, kindOfPicture{name: "two-" + of.Name, picture: of.Name, what: "distributions of " + strings.ReplaceAll(of.Name, "-", " ") + " of two workloads", command: "compare", logs: 2})
	}
	for _, p := range figure.TwinPictures() {
		kinds = append(kinds, kindOfPicture{name: p.Name, what: p.What, command: "compare", logs: oneOrTwo,
			preset: options{"schedule": "easy"}, drawn: options{"like": "true", "replicas": "20"}})
	}
	kinds = append(kinds, studyPictures()...)
	return append(kinds,
		kindOfPicture{name: "two-daily-cycles", picture: figure.DailyCyclesName, what: "jobs by half hour of two workloads, such as a log and its model", paper: "Lublin and Feitelson (2003), figure 9", command: "compare", logs: 2},
		kindOfPicture{name: figure.MapName, what: "who is like whom, of three or more workloads", paper: "Talby, Feitelson and Raveh (1999)", command: "compare", logs: 3})
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
	switch k.logs {
	case noneOrOne:
		return "none or one"
	case oneOrTwo:
		return "one or two"
	}
	return [...]string{1: "one", 2: "two", 3: "three or more"}[max(1, k.logs)]
}

// takes is how few and how many logs the picture is of.
func (k kindOfPicture) takes() (least, most int) {
	switch k.logs {
	case noneOrOne:
		return 0, 1
	case oneOrTwo:
		return 1, 2
	case 3:
		return 3, math.MaxInt
	}
	return max(1, k.logs), max(1, k.logs)
}

// studyPictures are those of the two scheduling studies.
func studyPictures() []kindOfPicture {
	const (
		malleable = "Downey (1997), processor allocation, figure "
		sonmez    = "Sonmez and others (2009), figure "
	)
	var kinds []kindOfPicture
	for _, of := range []struct {
		name, picture, what, paper string
		preset, drawn              options
	}{
		{"malleable-profiles", "parallelism-profiles", "processors that malleable jobs could use over their duration", malleable + "1", options{"strategies": "avg"}, options{"seeds": "1", "days": "1"}},
		{"malleable-speedup", "speedup", "speedup of malleable jobs by processors", malleable + "2", options{"strategies": "avg"}, options{"seeds": "1", "days": "1"}},
		{"malleable-work", "work", "distribution of malleable jobs' work", malleable + "3", options{"strategies": "avg"}, options{"seeds": "1"}},
		{"malleable-sizes", "sizes", "distribution of the sizes that they choose", malleable + "4", options{"strategies": "avg"}, options{"seeds": "1"}},
		{"malleable-waits", "waits-pred", "predicted and actual times until processors are free", malleable + "5", options{"strategies": "avg,pred"}, options{"seeds": "1"}},
		{"malleable-waits-bias", "waits-bias", "the same, predictions corrected by earlier outcomes", "", options{"strategies": "avg,bias"}, options{"seeds": "1"}},
		{"malleable-sweep-turnaround", "sweep-turnaround", "turnaround as a parameter varies (--sweep)", "", options{"strategies": "avg,opt,pred,bias"}, options{"sweep": "load=0.5,0.75,1", "seeds": "3", "days": "30"}},
		{"malleable-sweep-savings", "sweep-savings", "what single jobs save as a parameter varies", "", options{"strategies": "avg,opt,pred,bias"}, options{"sweep": "load=0.5,0.75,1", "seeds": "3", "days": "30"}},
	} {
		kinds = append(kinds, kindOfPicture{name: of.name, picture: of.picture, what: of.what, paper: of.paper, command: "allocate", logs: noneOrOne, preset: of.preset, drawn: of.drawn})
	}
	for _, of := range []struct{ name, what, figure string }{
		{"grid-wait", "distribution of waits in a grid under several policies (--grid)", "6"},
		{"grid-response", "the same of response times", "6"},
		{"grid-slowdown", "the same of bounded slowdowns", "6"},
		{"grid-clusters", "where the policies send the jobs", "7"},
	} {
		kinds = append(kinds, kindOfPicture{name: of.name, what: of.what, paper: sonmez + of.figure, command: "grid"})
	}
	return kinds
}
