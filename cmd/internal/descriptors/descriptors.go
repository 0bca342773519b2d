//go:build unix

package descriptors

import (
	"os"
	"syscall"
)

// least is the least number of files that a command must be able to open: its log, an output,
// three of Go's runtime, and some to spare.
const least = 8

func init() {
	err := enough()
	if err == nil {
		err = openPoller()
	}
	if err != nil {
		os.Stderr.WriteString("loadstone: " + err.Error() + ": want a higher limit (ulimit -n)\n")
		os.Exit(1)
	}
}

// enough returns an error if the process cannot open least files. It opens pipes, since a
// container or a chroot may lack every file, even /dev/null.
func enough() error {
	for range least / 2 {
		var ends [2]int
		if err := syscall.Pipe(ends[:]); err != nil {
			return err
		}
		defer syscall.Close(ends[0])
		defer syscall.Close(ends[1])
	}
	return nil
}

// openPoller makes Go's runtime open the files of its poller.
func openPoller() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	r.Close()
	return w.Close()
}
