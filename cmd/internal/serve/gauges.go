package serve

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/loadstone-hpc/loadstone/live"
)

// gauges are metrics of the machine and of the answers. They are read from the Service at
// a scrape, at most once in so many seconds: scraping cannot slow the answers down.
type gauges struct {
	service Service
	log     *slog.Logger

	mu    sync.Mutex
	read  time.Time
	found []prometheus.Metric
}

const gaugesAge = 5 * time.Second

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("loadstone_"+name, help, labels, nil)
}

var (
	readyDesc      = desc("ready", "1 if the service has learned and its state is fresh.")
	ageDesc        = desc("poll_age_seconds", "Age of the state that answers rest on.")
	pollsDesc      = desc("polls_total", "Polls of the source.")
	failedDesc     = desc("polls_failed_total", "Polls of the source that failed.")
	pollDesc       = desc("poll_duration_seconds", "Time that the last poll took.")
	digestDesc     = desc("poll_digest_seconds", "Time that it took to learn from the last poll.")
	storeDesc      = desc("store_bytes", "Size of the journal.")
	processorsDesc = desc("processors", "Processors that can be had now.")
	freeDesc       = desc("free_processors", "Processors that are idle.")
	jobsDesc       = desc("jobs", "Jobs by state.", "state")
	partJobsDesc   = desc("partition_jobs", "Jobs by partition and state; partitions with few jobs are summed as other.", "partition", "state")
	lostDesc       = desc("unavailable_processors", "Processors on which no further job can start, by reason.", "reason")
	blockedDesc    = desc("partition_blocked", "1 where no new job can start in a partition, with the reason; else 0.", "partition", "reason")
	partProcDesc   = desc("partition_processors", "Processors by partition.", "partition")
	waitDesc       = desc("predicted_wait_seconds", "Bound of the wait of a request of so many processors, by the recommended predictor.", "partition", "size_class", "level")

	waitsDesc = desc("wait_seconds", "Waits of jobs that have started.")

	answersDesc  = desc("bound_answers_total", "Jobs that were given a bound.", "predictor", "level")
	settledDesc  = desc("bound_settled_total", "Bounds whose outcome is known.", "predictor", "level")
	censoredDesc = desc("bound_censored_total", "Bounds of jobs that were withdrawn before the bound was reached.", "predictor", "level")
	coverageDesc = desc("bound_coverage_ratio", "Share of settled bounds that held.", "predictor", "level", "window")
	lossDesc     = desc("bound_pinball_loss_seconds", "Mean pinball loss of the bounds of jobs that started.", "predictor", "level")

	startsDesc = desc("start_forecast_jobs", "Started jobs, by whose forecast of the start there is: ours, slurm or both.", "by", "window")
	errorDesc  = desc("start_error_median_seconds", "Median absolute error of forecasts of starts, on jobs with both.", "by", "window")
	ratioDesc  = desc("slurm_start_error_ratio", "Our median error of starts over the scheduler's own.", "window")
)

// Describe sends nothing: which metrics there are depends on what is known.
func (g *gauges) Describe(chan<- *prometheus.Desc) {}

// Collect sends what is known.
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := time.Now(); g.read.IsZero() || now.Sub(g.read) >= gaugesAge {
		g.read = now
		g.found = g.all()
	}
	for _, m := range g.found {
		to <- m
	}
}

// series gathers metrics.
type series []prometheus.Metric

func (s *series) gauge(d *prometheus.Desc, x float64, labels ...string) {
	*s = append(*s, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, x, labels...))
}

func (s *series) counter(d *prometheus.Desc, x float64, labels ...string) {
	*s = append(*s, prometheus.MustNewConstMetric(d, prometheus.CounterValue, x, labels...))
}

// all asks the Service. Prometheus calls it in a goroutine of its own, where a panic would
// end the program.
func (g *gauges) all() (found []prometheus.Metric) {
	defer func() {
		if fault := recover(); fault != nil {
			g.log.Error("panic", "route", metricsPath, "fault", fault, "stack", string(debug.Stack()))
			found = nil
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	var out series
	st := g.service.Status()
	out.status(&st)
	out.histogram(waitsDesc, g.service.Waits())
	if jobs, err := g.service.Jobs(ctx, live.JobsQuestion{Limit: 1}); err == nil {
		crowded := out.partitions(jobs.Partitions)
		if st.Ready {
			out.waits(ctx, g.service, crowded)
		}
	}
	if scores, err := g.service.Scores(); err == nil {
		out.scores(scores)
	}
	return out
}

func (s *series) histogram(d *prometheus.Desc, w live.Waits) {
	buckets := map[float64]uint64{}
	for i, end := range w.Ends {
		buckets[end] = w.Counts[i]
	}
	*s = append(*s, prometheus.MustNewConstHistogram(d, w.Count, w.Sum, buckets))
}

func (s *series) status(st *live.Status) {
	ready := 0.0
	if st.Ready {
		ready = 1
	}
	s.gauge(readyDesc, ready)
	s.gauge(ageDesc, float64(st.State.Age))
	s.counter(pollsDesc, float64(st.Polls))
	s.counter(failedDesc, float64(st.Failed))
	s.gauge(pollDesc, float64(st.Took))
	s.gauge(digestDesc, float64(st.Digest))
	s.gauge(storeDesc, float64(st.Store))
	s.gauge(processorsDesc, float64(st.State.Processors))
	s.gauge(freeDesc, float64(st.State.Free))
	for _, x := range st.State.Unavailable.Reasons() {
		s.gauge(lostDesc, float64(x.Processors), x.Reason)
	}
	s.gauge(jobsDesc, float64(st.State.Running), "running")
	s.gauge(jobsDesc, float64(st.State.Pending), "pending")
}

func (s *series) scores(scores *live.Scores) {
	for _, b := range scores.Bounds {
		labels := []string{label(b.Predictor), quantileLabel(b.Quantile)}
		s.counter(answersDesc, float64(b.Answers), labels...)
		s.counter(settledDesc, float64(b.Settled), labels...)
		s.counter(censoredDesc, float64(b.Censored), labels...)
		s.gauge(lossDesc, 60*float64(b.QuantileLoss), labels...)
		s.gauge(coverageDesc, float64(b.Coverage.Day), append(labels, "day")...)
		s.gauge(coverageDesc, float64(b.Coverage.Week), append(labels, "week")...)
		s.gauge(coverageDesc, float64(b.Coverage.All), append(labels, "all")...)
	}
	for _, f := range scores.Forecasts {
		s.gauge(startsDesc, float64(f.Ours), "ours", f.Window)
		s.gauge(startsDesc, float64(f.Theirs), "slurm", f.Window)
		s.gauge(startsDesc, float64(f.Both), "both", f.Window)
		s.gauge(errorDesc, 60*float64(f.OursMedian), "ours", f.Window)
		s.gauge(errorDesc, 60*float64(f.TheirsMedian), "slurm", f.Window)
		s.gauge(ratioDesc, float64(f.Ratio), f.Window)
	}
}

func quantileLabel(q float64) string { return strconv.FormatFloat(q, 'g', -1, 64) }
