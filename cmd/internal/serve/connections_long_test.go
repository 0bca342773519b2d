//go:build long

package serve

import (
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Clients that send their headers or bodies slowly are cut off.
func TestSlowClients(t *testing.T) {
	address, _ := serving(t, newServer(t, newFake(), Options{}))
	for start, limit := range map[string]time.Duration{"GET / HTTP/1.1\r\nHost: localhost\r\nX: ": headerTimeout, post + "Content-Length: 1000\r\n\r\n{": readTimeout} {
		t.Run(limit.String(), func(t *testing.T) {
			t.Parallel()
			c, began := dial(t, address, start), time.Now()
			go func() {
				for {
					time.Sleep(200 * time.Millisecond)
					if _, err := io.WriteString(c, " "); err != nil {
						return
					}
				}
			}()
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
	s := newServer(t, newFake(), Options{})
	address, _ := serving(t, s)
	before := resident(t)
	var mu sync.Mutex
	var all sync.WaitGroup
	opened := 0
	for range 100 {
		all.Go(func() {
			for range 100 {
				c, err := net.DialTimeout("tcp", address, 100*time.Millisecond)
				if err != nil {
					continue // the system's backlog is full, or this process may open no more files
				}
				t.Cleanup(func() { _ = c.Close() })
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nX: ")
				mu.Lock()
				opened++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	used, began, got := resident(t)-before, time.Now(), 0
	for got != 200 && time.Since(began) < time.Minute {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.SetDeadline(time.Now().Add(20 * time.Second))
			_, _ = io.WriteString(c, health)
			got = status(c)
			_ = c.Close()
		}
	}
	t.Logf("%d connections, %d MB; another one is answered after %v", opened, used>>20, time.Since(began))
	if opened < s.connections || used > 200<<20 || got != 200 {
		t.Errorf("%d connections take %d MB, then status %d", opened, used>>20, got)
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
