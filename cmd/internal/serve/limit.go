package serve

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

// limited is a listener of which only so many connections are open at once. When all are,
// the one that has been idle for longest makes room for the next. While none is idle, others
// wait, all but one in the system's backlog.
type limited struct {
	net.Listener
	open   slots
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex
	idle    []net.Conn // without a request under way, the longest first
	waiting bool       // for the next idle one
}

func limit(l net.Listener, most int) *limited {
	return &limited{Listener: l, open: make(slots, most), closed: make(chan struct{})}
}

func (l *limited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !l.open.take() {
		l.makeRoom()
		select {
		case l.open <- struct{}{}:
		case <-l.closed:
			_ = c.Close()
			return nil, net.ErrClosed
		}
		l.mu.Lock()
		l.waiting = false
		l.mu.Unlock()
	}
	return &limitedConn{Conn: c, release: sync.OnceFunc(l.open.release)}, nil
}

// makeRoom closes an idle connection, now or as soon as there is one.
func (l *limited) makeRoom() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting = len(l.idle) == 0; !l.waiting {
		_ = l.idle[0].Close()
		l.idle = slices.Delete(l.idle, 0, 1)
	}
}

// changed is told of the states of connections, as http.Server.ConnState.
func (l *limited) changed(c net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = slices.DeleteFunc(l.idle, func(other net.Conn) bool { return other == c })
	switch {
	case state != http.StateNew && state != http.StateIdle:
	case l.waiting:
		l.waiting = false
		_ = c.Close()
	default:
		l.idle = append(l.idle, c)
	}
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}
