package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// serving runs a server on the loopback; stop ends it and returns what Serve returned.
func serving(t testing.TB, s *Server) (address string, stop func() error) {
	t.Helper()
	l, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { _ = stop() })
	return l.Addr().String(), stop
}

func get(address, path string) (status int, body string, err error) {
	client := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + address + path)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	return r.StatusCode, string(text), err
}

// A stop lets running requests end, and takes no new ones.
func TestGracefulStop(t *testing.T) {
	f := newFake()
	asked, release := make(chan bool), make(chan bool)
	f.wait = func(ctx context.Context) {
		asked <- true
		<-release
	}
	address, stop := serving(t, newServer(t, f, Options{}))
	answered := make(chan int)
	go func() {
		status, _, _ := get(address, "/v1/wait?size=1")
		answered <- status
	}()
	<-asked
	stopped := make(chan error)
	go func() { stopped <- stop() }()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, _, err := get(address, "/healthz"); err != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("new requests are answered after the stop")
		}
	}
	select {
	case err := <-stopped:
		t.Fatalf("stopped with a request under way: %v", err)
	default:
	}
	release <- true
	if status := <-answered; status != 200 {
		t.Errorf("the running request ended with status %d", status)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// A request that does not end is cut off.
func TestStopIsBounded(t *testing.T) {
	f := newFake()
	asked := make(chan bool, 1)
	f.wait = func(ctx context.Context) {
		asked <- true
		<-ctx.Done()
	}
	log, text := logged()
	address, stop := serving(t, newServer(t, f, Options{Grace: 50 * time.Millisecond, Log: log}))
	go func() { _, _, _ = get(address, "/v1/wait?size=1") }()
	<-asked
	if err := stop(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(text.String(), "requests were cut off") {
		t.Errorf("log:\n%s", text)
	}
}

// Serve rejects a listener that others can reach, and closes it.
func TestServeOnlyOnTheLoopback(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	err = newServer(t, newFake(), Options{}).Serve(context.Background(), l)
	if err == nil || !strings.Contains(err.Error(), "without a token") {
		t.Error(err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("the listener is open")
	}
}

// A body that is said to be too large is refused before it is sent; one that turns out to
// be, soon after the limit.
func TestLargeBodies(t *testing.T) {
	address, _ := serving(t, newServer(t, newFake(), Options{}))
	for _, header := range []string{"Content-Length: 104857600", "Transfer-Encoding: chunked"} {
		c := dial(t, address)
		_, _ = fmt.Fprintf(c, "POST /v1/wait HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n", header)
		sent := make(chan int, 1)
		go func() {
			n := 0
			if strings.HasPrefix(header, "Transfer") {
				chunk := "10000\r\n" + strings.Repeat(" ", 1<<16) + "\r\n"
				for range 100 << 20 >> 16 {
					if _, err := io.WriteString(c, chunk); err != nil {
						break
					}
					n += 1 << 16
				}
			}
			sent <- n
		}()
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != 413 {
			t.Errorf("%s: %v, %v", header, r, err)
		}
		if n := <-sent; n > 50<<20 {
			t.Errorf("%s: %d bytes were taken", header, n)
		}
	}
}

func dial(t testing.TB, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return c
}
