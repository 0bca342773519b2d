package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// pandasNames maps paths in testdata/describe.json, written by describe.py, to paths in a
// description: the first pattern that matches a path gives its counterpart. Paths that match no
// pattern belong to another description.
const pandasNames = `
^by_queue\.\d+\.value$ |
^(jobs|users|months)$ | $1
^sites$ | groups.partition_id.distinct
^processors$ | log.processors
^parallel$ | parallel_pct
^load$ | offered_load
^(columns\..*)$ | $1
^by_hour\.(\d+)$ | hour.$1
^by_weekday_from_monday\.(\d+)$ | weekday.$1
^by_queue\.(\d+)\.run\.(.*)$ | by.values.$1.run_time_s.$2
^by_queue\.(\d+)\.size\.(.*)$ | by.values.$1.size_processors.$2
^by_queue\.(\d+)\.load$ | by.values.$1.offered_load
^by_queue\.(\d+)\.(.*)$ | by.values.$1.$2
`

// flatten collects the numbers of a decoded JSON value by path; null is NaN.
func flatten(path string, v any, to map[string]float64) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			flatten(path+"."+key, x, to)
		}
	case []any:
		for i, x := range v {
			flatten(fmt.Sprint(path, ".", i), x, to)
		}
	case float64:
		to[path[1:]] = v
	case nil:
		to[path[1:]] = math.NaN()
	}
}

func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	jobtest.NoError(t, json.Unmarshal(text, &v))
	return v
}

// Sums of 30,000 numbers in a different order differ in the last digits.
func TestRealLogsAgainstPandas(t *testing.T) {
	data := jobtest.Must(os.ReadFile("testdata/describe.json"))
	logs := decoded(t, data).(map[string]any)["logs"].(map[string]any)
	if len(logs) != 2 {
		t.Fatalf("testdata/describe.json: %d logs", len(logs))
	}
	for name, reference := range logs {
		o, reference := DescribeOptions{Also: []string{"hour", "weekday"}}, reference.(map[string]any)
		if queues := reference["by_queue"].([]any); len(queues) > 0 {
			o.By = "queue_id"
			load := func(q any) float64 { return q.(map[string]any)["load"].(float64) }
			slices.SortStableFunc(queues, func(a, b any) int { return cmp.Compare(load(b), load(a)) }) // the largest first
		}
		d, err := Describe(t.Context(), jobtest.Open(t, name), o)
		if err != nil {
			t.Fatal(err)
		}
		text := jobtest.Must(json.Marshal(d))
		got, want := map[string]float64{}, map[string]float64{}
		flatten("", decoded(t, text), got)
		flatten("", reference, want)
		for _, b := range d.Also {
			for i, v := range b.Values {
				got[fmt.Sprintf("%s.%d", b.Column, i)] = float64(v.Jobs)
			}
		}
		compared := 0
		for path, x := range want {
			at := ""
			for _, line := range strings.Split(strings.Trim(pandasNames, "\n"), "\n") {
				pattern, replacement, _ := strings.Cut(line, " |")
				if form := regexp.MustCompile(pattern); form.MatchString(path) {
					at = form.ReplaceAllString(path, strings.TrimSpace(replacement))
					break
				}
			}
			y, ok := got[at]
			group, isCV := strings.CutSuffix(path, ".cv")
			switch {
			case at == "" || isCV && want[group+".known"] == 1: // pandas has no deviation of one value
				continue
			case strings.HasSuffix(at, "_pct"):
				x *= 100
			case strings.HasSuffix(at, ".known"):
				y -= got[strings.TrimSuffix(at, "known")+"negative"]
			}
			if compared++; !ok || math.Abs(y-x) > 1e-9*max(1, math.Abs(x)) || math.IsNaN(x) != math.IsNaN(y) {
				t.Errorf("%s: %s is %v, want %v", name, path, y, x)
			}
		}
		if compared < 75 {
			t.Errorf("%s: only %d figures compared", name, compared)
		}
	}
}
