package serve

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func pageOf(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, text)
	})
}

// A page whose name was pointed at the loopback sends its own name as the host.
func TestHost(t *testing.T) {
	h := newServer(t, newFake(), Options{Hosts: []string{"Portal.example.org"}, Page: pageOf("hello")}).Handler()
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST.:80": 200, "127.0.0.1": 200, "127.0.0.1:8080": 200, "127.8.8.8": 200, "[::1]:8080": 200, "[::1]": 200,
		"portal.example.org": 200, "portal.example.org:443": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "192.0.2.1": 421, "[::2]:80": 421, "0.0.0.0": 421,
	} {
		for _, path := range []string{"/v1/wait?size=1", "/healthz", "/metrics", "/"} {
			if w := ask(h, "GET", path, "", "Host", host); w.Code != status {
				t.Errorf("%s with host %s: status %d, want %d", path, host, w.Code, status)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	h := newServer(t, newFake(), Options{FrameAncestors: []string{"https://ondemand.example.org"}, Page: pageOf("hello")}).Handler()
	for _, path := range []string{"/v1/wait?size=1", "/v1/wait", "/", "/nothing", "/healthz", "/metrics"} {
		got := ask(h, "GET", path, "", "Origin", "https://evil.example").Header()
		for name, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'self' https://ondemand.example.org",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control":                "no-store",
			"Access-Control-Allow-Origin":  "",
		} {
			if got.Get(name) != want {
				t.Errorf("%s: %s %q, want %q", path, name, got.Get(name), want)
			}
		}
	}
	if w := ask(h, "GET", "/nothing", ""); problemIn(t, w).Status != 404 {
		t.Error(w.Body)
	}
	for _, bad := range []string{"", "https://a; script-src *", "a b", "a\r\nX: y", "a,b"} {
		var option *workload.OptionError
		if _, err := New(newFake(), Options{FrameAncestors: []string{bad}}); !errors.As(err, &option) || option.Option != "frame-ancestors" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Names from Slurm and from the query cannot end a script or begin a tag.
func TestNamesAreEscaped(t *testing.T) {
	h := newServer(t, newFake(), Options{}).Handler()
	for _, target := range []string{"/v1/jobs", "/v1/wait?size=1&user=<script>", "/v1/wait?size=1&partition=<script>", "/v1/wait?<script>=1", "/v1/jobs/<script>"} {
		w := ask(h, "GET", target, "")
		if strings.Contains(w.Body.String(), "<") || !strings.Contains(w.Body.String(), `\u003cscript\u003e`) {
			t.Errorf("%s: %s", target, w.Body)
		}
	}
}

// Other machines can reach the service only with a token.
func TestListen(t *testing.T) {
	open := newServer(t, newFake(), Options{})
	closed := newServer(t, newFake(), Options{TokenFile: writeToken(t, secret)})
	for _, c := range []struct {
		s       *Server
		address string
		ok      bool
	}{
		{open, "127.0.0.1:0", true}, {open, "localhost:0", true}, {closed, "127.0.0.1:0", true}, {closed, ":0", true}, {closed, "0.0.0.0:0", true},
		{open, ":0", false}, {open, "0.0.0.0:0", false}, {open, "[::]:0", false}, {open, "192.0.2.1:0", false}, {open, "", false}, {open, "127.0.0.1", false}, {open, "127.0.0.1:http:", false}, {open, "127.0.0.1:99999", false},
	} {
		l, err := c.s.Listen(c.address)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.address, err)
		}
		if err == nil {
			_ = l.Close()
			continue
		}
		var option *workload.OptionError
		if !errors.As(err, &option) || option.Option != "listen" {
			t.Errorf("%s: %v", c.address, err)
		}
	}
}
