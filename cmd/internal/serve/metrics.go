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

// metrics are what Prometheus reads: the gauges, and how long requests took.
type metrics struct {
	gauges gauges

	mu       sync.Mutex
	requests map[answered]*durations
}

// answered is how a request was answered.
type answered struct {
	route  string
	status int
}

// durations are those of requests.
type durations struct {
	within [len(requestBuckets)]int64 // requests that took at most as long as a bucket's limit
	count  int64
	sum    float64 // s
}

func newMetrics(service Service, log *slog.Logger) *metrics {
	return &metrics{gauges: gauges{service: service, log: log}, requests: map[answered]*durations{}}
}

// observe counts a request that took so many seconds.
func (m *metrics) observe(a answered, seconds float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.requests[a]
	if d == nil {
		d = &durations{}
		m.requests[a] = d
	}
	for i, limit := range requestBuckets {
		if seconds <= limit {
			d.within[i]++
		}
	}
	d.count++
	d.sum += seconds
}

// ServeHTTP answers with all metrics.
func (m *metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	all := exposition{}
	all.add("build_info", "", 1, labels{"version": version.Number})
	m.expose(all)
	maps.Copy(all, m.gauges.get())
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	io.WriteString(w, all.String()) // whoever asked may be gone
}

// expose adds the histogram of requests.
func (m *metrics) expose(all exposition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range slices.SortedFunc(maps.Keys(m.requests), func(a, b answered) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	}) {
		d := m.requests[a]
		of := labels{"route": a.route, "code": strconv.Itoa(a.status)}
		bucket := maps.Clone(of)
		for i, limit := range requestBuckets {
			bucket["le"] = strconv.FormatFloat(limit, 'g', -1, 64)
			all.add(requestSeconds, "_bucket", float64(d.within[i]), bucket)
		}
		bucket["le"] = "+Inf"
		all.add(requestSeconds, "_bucket", float64(d.count), bucket)
		all.add(requestSeconds, "_sum", d.sum, of)
		all.add(requestSeconds, "_count", float64(d.count), of)
	}
}
