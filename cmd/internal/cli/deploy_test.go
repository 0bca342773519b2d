package cli

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// deployed returns the content of a file in packaging/deploy.
func deployed(name string) string {
	return mustRead(filepath.Join("..", "..", "..", "packaging", "deploy", filepath.FromSlash(name)))
}

// Prometheus accepts the alert rules.
func TestDeployedRules(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool: the alert rules are not checked by it")
	}
	if out, err := exec.Command(promtool, "check", "rules", filepath.Join("..", "..", "..", "packaging", "deploy", "prometheus", "alerts.yml")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The example configuration is valid, and the dashboard is valid JSON.
func TestDeployedSettings(t *testing.T) {
	cmd, _, err := (&app{}).root().Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags([]string{"--config", filepath.Join("..", "..", "..", "packaging", "deploy", "serve.conf")}); err != nil {
		t.Fatal(err)
	}
	if from, err := flags.Settings(cmd); err != nil || cmd.Flag("slurm").Value.String() != "true" {
		t.Errorf("%v, %v", err, from)
	}
	if !json.Valid([]byte(deployed("grafana/loadstone.json"))) {
		t.Error("the dashboard is no JSON")
	}
	for line := range strings.Lines(deployed("serve.conf")) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "#"), " = "); ok && !strings.Contains(name, " ") && cmd.Flag(name) == nil {
			t.Errorf("serve.conf: there is no --%s", name)
		}
	}
	for _, file := range []string{"Dockerfile", "systemd/loadstone.service"} {
		for _, name := range regexp.MustCompile(`LOADSTONE_[A-Z_]+`).FindAllString(deployed(file), -1) {
			flag := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "LOADSTONE_")), "_", "-")
			if cmd.Flag(flag) == nil {
				t.Errorf("%s: %s stands for --%s, which there is not", file, name, flag)
			}
		}
		for _, name := range regexp.MustCompile(` --([a-z-]+)`).FindAllStringSubmatch(deployed(file), -1) {
			switch name[1] {
			case "system", "no-create-home", "shell", "now", "from", "chown", "interval", "timeout", "start-period": // of other programs
			default:
				if cmd.Flag(name[1]) == nil {
					t.Errorf("%s: there is no --%s", file, name[1])
				}
			}
		}
	}
}

// systemd accepts the unit.
func TestDeployedUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze")
	}
	unit := filepath.Join(t.TempDir(), "loadstone.service")
	// It checks that the program exists.
	text := strings.ReplaceAll(deployed("systemd/loadstone.service"), "/usr/bin/loadstone", os.Args[0])
	jobtest.NoError(t, os.WriteFile(unit, []byte(text), 0o644))
	if out, err := exec.Command(analyze, "verify", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "loadstone") {
		t.Errorf("%v\n%s", err, out)
	}
}

// systemd is notified when the service is ready, and when it stops.
func TestServeNotifies(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Skip(err) // a system without such sockets
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(time.Minute))
	t.Setenv("NOTIFY_SOCKET", socket)
	s := startService(t, "--replay", queuedLog(t, 20), "--speed", quickly)
	s.ended(time.Minute)
	s.stop()
	for _, want := range []string{"READY=1", "STOPPING=1"} {
		b := make([]byte, 100)
		n, err := c.Read(b)
		if err != nil || string(b[:n]) != want {
			t.Errorf("%q, %v, want %s", b[:n], err, want)
		}
	}
}
