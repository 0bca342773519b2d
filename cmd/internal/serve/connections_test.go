package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/workload"
)

// serving runs a server on the loopback interface; stop ends it and returns the result of Serve.
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

// dial opens a connection and sends a text, such as the beginning of a request.
func dial(t testing.TB, address, text string) net.Conn {
	t.Helper()
	c := jobtest.Must(net.Dial("tcp", address))
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(c, text)
	return c
}

// status returns the status of the next response, 0 if there is none.
func status(c net.Conn) int {
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	return r.StatusCode
}

const (
	health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	wait   = "GET /v1/wait?size=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
	post   = "POST /v1/wait HTTP/1.1\r\nHost: localhost\r\n"
)

// Stopping lets running requests finish and accepts no new ones; a request that does not finish is
// aborted.
func TestStop(t *testing.T) {
	for _, grace := range []time.Duration{time.Minute, 50 * time.Millisecond} {
		f := newFake()
		asked, release := make(chan bool, 1), make(chan bool)
		f.wait = func(ctx context.Context, _ live.Request) error {
			asked <- true
			select {
			case <-release:
			case <-ctx.Done():
			}
			return ctx.Err()
		}
		log, text := logged()
		s := newServer(t, f, Options{Log: log})
		s.grace = grace
		address, stop := serving(t, s)
		c := dial(t, address, wait)
		<-asked
		stopped := make(chan error)
		go func() { stopped <- stop() }()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			other, err := net.Dial("tcp", address)
			if err != nil {
				break
			}
			_ = other.Close()
			if time.Now().After(deadline) {
				t.Fatal("new connections are taken after the stop")
			}
		}
		if grace == time.Minute {
			select {
			case err := <-stopped:
				t.Fatalf("stopped with a request under way: %v", err)
			default:
			}
			close(release)
			if got := status(c); got != 200 {
				t.Errorf("the running request ended with status %d", got)
			}
		}
		if err := <-stopped; err != nil || strings.Contains(text.String(), "requests were cut off") == (grace == time.Minute) {
			t.Errorf("%v, log:\n%s", err, text)
		}
	}
}

// Other machines can access the service only with a token.
func TestListen(t *testing.T) {
	open := newServer(t, newFake(), Options{})
	closed := newServer(t, newFake(), Options{TokenFile: writeToken(t, secret)})
	for _, c := range []struct {
		s         *Server
		ok        bool
		addresses []string
	}{
		{open, true, []string{"127.0.0.1:0", "localhost:0"}}, {closed, true, []string{"127.0.0.1:0", ":0", "0.0.0.0:0"}},
		{open, false, []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "", "127.0.0.1", "127.0.0.1:http:", "127.0.0.1:99999"}},
	} {
		for _, address := range c.addresses {
			l, err := c.s.Listen(address)
			if err == nil {
				_ = l.Close()
			}
			var option *workload.OptionError
			if (err == nil) != c.ok || err != nil && (!errors.As(err, &option) || option.Option != "listen") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}

// A body whose declared size is too large is refused before it is sent; one without a declared
// size, soon after the limit is exceeded.
func TestLargeBodies(t *testing.T) {
	address, _ := serving(t, newServer(t, newFake(), Options{}))
	if got := status(dial(t, address, post+"Content-Length: 104857600\r\n\r\n")); got != 413 {
		t.Errorf("said: status %d", got)
	}
	c := dial(t, address, post+"Transfer-Encoding: chunked\r\n\r\n")
	sent := make(chan int)
	go func() {
		n := 0
		for chunk := "10000\r\n" + strings.Repeat(" ", 1<<16) + "\r\n"; n < 100<<20; n += 1 << 16 {
			if _, err := io.WriteString(c, chunk); err != nil {
				break
			}
		}
		sent <- n
	}()
	if got, n := status(c), <-sent; got != 413 || n > 50<<20 {
		t.Errorf("status %d after %d bytes", got, n)
	}
}

// While all connections have running requests, new ones wait. Idle connections make room for new
// ones long before their minute has passed.
func TestConnections(t *testing.T) {
	const most = 4
	for name, text := range map[string]string{"busy": post + "Content-Length: 100\r\n\r\n{", "kept alive": health, "silent": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, newFake(), Options{})
			s.connections = most
			address, _ := serving(t, s)
			var all []net.Conn
			for range most {
				c := dial(t, address, text)
				if text == health && status(c) != 200 {
					t.Fatal("not answered")
				}
				all = append(all, c)
			}
			began, answered := time.Now(), make(chan int, 1)
			go func() { answered <- status(dial(t, address, health)) }()
			if name == "busy" {
				select {
				case <-answered:
					t.Error("a connection beyond the limit is answered")
				case <-time.After(300 * time.Millisecond):
				}
				_ = all[0].Close()
			}
			if got := <-answered; got != 200 || time.Since(began) > time.Minute/2 {
				t.Errorf("status %d after %v", got, time.Since(began))
			}
		})
	}
}
