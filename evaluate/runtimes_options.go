package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimesOptions are the options of RunTimes. The zero value scores the
// predictors and classes of Sonmez and others (2009), without intervals.
type RunTimesOptions struct {
	// Predictors name rules, with their parameters if any, such as "es(alpha=0.3)". Empty
	// means runtime.PaperPredictorNames.
	Predictors []string `opt:"predictors" all:"true" open:"true" group:"Who predicts" common:"true" help:"predictors to score, such as last2,es(alpha=0.3)" brief:"predictors to score, or all"`
	// Classes are the ways of sorting jobs into classes: names from runtime.ClassesNames, or
	// columns joined by +, such as "user+queue". Each predictor is scored with each of them.
	// Empty means runtime.ClassesNames.
	Classes []string `opt:"classes" sorts:"true" common:"true" help:"ways of sorting jobs into classes: site, user, user-site, user-app-size-site, all, or columns, such as user+size:4:16" brief:"<classes> of jobs to learn from, such as user,user+queue"`
	// Named defines the word "class" in Classes.
	Named []workload.NamedClass `opt:"class"`
	// Fallback scores each predictor also with a fallback: for each request it uses the last
	// of Classes that has a history for it.
	Fallback bool `opt:"fallback" help:"score each predictor also with all classes in turn, the last ones first, until one has a history"`
	// Own are custom predictors, scored together with the others; see the example of
	// RunTimes. The Predictor and Classes.Name of each make up its label, which must be
	// unique. Predictors keep what they learn, so use new ones for each call.
	Own []runtime.Entry
	// Programs are external programs that predict, scored together with the others,
	// with the classes ProgramClasses. RunTimes starts them, and stops them before it returns.
	Programs []outside.Command
	// UserEstimates also scores the users' estimates, once, as the predictor "estimate"
	// with the classes "all". If the log has no estimates, there is no such score.
	UserEstimates bool
	// Rules are the rules that Predictors can name; nil means runtime.Rules().
	Rules   []runtime.Rule
	Scoring `group:"Scores" of:"user"`
	// Against is the label of the predictor with which the others are compared in
	// RunTimeScore.Difference: predictor and classes joined by a comma, such as
	// "last2,user". That predictor must be scored. "" means "last2,user", or the first
	// predictor if that is not scored. Without Replicates nothing is compared.
	Against string `opt:"against" help:"<predictor,classes> that the others are compared with (default last2,user, or the first)"`
	// Predicted, if it is not nil, is called with every prediction, in order of
	// submission. An error that it returns ends the replay.
	Predicted func(RunTimePrediction) error

	table *predictions.Table // predictions to score instead of those of predictors; nil for none
}

// RunTimePrediction is the prediction of one predictor for one job. Job is
// valid until the next prediction and must not be changed.
type RunTimePrediction struct {
	JobID        int64         `json:"job_id" help:"the log's number of the job"`
	Classes      string        `json:"classes" help:"the way of sorting jobs into classes"`
	Predictor    string        `json:"predictor" help:"the predictor"`
	Seconds      float64       `json:"predicted_s" help:"predicted run time"`
	Actual       float64       `json:"actual_s" help:"run time"`
	Observations int           `json:"history_n" help:"past jobs that the prediction rests on"`
	Job          *workload.Job `json:"-"`
}

// RunTimesParts returns the ways of cutting a log into parts: by the length of jobs
// (short, medium and long: score.LengthOf), by site, and by calendar month.
func RunTimesParts() []string { return []string{"length", "site", "month"} }

// userEstimate is the name of package runtime's predictor that returns the user's estimate.
const userEstimate = "estimate"

// ProgramClasses is the name of the classes of external programs in results.
const ProgramClasses = "exec"

