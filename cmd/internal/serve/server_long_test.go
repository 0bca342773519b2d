//go:build long

package serve

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Clients that send their headers or bodies slowly are cut off.
func TestSlowClients(t *testing.T) {
	address, _ := serving(t, newServer(t, newFake(), Options{}))
	for start, limit := range map[string]time.Duration{
		"GET /v1/wait?size=1 HTTP/1.1\r\nHost: localhost\r\nX: ":                     headerTimeout,
		"POST /v1/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{": readTimeout,
	} {
		t.Run(limit.String(), func(t *testing.T) {
			t.Parallel()
			c := dial(t, address)
			_, _ = io.WriteString(c, start)
			go func() {
				for {
					time.Sleep(200 * time.Millisecond)
					if _, err := io.WriteString(c, " "); err != nil {
						return
					}
				}
			}()
			began := time.Now()
			answer, _ := io.ReadAll(c)
			if took := time.Since(began); took < limit-time.Second || took > limit+3*time.Second {
				t.Errorf("cut off after %v, want %v: %s", took, limit, answer)
			}
		})
	}
}

// Ten thousand clients that send their headers slowly cost little memory, and another one
// is answered once those before it are cut off.
func TestManySlowConnections(t *testing.T) {
	address, _ := serving(t, newServer(t, newFake(), Options{}))
	before := resident(t)
	var opened, refused atomic.Int64
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for range 100 {
				c, err := net.DialTimeout("tcp", address, 100*time.Millisecond)
				if err != nil {
					refused.Add(1) // the system's backlog is full, or this process may open no more files
					continue
				}
				t.Cleanup(func() { _ = c.Close() })
				_, _ = io.WriteString(c, "GET /v1/wait?size=1 HTTP/1.1\r\nX: ")
				opened.Add(1)
			}
		})
	}
	all.Wait()
	used := resident(t) - before
	began := time.Now()
	status, _, err := get(address, "/healthz")
	for err != nil && time.Since(began) < time.Minute {
		status, _, err = get(address, "/healthz")
	}
	t.Logf("%d connections, %d refused, %d MB; another one is answered after %v", opened.Load(), refused.Load(), used>>20, time.Since(began))
	if opened.Load() < defaultConnections || used > 200<<20 {
		t.Errorf("%d connections take %d MB", opened.Load(), used>>20)
	}
	if status != 200 {
		t.Errorf("afterwards: status %d, %v", status, err)
	}
}
