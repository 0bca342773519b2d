package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// Files have their content type and an entity tag. A file that has not changed is not sent again.
func TestFiles(t *testing.T) {
	files := Files()
	for path, kind := range map[string]string{
		"/{$}": "text/html; charset=utf-8", "/base.css": "text/css; charset=utf-8", "/serve.css": "text/css; charset=utf-8", "/chart.js": "text/javascript; charset=utf-8",
		"/app.js": "text/javascript; charset=utf-8", "/icon.svg": "image/svg+xml",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		for _, status := range []int{http.StatusOK, http.StatusNotModified} {
			w := httptest.NewRecorder()
			files[path].ServeHTTP(w, r)
			if w.Code != status || w.Code == http.StatusOK && w.Header().Get("Content-Type") != kind {
				t.Errorf("%s: %d, %v; want %d, %s", path, w.Code, w.Header(), status, kind)
			}
			r.Header.Set("If-None-Match", w.Header().Get("ETag"))
		}
	}
}

// The policy forbids inline code and external addresses, so the files have none. The page works
// below any path, so no address begins with a slash.
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