// Choices returns the names that an option accepts; nil if they are not listed.
func (o *RunTimesOptions) Choices(option string) []string {
	switch {
	case option == "by":
		return RunTimesParts()
	case option == "predictors" && o.Rules == nil:
		return runtime.PredictorNames()
	case option == "predictors":
		return opt.Names(o.Rules)
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *RunTimesOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	entries, err := o.Entries()
	if err != nil {
		return err
	}
	if err := programs(o.Programs).validate(); err != nil {
		return err
	}
	if err := o.validateLabels(entries); err != nil {
		return err
	}
	if o.Against == "" {
		return nil
	}
	return CheckScored("against", o.Against, workload.SplitList(o.Against), entries)
}

// validateLabels returns an error for entries whose labels, "predictor,classes", are ambiguous.
func (o *RunTimesOptions) validateLabels(entries []runtime.Entry) error {
	programs := len(entries) - len(o.Programs)
	own := programs - len(o.Own)
	seen := make(map[string]bool)
	for i, e := range entries {
		label, want := labelOf(e), ""
		switch {
		case e.Predictor == "" || len(workload.SplitList(e.Predictor)) > 1 || strings.Contains(e.Classes.Name, ","):
			want = "names of a predictor and of classes, without commas"
		case seen[label]:
			want = "each predictor once with the same classes"
		}
		if want != "" {
			option := "predictors"
			switch {
			case i >= programs:
				option = "exec"
				want += "; 'name: ./my.py' gives a program a name"
			case i >= own:
				option = "own"
			}
			return &workload.OptionError{Option: option, Saw: strconv.Quote(label), Want: want}
		}
		seen[label] = true
	}
	return nil
}

// CheckScored returns a *workload.OptionError unless of names one of the scored predictors:
// predictor and classes, or the predictor alone if it has no classes. text is the value of
// the option, as written.
func CheckScored(option, text string, of []string, entries []runtime.Entry) error {
	fault := func(want string) error {
		return &workload.OptionError{Option: option, Saw: strconv.Quote(text), Want: want}
	}
	if len(of) == 1 && slices.ContainsFunc(entries, func(e runtime.Entry) bool { return labelOf(e) == of[0] }) {
		return nil // it has no classes
	}
	if len(of) != 2 {
		return fault("a predictor and classes, such as last2,user")
	}
	var predictors, classes []string
	for _, e := range entries {
		if !slices.Contains(predictors, e.Predictor) {
			predictors = append(predictors, e.Predictor)
		}
		if !slices.Contains(classes, e.Classes.Name) {
			classes = append(classes, e.Classes.Name)
		}
	}
	switch {
	case !slices.Contains(predictors, of[0]):
		return fault(fmt.Sprintf("a predictor that is scored instead of %q: %s", of[0], strings.Join(predictors, ", ")))
	case !slices.Contains(classes, of[1]):
		return fault(fmt.Sprintf("classes that are scored instead of %q: %s", of[1], strings.Join(classes, ", ")))
	}
	return nil
}

// Entries returns the predictors that the options score: every predictor with
// every classification, then those with a fallback, then Own, then the
// programs, which are not started.
func (o *RunTimesOptions) Entries() ([]runtime.Entry, error) { return o.entries(nil) }

// entries is Entries for the log with a header, which may be nil.
func (o *RunTimesOptions) entries(h *workload.Header) ([]runtime.Entry, error) {
	if o.table != nil {
		return predictedEntries(o.table), nil
	}
	g := workload.Grouping{Named: o.Named, Header: h}
	entries, chained, err := runtime.Entries(g, o.Classes, o.Predictors, o.Rules)
	if err != nil {
		return nil, err
	}
	if o.UserEstimates {
		entries = append(entries, runtime.Entry{Predictor: userEstimate, Classes: runtime.Classes{Name: "all"}, Rules: o.Rules})
	}
	if o.Fallback {
		entries = append(entries, chained...)
	}
	entries = append(entries, o.Own...)
	for _, c := range o.Programs {
		entries = append(entries, runtime.Entry{Predictor: c.Label, Classes: runtime.Classes{Name: ProgramClasses}})
	}
	return entries, nil
}

// chain returns the classes of Fallback in the order in which they are tried; nil without it.
func (o *RunTimesOptions) chain() []string {
	if !o.Fallback {
		return nil
	}
	names := slices.Clone(o.Classes)
	if len(names) == 0 {
		names = runtime.ClassesNames()
	}
	slices.Reverse(names)
	return names
}

func (o *RunTimesOptions) against() string {
	if o.Against == "" {
		return "last2,user"
	}
	return strings.TrimSuffix(o.Against, ",")
}
