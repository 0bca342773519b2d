package serve

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/loadstone-hpc/loadstone/internal/version"
)

// metrics are what Prometheus reads.
type metrics struct {
	requests *prometheus.HistogramVec // s, by route and status
	handler  http.Handler
}

func newMetrics(service Service, log *slog.Logger) *metrics {
	m := &metrics{requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "loadstone_http_request_duration_seconds",
		Help:    "Time to answer an HTTP request, by route and status.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"route", "code"})}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "loadstone_build_info", Help: "The version that runs; always 1.",
		ConstLabels: prometheus.Labels{"version": version.Number},
	})
	build.Set(1)
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, build, &gauges{service: service, log: log},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: 8,
		ErrorHandling:       promhttp.ContinueOnError, // the other metrics are worth having
	})
	return m
}
