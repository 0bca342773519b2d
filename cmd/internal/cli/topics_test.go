package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
)

// TestTopicsNameEverything: what can be asked for by name is in the topic.
func TestTopicsNameEverything(t *testing.T) {
	want := map[string][]string{
		"formats": {"sacct", ".swf", "Grid", ".csv", ".parquet", ".arrow", ".arrows", ".batsim.json", "loadstone.fit/1"},
		"models":  slices.Concat(model.Presets(), model.Templates(), []string{model.Schema}),
		"predictors": slices.Concat(runtime.PredictorNames(), predict.BoundVariants(), []string{"-corrected"},
			slices.DeleteFunc(evaluate.WaitPredictors(), func(name string) bool { return strings.HasSuffix(name, "-corrected") }), []string{"simulated-easy", "simulated-easy-corrected"}, evaluate.ArrivalPredictors()),
	}
	for topic, names := range want {
		got := loadstone(t, "", "help", topic)
		if got.code != exitDone {
			t.Errorf("%s: %d %s", topic, got.code, got.err)
		}
		words := strings.FieldsFunc(got.out, func(r rune) bool { return strings.ContainsRune(" \n,;\"'", r) })
		for _, name := range names {
			if !slices.Contains(words, name) {
				t.Errorf("help %s does not name %s", topic, name)
			}
		}
	}
}

// TestManualPages: a page for each command and topic, the same bytes each time.
func TestManualPages(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "man"), t.TempDir()
	for _, dir := range []string{one, two} {
		if got := loadstone(t, "", "man", dir); got.code != exitDone || got.out != "" {
			t.Fatalf("%d %s", got.code, got.err)
		}
	}
	for _, cmd := range (&app{}).root().Commands() {
		if cmd.Hidden || cmd.Name() == "help" { // which cobra leaves out
			continue
		}
		name := "loadstone-" + cmd.Name() + ".1"
		if cmd.IsAdditionalHelpTopicCommand() {
			name = "loadstone-" + cmd.Name() + ".7"
		}
		a, err := os.ReadFile(filepath.Join(one, name))
		if err != nil || !strings.Contains(string(a), ".SH NAME") || !strings.Contains(string(a), "loadstone-"+cmd.Name()) {
			t.Errorf("%s: %v", name, err)
		}
		// groff warns of lines that it cannot justify, and so does a package's linter.
		if !strings.Contains(string(a), "\n.ad l\n\n.SH NAME\n") {
			t.Errorf("%s is not flush left", name)
		}
		if b, err := os.ReadFile(filepath.Join(two, name)); err != nil || string(a) != string(b) {
			t.Errorf("%s differs from run to run: %v", name, err)
		}
	}
	page, err := os.ReadFile(filepath.Join(one, "loadstone-predictors.7"))
	if err != nil || !strings.Contains(string(page), ".EX") && !strings.Contains(string(page), ".nf") {
		t.Errorf("the table of predictors is not set as it stands: %v", err)
	}
	if got := loadstone(t, "", "man"); got.code != exitUsage || !strings.Contains(got.err, "want one folder") {
		t.Errorf("%d %s", got.code, got.err)
	}
}
