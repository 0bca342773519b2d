package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"strings"
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

type file struct {
	kind, tag string
	data      []byte
}

// Handler serves the page at / and its files beside it, by GET and HEAD. Other paths are
// not found. Headers against misuse, such as a content security policy, are the server's.
func Handler() http.Handler {
	files := map[string]file{"/base.css": newFile("base.css", []byte(page.BaseCSS))}
	entries, err := fs.ReadDir(assets, "asset")
	if err != nil {
		panic("web: " + err.Error()) // embedded: there is always one
	}
	for _, e := range entries {
		data, err := assets.ReadFile(path.Join("asset", e.Name()))
		if err != nil {
			panic("web: " + err.Error())
		}
		files["/"+e.Name()] = newFile(e.Name(), data)
	}
	files["/"] = files["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "want GET or HEAD for the page", http.StatusMethodNotAllowed)
		default:
			f.serve(w, r)
		}
	})
}

func newFile(name string, data []byte) file {
	sum := sha256.Sum256(data)
	return file{
		kind: kinds[strings.ToLower(path.Ext(name))],
		tag:  `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
		data: data,
	}
}

// serve lets browsers keep the file, but ask whether it has changed.
func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
}
