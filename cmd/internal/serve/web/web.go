package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"net/http"
	"path"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
)

//go:embed asset
var assets embed.FS

var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// Files returns handlers for the page, at /, and its other files, by path. They answer GET and
// HEAD. The server must set security headers, such as a content security policy.
func Files() map[string]http.Handler {
	files := map[string]http.Handler{}
	for _, name := range []string{"base.css", "chart.css", "chart.js", "uplot.css", "uplot.js"} {
		files["/"+name] = newFile(name, []byte(page.Asset(name)))
	}
	entries, err := assets.ReadDir("asset")
	for _, e := range entries {
		var data []byte
		if data, err = assets.ReadFile("asset/" + e.Name()); err != nil {
			break
		}
		files["/"+e.Name()] = newFile(e.Name(), data)
	}
	if err != nil {
		panic("web: " + err.Error()) // cannot happen: the files are embedded
	}
	files["/{$}"] = files["/index.html"]
	return files
}

// newFile returns a handler for a file that browsers may cache but must revalidate.
func newFile(name string, data []byte) http.HandlerFunc {
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", kinds[path.Ext(name)])
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}
