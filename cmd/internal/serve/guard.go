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
	policy := "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors " + ancestors
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

// checkHost rejects requests that a page of another site has sent to this machine. A token
// keeps those out, too.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.token == nil && !s.hostAllowed(r.Host) {
			writeProblem(w, plain(http.StatusMisdirectedRequest, "saw the Host header %s, want a loopback address or a name given by --hosts", shown(r.Host)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// private lets requests through that have the token, if there is one. The challenge names
// no scheme for which a browser would ask: the page does.
func (s *Server) private(next http.HandlerFunc) http.HandlerFunc {
	if s.token == nil {
		return next
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.token.allows(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="loadstone"`)
			writeProblem(w, plain(http.StatusUnauthorized, "the request has no valid token: send the header Authorization: Bearer TOKEN"))
			return
		}
		next(w, r)
	}
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
