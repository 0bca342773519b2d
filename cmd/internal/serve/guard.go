package serve

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// headers sets those of every response. The page may set others.
func (s *Server) headers(next http.Handler) http.Handler {
	ancestors := "'self'"
	if len(s.options.FrameAncestors) > 0 {
		ancestors += " " + strings.Join(s.options.FrameAncestors, " ")
	}
	policy := "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors " + ancestors
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// guard lets requests through that may be answered.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.token == nil && !s.hostAllowed(r.Host):
			writeProblem(w, plain(http.StatusMisdirectedRequest, "the Host header names another machine: saw %s, want the loopback or a host that the service was told of", shown(r.Host)))
		case s.token != nil && !s.open(r.URL.Path) && !s.token.allows(r):
			w.Header().Add("WWW-Authenticate", `Bearer realm="loadstone"`)
			if mode := r.Header.Get("Sec-Fetch-Mode"); mode == "" || mode == "navigate" {
				// The page's scripts ask for the token themselves: with this challenge a
				// browser would ask too.
				w.Header().Add("WWW-Authenticate", `Basic realm="loadstone", charset="UTF-8"`)
			}
			writeProblem(w, plain(http.StatusUnauthorized, "want the service's token: Authorization: Bearer TOKEN, or as the password of a user of any name"))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// open says whether a path is answered without a token: that of the health, and the page,
// which holds nothing of the machine and asks for the token.
func (s *Server) open(path string) bool {
	switch path {
	case healthPath:
		return true
	case readyPath, metricsPath, openAPIPath:
		return false
	}
	return s.options.Page != nil && !strings.HasPrefix(path, "/v1/")
}

func hostSet(hosts []string) map[string]bool {
	set := map[string]bool{}
	for _, h := range hosts {
		set[hostName(h)] = true
	}
	return set
}

// hostAllowed says whether a Host header names the loopback or an allowed host. A page of
// another site whose name was pointed at the loopback sends its own name. Clients that
// send none are no browsers.
func (s *Server) hostAllowed(host string) bool {
	name := hostName(host)
	if name == "" || name == "localhost" || s.allowed[name] {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// hostName is the name of HOST, HOST:PORT or [HOST]:PORT.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
