package serve

import (
	"net"
	"sync"
)

// limited is a listener that limits the number of open connections. At the limit, the next
// connection is accepted but waits, and further ones wait in the system's backlog. Until it gets a
// slot, keep-alive is off, which closes connections without a request under way.
type limited struct {
	net.Listener
	open      slots
	closed    chan struct{}
	close     func() error
	keepAlive func(bool)
}

func limit(l net.Listener, most int) *limited {
	closed := make(chan struct{})
	return &limited{Listener: l, open: make(slots, most), closed: closed, close: sync.OnceValue(func() error {
		close(closed)
		return l.Close()
	})}
}

func (l *limited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !l.open.take() {
		l.keepAlive(false)
		defer l.keepAlive(true)
		select {
		case l.open <- struct{}{}:
		case <-l.closed:
			_ = c.Close()
			return nil, net.ErrClosed
		}
	}
	return &limitedConn{c, sync.OnceFunc(l.open.release)}, nil
}

func (l *limited) Close() error { return l.close() }

type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
