package watch

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// .ci/slurm may run where a site's Slurm, MariaDB and munge run: it calls no service of the
// machine, and every socket, key, data folder and port that it names is its own. Programs
// that only note how they were called stand in for the daemons.
func TestSlurmOfTheTestsIsApart(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a script for Linux")
	}
	bin, temporary := t.TempDir(), t.TempDir()
	calls := filepath.Join(bin, "calls")
	for name, body := range map[string]string{
		"id": "echo 0", "sinfo": "echo idle", "apt-get": "exit 1",
		"service": "", "systemctl": "", "pgrep": "", "munged": "", "mariadbd": "", "mariadb": "", "mysql": "", "mariadb-install-db": "",
		"slurmdbd": "echo \"socket $MYSQL_UNIX_PORT\" >>'" + calls + "'", "slurmctld": "", "slurmd": "", "sacctmgr": "",
	} {
		script := "#!/bin/sh\necho \"" + name + " $*\" >>'" + calls + "'\n" + body + "\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("bash", "../../.ci/slurm", "--", "sh", "-c", `cat "$SLURM_CONF" "${SLURM_CONF%/*}/slurmdbd.conf"`)
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "TMPDIR="+temporary)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "left out") {
		t.Skipf("%s", out)
	}
	called, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(called), "\n") {
		name, _, _ := strings.Cut(line, " ")
		switch name {
		case "service", "systemctl", "pgrep", "apt-get", "mysql":
			t.Errorf("of the machine: %s", line)
		case "mariadb", "mariadbd", "munged", "socket":
			if !regexp.MustCompile(`(--socket[ =]|^socket )` + temporary + `/`).MatchString(line) {
				t.Errorf("no socket of its own: %s", line)
			}
		}
		if strings.HasPrefix(name, "mariadb") && !strings.HasPrefix(line, name+" --no-defaults ") {
			t.Errorf("the machine's configuration: %s", line)
		}
	}
	for _, setting := range []string{"AuthInfo=socket=", "AccountingStoragePass=", "StateSaveLocation=", "SlurmdSpoolDir=", "SlurmctldPidFile=", "SlurmdPidFile=", "SlurmctldLogFile=", "SlurmdLogFile=", "PidFile=", "LogFile="} {
		if !strings.Contains(string(out), "\n"+setting+temporary+"/") {
			t.Errorf("%s is not below the temporary folder", setting)
		}
	}
	for _, port := range []string{"SlurmctldPort", "SlurmdPort", "AccountingStoragePort", "DbdPort"} {
		found := regexp.MustCompile(`(?m)^` + port + `=(\d+)$`).FindStringSubmatch(string(out))
		if found == nil || strings.HasPrefix(found[1], "68") {
			t.Errorf("%s: %v, want one of its own", port, found)
		}
	}
	if regexp.MustCompile(`slurm_acct_db|'?slurm'?@|StorageUser=slurm`).MatchString(string(out) + string(called)) {
		t.Error("names of a site's database or user")
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
