//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package watch

import (
	"os/exec"
	"syscall"
)

// inGroup makes a command run in its own process group, all of which is killed when the command
// is cancelled. At many sites Slurm's commands are scripts that run other programs.
func inGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
