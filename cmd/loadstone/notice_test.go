package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// NOTICE names every module with which the command is built on any of three systems, and no others.
func TestNoticeNamesEveryModule(t *testing.T) {
	text := jobtest.Must(os.ReadFile("../../NOTICE"))
	var linked []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		linked = append(linked, strings.Fields(string(out))...)
	}
	slices.Sort(linked)
	linked = slices.Compact(linked)
	var named []string
	lines := strings.Split(string(text), "\n")
	for i, line := range lines[:len(lines)-1] {
		// A module's path is on a separate line, with its licence indented below it.
		if first, _, _ := strings.Cut(line, "/"); strings.Contains(first, ".") && !strings.ContainsAny(line, " :") && strings.HasPrefix(lines[i+1], "    ") {
			named = append(named, line)
		}
	}
	if !slices.Equal(named, linked) {
		t.Errorf("NOTICE names\n%s\nthe command is built with\n%s", strings.Join(named, "\n"), strings.Join(linked, "\n"))
	}
	if len(linked) < 20 {
		t.Errorf("only %d modules: the list is not whole", len(linked))
	}
}
