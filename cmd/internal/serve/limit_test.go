package serve

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// While all connections have requests under way others wait.
func TestConnectionLimit(t *testing.T) {
	const most = 8
	f := newFake()
	address, _ := serving(t, newServer(t, f, Options{Connections: most}))
	var busy []net.Conn
	for range most {
		c := dial(t, address)
		_, _ = io.WriteString(c, "POST /v1/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
		busy = append(busy, c)
	}
	time.Sleep(500 * time.Millisecond) // until their headers are read
	var answered atomic.Bool
	done := make(chan error)
	go func() {
		_, _, err := get(address, "/healthz")
		answered.Store(true)
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if answered.Load() {
		t.Error("a connection beyond the limit is answered")
	}
	_ = busy[0].Close()
	if err := <-done; err != nil {
		t.Errorf("with a free place: %v", err)
	}
}

// Where connections without a request under way take all places, the next one gets the place
// of that which was idle for longest, long before that one's minute has passed.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	const most = 8
	address, _ := serving(t, newServer(t, newFake(), Options{Connections: most}))
	for name, say := range map[string]string{"silent": "", "kept alive": "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		for range most {
			c := dial(t, address)
			if say == "" {
				continue
			}
			_, _ = io.WriteString(c, say)
			if r, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || r.StatusCode != http.StatusOK {
				t.Fatalf("%s: %v, %v", name, r, err)
			}
		}
		began := time.Now()
		c := dial(t, address)
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if r, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || r.StatusCode != http.StatusOK || time.Since(began) > time.Minute/2 {
			t.Errorf("%s: %v, %v after %v", name, r, err, time.Since(began))
		}
	}
}
