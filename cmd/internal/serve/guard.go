package serve

import (
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// guard sets the headers of every response; handlers may override them. Without a token
// it rejects requests that a page of another site has sent to this machine.
func (s *Server) guard(next http.Handler) http.Handler {
	header := http.Header{
		"Content-Security-Policy": {"default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors " +
			strings.Join(append([]string{"'self'"}, s.options.FrameAncestors...), " ")},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"no-referrer"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cache-Control":                {"no-store"},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), header)
		if s.token == nil && !s.hostAllowed(r.Host) {
			writeProblem(w, plain(http.StatusMisdirectedRequest, "saw the Host header %s, want a loopback address or a name given by --hosts", shown(r.Host)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// private passes on only requests with the token, if the server has one and the route is not
// open. The challenge names a scheme for which browsers do not prompt: the page itself asks for
// the token.
func (s *Server) private(open bool, next http.Handler) http.Handler {
	if s.token == nil || open {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.token.allows(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="loadstone"`)
			writeProblem(w, plain(http.StatusUnauthorized, "the request has no valid token: send the header Authorization: Bearer TOKEN"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed reports whether a Host header names the loopback or an allowed host. A page of
// another site whose name resolves to the loopback (DNS rebinding) sends its own name. An empty
// header is allowed, since browsers always send one.
func (s *Server) hostAllowed(host string) bool {
	name := hostName(host)
	ip, _ := netip.ParseAddr(name)
	return name == "" || name == "localhost" || ip.IsLoopback() ||
		slices.ContainsFunc(s.options.Hosts, func(allowed string) bool { return hostName(allowed) == name })
}

// hostName returns the name in HOST, HOST:PORT or [HOST]:PORT, in lower case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
