//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package watch

import (
	"os/exec"
	"syscall"
)

// inGroup gives a command a process group of its own, of which all end when it is cancelled:
// at many sites Slurm's commands are scripts that run others.
func inGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
