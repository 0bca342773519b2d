package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func request(t *testing.T, method, path string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestHandler(t *testing.T) {
	for _, c := range []struct {
		method, path, kind string
		status             int
	}{
		{"GET", "/", "text/html; charset=utf-8", 200},
		{"HEAD", "/", "text/html; charset=utf-8", 200},
		{"GET", "/base.css", "text/css; charset=utf-8", 200},
		{"GET", "/serve.css", "text/css; charset=utf-8", 200},
		{"GET", "/app.js", "text/javascript; charset=utf-8", 200},
		{"GET", "/icon.svg", "image/svg+xml", 200},
		{"POST", "/", "", 405},
		{"GET", "/asset/app.js", "", 404},
		{"GET", "/../web.go", "", 404},
	} {
		got := request(t, c.method, c.path, nil)
		if got.StatusCode != c.status || c.kind != "" && got.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s %s: %d, %s; want %d, %s", c.method, c.path, got.StatusCode, got.Header.Get("Content-Type"), c.status, c.kind)
		}
	}
}

// A file that has not changed is not sent again.
func TestHandlerTags(t *testing.T) {
	tag := request(t, "GET", "/app.js", nil).Header.Get("ETag")
	if got := request(t, "GET", "/app.js", http.Header{"If-None-Match": {tag}}); tag == "" || got.StatusCode != http.StatusNotModified {
		t.Errorf("tag %q: status %d, want 304", tag, got.StatusCode)
	}
}

// Inline code and addresses outside are refused by the policy: none are there. The page
// works below any path, so no address begins with a slash.
func TestFilesAreTheirOwn(t *testing.T) {
	entries, err := assets.ReadDir("asset")
	if err != nil {
		t.Fatal(err)
	}
	inline := regexp.MustCompile(`<script[^>]*>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(`)
	rooted := regexp.MustCompile(`(?:href|src)="/|(?:from|import) "/|url\(`)
	for _, e := range entries {
		data, err := assets.ReadFile("asset/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "http://www.w3.org/2000/svg", "")
		for _, bad := range []*regexp.Regexp{inline, rooted, regexp.MustCompile(`https?://`)} {
			if at := bad.FindString(text); at != "" {
				t.Errorf("%s has %q", e.Name(), at)
			}
		}
		if kinds[e.Name()[strings.LastIndex(e.Name(), "."):]] == "" {
			t.Errorf("%s is of an unknown kind", e.Name())
		}
	}
}
