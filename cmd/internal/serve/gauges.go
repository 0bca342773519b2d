package serve

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
)

// metricHelp maps each metric to its help text. The metrics of the machine and of the answers take
// their values from fields of results with a tag "metric", which names the metric and, after a
// comma, may add a label. A field with a tag "label" is a label of the other fields.
var metricHelp = map[string]string{
	"build_info":                 "The version that runs; always 1.",
	requestSeconds:               "Time to answer an HTTP request, by route and status.",
	"ready":                      "1 if the service has learned and its state is fresh.",
	"poll_age_seconds":           "Age of the state on which answers are based.",
	"polls_total":                "Polls of the source.",
	"polls_failed_total":         "Polls of the source that failed.",
	"poll_duration_seconds":      "Time that the last poll took.",
	"poll_digest_seconds":        "Time that it took to learn from the last poll.",
	"store_bytes":                "Size of the journal.",
	"processors":                 "Processors in service.",
	"free_processors":            "Processors that are idle.",
	"jobs":                       "Jobs by state.",
	"partition_jobs":             "Jobs by partition and state; partitions with few jobs are summed as other.",
	"unavailable_processors":     "Processors on which no further job can start, by reason.",
	"partition_blocked":          "1 where no new job can start in a partition, with the reason; else 0.",
	"partition_processors":       "Processors by partition.",
	"predicted_wait_seconds":     "Bound on the wait of a request of size_class processors, from the recommended predictor.",
	"bound_answers_total":        "Jobs that were given a bound.",
	"bound_settled_total":        "Bounds whose outcome is known.",
	"bound_held_total":           "Settled bounds that held.",
	"bound_censored_total":       "Bounds of jobs that were withdrawn before the bound was reached.",
	"bound_coverage_ratio":       "Share of settled bounds that held.",
	"bound_pinball_loss_seconds": "Mean pinball loss of the bounds of jobs that started.",
}

// A machine may have thousands of partitions; only those with the most jobs get separate labels.
const (
	mostPartitions = 50 // with counts
	mostPredicted  = 16 // with predicted waits
	otherLabel     = "other"
	gaugesAge      = 5 * time.Second // after which they are read again
)

// sizeClasses are the sizes, in processors, of requests whose wait is predicted.
var sizeClasses = []int64{1, 8, 64, 512, 4096}

// gauges are the metrics of the machine and of the answers. They are read from the Service when
// scraped, but at most once in gaugesAge, so that scraping cannot slow down the answers.
type gauges struct {
	service Service
	log     *slog.Logger

	mu    sync.Mutex
	read  time.Time
	found exposition
}

// get returns the metrics whose values are known, reading them if they are older than gaugesAge.
func (g *gauges) get() exposition {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := time.Now(); g.read.IsZero() || now.Sub(g.read) >= gaugesAge {
		g.read, g.found = now, exposition{}
		g.ask()
	}
	return g.found
}

// ask reads the metrics from the Service. It recovers from a panic, since the metrics of requests
// remain useful.
func (g *gauges) ask() {
	defer func() {
		if fault := recover(); fault != nil {
			g.log.Error("panic", "route", metricsPath, "fault", fault, "stack", string(debug.Stack()))
			g.found = nil
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	st := g.service.Status()
	g.fields(reflect.ValueOf(st), nil)
	if jobs, err := g.service.Jobs(ctx, live.JobsQuestion{Limit: 1}); err == nil {
		crowded := g.partitions(jobs.Partitions)
		for _, p := range crowded[:min(len(crowded), mostPredicted)] {
			if st.Ready {
				g.waits(ctx, p)
			}
		}
	}
	if scores, err := g.service.Scores(); err == nil {
		for _, b := range scores.Bounds {
			g.fields(reflect.ValueOf(b), nil)
		}
	}
}

// fields adds the fields of a struct that are metrics, and those of the structs in it. around are
// the labels of an enclosing struct.
func (g *gauges) fields(v reflect.Value, around labels) {
	own := labels{}
	maps.Copy(own, around)
	for f, x := range v.Fields() {
		name, one, _ := strings.Cut(f.Tag.Get("metric"), ",")
		switch {
		case f.Tag.Get("label") != "":
			own[f.Tag.Get("label")] = label(fmt.Sprint(x))
		case name != "":
			all := maps.Clone(own)
			if key, value, ok := strings.Cut(one, "="); ok {
				all[key] = value
			}
			value := 0.0
			if x.Kind() != reflect.Bool {
				value = x.Convert(reflect.TypeFor[float64]()).Float()
			} else if x.Bool() {
				value = 1
			}
			if strings.HasSuffix(f.Tag.Get("json"), "_min") {
				value *= 60
			}
			g.found.add(name, "", value, all)
		case x.Kind() == reflect.Struct && f.IsExported():
			g.fields(x, own)
		}
	}
}

// partition holds the totals of the partitions with the same label.
type partition struct {
	Name       string `label:"partition"`
	Running    int    `metric:"partition_jobs,state=running"`
	Pending    int    `metric:"partition_jobs,state=pending"`
	Processors int64  `metric:"partition_processors"`
}

// partitions adds the counts by partition. It returns the partitions by decreasing number of jobs,
// one for each label.
func (g *gauges) partitions(all []live.Partition) (crowded []live.Partition) {
	all = slices.SortedFunc(slices.Values(all), func(a, b live.Partition) int {
		return cmp.Or(cmp.Compare(b.Running+b.Pending, a.Running+a.Pending), strings.Compare(a.Name, b.Name))
	})
	byName, sums := map[string]*partition{}, []*partition{}
	for i, p := range all {
		name := otherLabel
		if i < mostPartitions {
			name = label(p.Name)
		}
		sum := byName[name]
		if sum == nil {
			sum = &partition{Name: name}
			byName[name] = sum
			sums = append(sums, sum)
			crowded = append(crowded, p)
		}
		sum.Running, sum.Pending, sum.Processors = sum.Running+p.Running, sum.Pending+p.Pending, sum.Processors+p.Processors
	}
	for _, sum := range sums {
		g.fields(reflect.ValueOf(*sum), nil)
	}
	return crowded
}

// waits adds the recommended predictor's bounds for hypothetical requests in a partition, and
// whether and why the partition starts no jobs.
func (g *gauges) waits(ctx context.Context, p live.Partition) {
	for _, size := range sizeClasses {
		if p.MaxSize > 0 && size > p.MaxSize {
			return
		}
		answer, err := g.service.Wait(ctx, live.Request{Size: size, Partition: p.Name})
		if err != nil {
			continue
		}
		blocked, reason := 0.0, ""
		if answer.Withheld != nil {
			blocked, reason = 1, answer.Withheld.Reason
		}
		if size == 1 {
			g.found.add("partition_blocked", "", blocked, labels{"partition": label(p.Name), "reason": reason})
		}
		if blocked == 1 {
			return // larger requests are blocked too
		}
		if answer.Recommended == "" {
			continue
		}
		for _, b := range answer.Predictions[0].Bounds {
			g.found.add("predicted_wait_seconds", "", float64(b.Seconds), labels{
				"partition": label(p.Name), "size_class": fmt.Sprint(size), "level": fmt.Sprint(b.Quantile),
			})
		}
	}
}

// label returns a name as the value of a label: valid UTF-8, cut to at most 64 bytes.
func label(name string) string {
	const most = 64
	if len(name) > most {
		name = name[:most]
	}
	return strings.ToValidUTF8(name, "?")
}
