//go:build long

package serve

import (
	"io"
	"testing"
	"time"
)

// Clients that send their headers or bodies slowly are disconnected.
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
