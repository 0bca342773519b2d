package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// writeJSON writes a body of JSON. Names of jobs and partitions cannot end a script: <, >
// and & are escaped.
func writeJSON(w http.ResponseWriter, kind string, status int, body any) error {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(body); err != nil {
		return err
	}
	writeText(w, kind, status, text.Bytes())
	return nil
}

func writeText(w http.ResponseWriter, kind string, status int, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have left
}

// writeProblem answers with problem details.
func writeProblem(w http.ResponseWriter, p *problem) {
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retry))
	}
	if len(p.allow) > 0 {
		w.Header().Set("Allow", strings.Join(p.allow, ", "))
	}
	_ = writeJSON(w, "application/problem+json", p.Status, p) // it has texts and a number
}
