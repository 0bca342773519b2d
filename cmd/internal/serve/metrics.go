package serve

import (
	"cmp"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/loadstone-hpc/loadstone/internal/version"
)

const requestSeconds = "http_request_duration_seconds"

// requestBuckets are the upper limits, in seconds, of the histogram's buckets.
var requestBuckets = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// metrics are the metrics for Prometheus: the gauges and the durations of requests.
type metrics struct {
	gauges gauges

	mu       sync.Mutex
	requests map[requestKey]*histogram
}

// requestKey is the key by which requests are counted.
type requestKey struct {
	route  string
	status int
}

// histogram counts the durations of requests.
type histogram struct {
	buckets [len(requestBuckets)]int64 // requests that took at most the limit of each bucket
	count   int64
	sum     float64 // s
}

func newMetrics(service Service, log *slog.Logger) *metrics {
	return &metrics{gauges: gauges{service: service, log: log}, requests: map[requestKey]*histogram{}}
}

// observe counts a request and its duration in seconds.
func (m *metrics) observe(key requestKey, seconds float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.requests[key]
	if h == nil {
		h = &histogram{}
		m.requests[key] = h
	}
	for i, limit := range requestBuckets {
		if seconds <= limit {
			h.buckets[i]++
		}
	}
	h.count++
	h.sum += seconds
}

// ServeHTTP answers with all metrics.
func (m *metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	all := exposition{}
	all.add("build_info", "", 1, labels{"version": version.Number})
	m.expose(all)
	maps.Copy(all, m.gauges.get())
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	io.WriteString(w, all.String()) // an error means that the client has left
}

// expose adds the histogram of requests.
func (m *metrics) expose(all exposition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(m.requests), func(a, b requestKey) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	}) {
		h := m.requests[key]
		series := labels{"route": key.route, "code": strconv.Itoa(key.status)}
		bucket := maps.Clone(series)
		for i, limit := range requestBuckets {
			bucket["le"] = strconv.FormatFloat(limit, 'g', -1, 64)
			all.add(requestSeconds, "_bucket", float64(h.buckets[i]), bucket)
		}
		bucket["le"] = "+Inf"
		all.add(requestSeconds, "_bucket", float64(h.count), bucket)
		all.add(requestSeconds, "_sum", h.sum, series)
		all.add(requestSeconds, "_count", float64(h.count), series)
	}
}
