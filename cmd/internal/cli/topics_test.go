package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
)

// TestTopicsNameEverything checks that everything that can be selected by name is in a topic.
func TestTopicsNameEverything(t *testing.T) {
	want := map[string][]string{
		"formats": {"sacct", ".swf", "Grid", ".csv", ".parquet", ".arrow", ".arrows", ".batsim.json", "loadstone.fit/1"},
		"models":  append(model.Presets(), model.Schema),
		"predictors": slices.Concat(runtime.PredictorNames(), predict.BoundVariants(), []string{"-corrected"},
			slices.DeleteFunc(evaluate.WaitPredictors(), func(name string) bool { return strings.HasSuffix(name, "-corrected") }), evaluate.ArrivalPredictors()),
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
