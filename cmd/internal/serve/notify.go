package serve

import (
	"log/slog"
	"net"
	"os"
)

// Notify reports the state of the service to systemd, if systemd has started it with Type=notify:
// it sends a datagram to the socket named by NOTIFY_SOCKET (sd_notify(3)).
func Notify(log *slog.Logger, state string) {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err == nil {
		_, err = c.Write([]byte(state))
		_ = c.Close()
	}
	if err != nil {
		log.Warn("could not notify systemd", "state", state, "error", err)
	}
}
