package serve

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
)

// BenchmarkServed asks a service that runs already, at $LOADSTONE_SERVED, such as
// 127.0.0.1:8080.
func BenchmarkServed(b *testing.B) {
	address := os.Getenv("LOADSTONE_SERVED")
	if address == "" {
		b.Skip("LOADSTONE_SERVED names no service")
	}
	benchmarkRates(b, address)
}

// benchmarkRates asks as fast as can be, and so often a second.
func benchmarkRates(b *testing.B, address string) {
	for _, rate := range []int{0, 1000, 2000} {
		b.Run(fmt.Sprintf("rate=%d", rate), func(b *testing.B) { benchmarkLoad(b, address, rate) })
	}
}

func benchmarkLoad(b *testing.B, address string, rate int) {
	const connections = 32
	took := make([]float64, b.N) // ms
	var next atomic.Int64
	var all sync.WaitGroup
	b.ResetTimer()
	began := time.Now()
	for range connections {
		all.Go(func() {
			c, err := net.Dial("tcp", address)
			if err != nil {
				b.Error(err)
				return
			}
			defer func() { _ = c.Close() }()
			in := bufio.NewReader(c)
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					return
				}
				due := time.Now()
				if rate > 0 {
					due = began.Add(time.Duration(float64(i) / float64(rate) * 1e9))
					time.Sleep(time.Until(due))
				}
				if err := askOnce(c, in, i); err != nil {
					b.Error(err)
					return
				}
				took[i] = time.Since(due).Seconds() * 1e3
			}
		})
	}
	late := lateness(&all, func() bool { return next.Load() >= int64(b.N) })
	all.Wait()
	b.StopTimer()
	seconds := time.Since(began).Seconds()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/seconds, "answers/s")
	b.ReportMetric(took[len(took)/2], "p50-ms")
	b.ReportMetric(took[len(took)*99/100], "p99-ms")
	b.ReportMetric(took[len(took)-1], "worst-ms")
	b.ReportMetric(late(), "machine-p99-ms")
	b.ReportMetric(float64(resident(b))/1e6, "resident-MB") // of the made-up machine and the clients, too
}

// lateness measures how late the machine wakes a goroutine that sleeps, while other work
// runs: what it adds to the time of an answer. The result is the 99th percentile, ms.
func lateness(all *sync.WaitGroup, done func() bool) func() float64 {
	var late []float64
	all.Go(func() {
		for {
			due := time.Now().Add(time.Millisecond)
			time.Sleep(time.Until(due))
			late = append(late, time.Since(due).Seconds()*1e3)
			if done() {
				return
			}
		}
	})
	return func() float64 {
		slices.Sort(late)
		return late[len(late)*99/100]
	}
}

// askOnce asks for one of several sizes and times.
func askOnce(c net.Conn, in *bufio.Reader, i int) error {
	_, err := fmt.Fprintf(c, "GET /v1/wait?size=%d&time=%d HTTP/1.1\r\nHost: localhost\r\n\r\n", 1<<(i%7), 600*(1+i%100))
	if err != nil {
		return err
	}
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", r.StatusCode)
	}
	return err
}

// BenchmarkRoutes has one handler at a time answer, without a network.
func BenchmarkRoutes(b *testing.B) {
	for _, pending := range []int{1000, 100_000} {
		service, poll := startSite(b, pending, pending/5, live.DefaultOptions())
		poll()
		h := newServer(b, service, Options{}).Handler()
		for _, target := range []string{
			"/v1/wait?size=8&time=3600", "/v1/wait?size=8&time=3600&partition=p<1>&user=user7", "/v1/jobs/6000", "/v1/jobs", "/v1/jobs?limit=10000",
			"/v1/jobs?state=pending&partition=p<1>", "/v1/jobs?ids=" + strings.Repeat("6000,", mostIDs-1) + "6000", "/v1/scores", "/v1/advice?run_times=1:7200,4:2400", "/v1/status", "/metrics",
		} {
			name, _, _ := strings.Cut(target, "00,")
			b.Run(fmt.Sprintf("pending=%d%s", pending, name), func(b *testing.B) {
				for b.Loop() {
					if w := ask(h, "GET", target, ""); w.Code != 200 {
						b.Fatal(w.Code, w.Body)
					}
				}
			})
		}
	}
}
