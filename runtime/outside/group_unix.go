//go:build unix

package outside

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a new process group, so that all processes that
// it starts can be killed with it.
func ownGroup(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return nil
}

// killGroup kills a started program and all processes of its group.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
