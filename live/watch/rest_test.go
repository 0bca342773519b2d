package watch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// restServer answers as slurmrestd does, to that token.
type restServer struct {
	t        *testing.T
	token    string
	versions []string
	asked    []string
	again    bool // it has been polled before
}

func (s *restServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r.URL.Path)
	if r.Header.Get("X-SLURM-USER-TOKEN") != s.token || r.Header.Get("X-SLURM-USER-NAME") != "ann" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "Authentication failure of %s", r.Header.Get("X-SLURM-USER-TOKEN"))
		return
	}
	if r.URL.Path == "/openapi/v3" {
		io.WriteString(w, `{"paths": {"\/slurm\/v0.0.36\/ping": {}`)
		for _, v := range s.versions {
			fmt.Fprintf(w, `, "\/slurm\/%s\/jobs": {}, "/slurm/%[1]s/jobs/": {}`, v)
		}
		io.WriteString(w, `}}`)
		return
	}
	newest := s.versions[len(s.versions)-1]
	switch strings.TrimSuffix(r.URL.Path, "/") {
	case "/slurm/" + newest + "/jobs":
		io.WriteString(w, readTestdata(s.t, "squeue-22.05.json"))
	case "/slurmdb/" + newest + "/jobs":
		if q := r.URL.Query(); !s.again && q.Get("start_time") != fmt.Sprintf("uts%d", testOrigin.Add(-overlap).Unix()) || q.Get("state") != endedStates || q.Get("end_time") == "" {
			s.t.Errorf("asked for %v", q)
		}
		io.WriteString(w, readTestdata(s.t, "sacct-22.05.json"))
	case "/slurm/" + newest + "/nodes":
		io.WriteString(w, `{"nodes": [{"name": "n1", "cpus": 64, "alloc_cpus": 0, "state": "idle", "partitions": []}]}`)
	case "/slurm/" + newest + "/partitions":
		io.WriteString(w, `{"partitions": []}`)
	case "/slurm/" + newest + "/reservations":
		io.WriteString(w, `{"reservations": []}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func restTo(t *testing.T, url, token string, o Options) (Source, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Origin, o.Names, o.Since = testOrigin, &Names{}, testOrigin
	source, err := REST(o, RESTOptions{URL: url, TokenFile: file, User: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	return source, file
}

func TestREST(t *testing.T) {
	s := &restServer{t: t, token: "secret1", versions: []string{"v0.0.9", "v0.0.37", "v0.0.38"}}
	server := httptest.NewServer(s)
	defer server.Close()
	source, file := restTo(t, server.URL, "SLURM_JWT=secret1\n", Options{})
	p, err := source.Poll(context.Background())
	if err != nil || len(p.Jobs) != 11 || len(p.Ended) != 5 || p.Capacity.Total != 64 || p.Partial {
		t.Fatalf("%+v, %v", p, err)
	}
	if n := len(s.asked); n != 6 {
		t.Errorf("asked %v", s.asked)
	}

	// Another token is refused, and in no message; the file is read again.
	s.token = "secret2"
	if _, err = source.Poll(context.Background()); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "401 Unauthorized: Authentication failure of (token)") {
		t.Error(err)
	}
	if err := os.WriteFile(file, []byte("secret2"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.again = true
	if _, err = source.Poll(context.Background()); err != nil {
		t.Error(err)
	}

	// A service that is another version now is asked again.
	s.versions = append(s.versions, "v0.0.40")
	source.Poll(context.Background())
	if _, err = source.Poll(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestRESTFaults(t *testing.T) {
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				t.Error("followed")
			}
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		}, "302 Found"},
		"slow":    {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no answer within 300ms"},
		"no jobs": {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"paths": {}}`) }, "no path /slurm/v.../jobs"},
		"page":    {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") }, "the description of the interface"},
		"error": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, `{"errors": [{"description": "Failed while looking for jobs", "error": "Unspecified\u001b[31m error", "source": "slurm_load_jobs"}]}`)
		}, "500 Internal Server Error: Failed while looking for jobs Unspecified [31m error slurm_load_jobs"},
		"long": {func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < 3000; i++ {
				io.WriteString(w, strings.Repeat(" ", 1000))
			}
		}, "longer than 1000000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.handle)
			defer server.Close()
			timeout := time.Minute
			if name == "slow" {
				timeout = 300 * time.Millisecond
			}
			source, _ := restTo(t, server.URL, "secret", Options{Timeout: timeout, MaxBytes: 1e6})
			if _, err := source.Poll(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	for _, url := range []string{"", "localhost:6820", "ftp://x", "http://", "http://ann:pw@x:1"} {
		if _, err := REST(Options{}, RESTOptions{URL: url}); err == nil || strings.Contains(err.Error(), "pw@") {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := REST(Options{}, RESTOptions{URL: "http://x", Version: "../x"}); err == nil {
		t.Error("a version that is none")
	}
	source, file := restTo(t, "http://127.0.0.1:1", "two\nlines", Options{})
	if _, err := source.Poll(context.Background()); err == nil || !strings.Contains(err.Error(), "want a token") || strings.Contains(err.Error(), "two") {
		t.Error(err)
	}
	os.Remove(file)
	if _, err := source.Poll(context.Background()); err == nil || !strings.Contains(err.Error(), "token file") {
		t.Error(err)
	}
}
