package serve

import (
	"net"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Listen listens on HOST:PORT, which without a token must be a loopback address. An error is a
// *workload.OptionError or an error of the system.
func (s *Server) Listen(address string) (net.Listener, error) {
	to, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, workload.OptionFault("listen", strconv.Quote(address), "HOST:PORT, such as 127.0.0.1:8080 (%v)", err)
	}
	if err := s.reachable(to); err != nil {
		return nil, err
	}
	return net.ListenTCP("tcp", to)
}

// reachable returns an error for an address that other machines can reach, if there is no token.
func (s *Server) reachable(address net.Addr) error {
	tcp, ok := address.(*net.TCPAddr)
	if s.token != nil || !ok || tcp.IP.IsLoopback() { // permissions protect a Unix socket
		return nil
	}
	return workload.OptionFault("listen", address.String()+" without a token, although other machines can reach it", "a token file, or a loopback address such as 127.0.0.1:8080")
}
