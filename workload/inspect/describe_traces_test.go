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

// pandasNames are where a description has the figures of testdata/describe.json, by describe.py:
// the first pattern that a path there matches gives the path here. A path without one is of
// another description.
const pandasNames = `
^(known|size_groups)\..*$ |
^by_queue\.\d+\.value$ |
^(jobs|users|months)$ | $1
^sites$ | groups.partition_id.distinct
^processors$ | log.processors
^parallel$ | parallel_pct
^load$ | offered_load
^(columns\..*)$ | $1
^by_hour\.(\d+)$ | arrivals.by_hour.$1.jobs
^by_weekday_from_monday\.(\d+)$ | arrivals.by_weekday.$1.jobs
^monday_at_10$ | arrivals.by_weekday_and_hour.0.jobs_by_hour.10
^weeks\.(start|covered)\.(\d+)$ | load.intervals.$2.${1}_s
^weeks\.load\.(\d+)$ | load.intervals.$1.offered_load
^weeks\.jobs\.(\d+)$ | load.intervals.$1.jobs
^counts\.(\d+)\.width$ | bursts.counts.$1.interval_s
^counts\.(\d+)\.dispersion$ | bursts.counts.$1.dispersion_index
^counts\.(\d+)\.max_start$ | bursts.counts.$1.max_start_s
^counts\.(\d+)\.r\.(\d+)$ | bursts.counts.$1.autocorrelation.$2.r
^(counts\..*)$ | bursts.$1
^interarrivals\.(known|cv)$ | bursts.interarrivals.$1
^interarrivals\.(mean|max)$ | bursts.interarrivals.${1}_s
^interarrivals\.zero$ | bursts.interarrivals.zero_pct
^interarrivals\.r\.(\d+)$ | bursts.interarrivals.autocorrelation.$1.r
^relation\.log$ | sizes.pearson_log
^relation\.(.*)$ | sizes.$1
^by_queue\.(\d+)\.run\.(.*)$ | by.values.$1.run_time_s.$2
^by_queue\.(\d+)\.size\.(.*)$ | by.values.$1.size_processors.$2
^by_queue\.(\d+)\.load$ | by.values.$1.offered_load
^by_queue\.(\d+)\.(.*)$ | by.values.$1.$2
`

// flatten collects the numbers of a decoded JSON value by their paths; null is NaN.
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
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Sums of 30,000 numbers in another order differ in the last digits.
func TestRealLogsAgainstPandas(t *testing.T) {
	data, err := os.ReadFile("testdata/describe.json")
	if err != nil {
		t.Fatal(err)
	}
	logs := decoded(t, data).(map[string]any)["logs"].(map[string]any)
	if len(logs) != 2 {
		t.Fatalf("testdata/describe.json: %d logs", len(logs))
	}
	for name, reference := range logs {
		o, reference := DescribeOptions{Arrivals: true, Interval: 7 * 86400}, reference.(map[string]any)
		if queues := reference["by_queue"].([]any); len(queues) > 0 {
			o.By = "queue_id"
			load := func(q any) float64 { return q.(map[string]any)["load"].(float64) }
			slices.SortStableFunc(queues, func(a, b any) int { return cmp.Compare(load(b), load(a)) }) // the largest first
		}
		d, err := Describe(t.Context(), jobtest.Open(t, name), o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		got, want := map[string]float64{}, map[string]float64{}
		flatten("", decoded(t, text), got)
		flatten("", reference, want)
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
		if compared < 300 {
			t.Errorf("%s: only %d figures compared", name, compared)
		}
	}
}
