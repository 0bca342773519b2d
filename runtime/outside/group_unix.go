//go:build unix

package outside

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has the program lead a process group, so that all that it starts can
// be ended with it.
func ownGroup(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return nil
}

// killGroup ends a started program and all processes of its group.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// available returns what can be read without waiting, at most the beginning; nil
// if nothing.
func available(f *os.File) []byte {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	n, text := 0, make([]byte, 128)
	raw.Control(func(fd uintptr) { n, _ = syscall.Read(int(fd), text) }) // it does not block
	if n <= 0 {
		return nil
	}
	return text[:n]
}
