//go:build unix

package outside

import (
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
