package serve

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
)

func TestMetrics(t *testing.T) {
	h := newServer(t, newFake(), Options{}).Handler()
	ask(h, "GET", "/v1/wait?size=1", "")
	ask(h, "GET", "/v1/wait", "")
	w := ask(h, "GET", "/metrics", "")
	text := "\n" + w.Body.String()
	for _, want := range []string{
		`loadstone_ready 1`,
		`loadstone_poll_age_seconds 12`,
		`loadstone_polls_total 3`,
		`loadstone_polls_failed_total 1`,
		`loadstone_jobs{state="running"} 3`,
		`loadstone_jobs{state="pending"} 2`,
		`loadstone_processors 128`,
		`loadstone_wait_seconds_bucket{le="60"} 2`,
		`loadstone_wait_seconds_bucket{le="3600"} 5`,
		`loadstone_wait_seconds_bucket{le="+Inf"} 7`,
		`loadstone_wait_seconds_sum 9000`,
		`loadstone_wait_seconds_count 7`,
		`loadstone_free_processors 28`,
		`loadstone_unavailable_processors{reason="drained"} 64`,
		`loadstone_unavailable_processors{reason="down"} 0`,
		`loadstone_partition_blocked{partition="batch",reason=""} 0`,
		`loadstone_partition_blocked{partition="closed",reason="partition-down"} 1`,
		`loadstone_partition_jobs{partition="batch",state="pending"} 2`,
		`loadstone_partition_processors{partition="<script>"} 4`,
		`loadstone_predicted_wait_seconds{level="0.5",partition="batch",size_class="64"} 300`,
		`loadstone_predicted_wait_seconds{level="0.95",partition="batch",size_class="1"} NaN`,
		`loadstone_bound_answers_total{level="0.95",predictor="bmbp"} 20`,
		`loadstone_bound_settled_total{level="0.95",predictor="bmbp"} 12`,
		`loadstone_bound_censored_total{level="0.95",predictor="bmbp"} 1`,
		`loadstone_bound_coverage_ratio{level="0.95",predictor="bmbp",window="day"} 0.9`,
		`loadstone_bound_coverage_ratio{level="0.95",predictor="bmbp",window="week"} 0.95`,
		`loadstone_bound_coverage_ratio{level="0.95",predictor="bmbp",window="all"} 0.96`,
		`loadstone_bound_pinball_loss_seconds{level="0.95",predictor="bmbp"} 120`,
		`loadstone_start_error_median_seconds{by="ours",window="day"} 60`,
		`loadstone_slurm_start_error_ratio{window="day"} 0.5`,
		`loadstone_http_request_duration_seconds_count{code="200",route="/v1/wait"} 1`,
		`loadstone_http_request_duration_seconds_count{code="400",route="/v1/wait"} 1`,
		`loadstone_build_info{version="`,
		`go_goroutines `, `process_resident_memory_bytes `,
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, `predicted_wait_seconds{partition="closed"`) {
		t.Error("a wait is predicted in a partition that starts no jobs")
	}
	if strings.Contains(text, `size_class="512"`) {
		t.Error("a size above the partition's largest is asked for")
	}
	if t.Failed() {
		t.Log(text)
	}
	promtool(t, text, "check", "metrics")
}

// promtool runs Prometheus' own checks on a text, if they are installed.
func promtool(t *testing.T, text string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skip("no promtool: the metrics are not checked by it")
	}
	c := exec.Command("promtool", args...)
	c.Stdin = strings.NewReader(strings.TrimLeft(text, "\n"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
}

// Thousands of partitions, names that are no text, and two that look alike make few
// labels.
func TestMetricsOfManyPartitions(t *testing.T) {
	f := newFake()
	f.parts = nil
	for i := range 10_000 {
		f.parts = append(f.parts, live.Partition{Name: fmt.Sprint("p", i), State: watch.Up, Processors: 1, Running: 1})
	}
	f.parts[0] = live.Partition{Name: "\xff", State: watch.Up, Processors: 1, Pending: 20}
	f.parts[1] = live.Partition{Name: "\xfe", State: watch.Up, Processors: 1, Pending: 10}
	f.parts[2] = live.Partition{Name: otherLabel, State: watch.Up, Processors: 1, Pending: 5}
	f.parts[3] = live.Partition{Name: long(1e6), State: watch.Up, Processors: 1, Pending: 5}
	w := ask(newServer(t, f, Options{}).Handler(), "GET", "/metrics", "")
	text := w.Body.String()
	if n := strings.Count(text, "\nloadstone_"); w.Code != 200 || n > 300 || len(text) > 1e5 {
		t.Errorf("status %d, %d series, %d bytes", w.Code, n, len(text))
	}
	for _, want := range []string{
		`loadstone_partition_jobs{partition="?",state="pending"} 30`,
		`loadstone_partition_jobs{partition="other",state="running"} 9950`,
		`loadstone_partition_jobs{partition="other",state="pending"} 5`,
		`loadstone_partition_processors{partition="` + long(64) + `"} 1`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("no %.90s", want)
		}
	}
}

// A scrape before the first state has what there is.
func TestMetricsBeforeTheFirstState(t *testing.T) {
	f := newFake()
	f.fault, f.status = live.ErrNotReady, live.Status{}
	w := ask(newServer(t, f, Options{}).Handler(), "GET", "/metrics", "")
	if text := w.Body.String(); w.Code != 200 || !strings.Contains(text, "\nloadstone_ready 0\n") || strings.Contains(text, "loadstone_bound") {
		t.Errorf("%d: %s", w.Code, text)
	}
}

// resident is what this process has in memory, in bytes.
func resident(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
