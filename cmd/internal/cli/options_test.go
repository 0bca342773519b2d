package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Programs are told every flag, with its type and what the shell completes.
func TestOptions(t *testing.T) {
	got := loadstone(t, "", "options")
	var described interfaceOf
	if err := json.Unmarshal([]byte(got.out), &described); err != nil || got.code != exitDone {
		t.Fatalf("exit code %d, %v", got.code, err)
	}
	option := func(command, name string) optionOf {
		for _, c := range described.Commands {
			for _, o := range c.Options {
				if c.Command == command && o.Name == name {
					return o
				}
			}
		}
		t.Errorf("%s has no --%s", command, name)
		return optionOf{}
	}
	if o := option("simulate", "policy"); !slices.Contains(o.Choices, "easy") || o.Default != "fcfs" {
		t.Errorf("choices: %+v", o)
	}
	if o := option("clean", "filter"); !o.Repeated || o.Value != "filter" || strings.Contains(o.Help, "`") {
		t.Errorf("repeated: %+v", o)
	}
	if o := option("describe", "quiet"); o.Type != "bool" || o.Shorthand != "q" || o.Repeated {
		t.Errorf("flag of every command: %+v", o)
	}
	if c := described.Columns; len(c) != workload.NumColumns || c[workload.ColQueue] != (columnOf{Name: "queue_id", Always: true, Names: "Queue"}) || !c[workload.ColRunTime].Float {
		t.Errorf("columns: %+v", c)
	}
	for _, c := range described.Commands {
		if c.Command == "options" || c.Command == "help" || c.Usage == "" || c.Summary == "" {
			t.Errorf("command %+v", c)
		}
	}
}

// Programs read a log as the header in a line and CSV.
func TestFrame(t *testing.T) {
	const header = "; MaxProcs: 4\n; Note: one\n;       and a half\n; Queue: 3 night\n"
	log := writeLog(t, header+"1 0 5 100 1 -1 -1 1 -1 -1 1 7 -1 -1 3 -1 -1 -1\n")
	head, rows, _ := strings.Cut(loadstone(t, "", "frame", log).out, "\n")
	if want := `{"header":[["MaxProcs","4"],["Note","one\nand a half"],["Queue","3 night"]],"names":{"queue_id":{"3":"night"}}}`; head != want {
		t.Errorf("got %s, want %s", head, want)
	}
	if !strings.HasPrefix(rows, "job_id,submit_time_s,") || !strings.Contains(rows, "\n1,0,5,100,1,") {
		t.Errorf("got %s", rows)
	}
	empty := loadstone(t, "", "frame", writeLog(t, "; MaxProcs: 4\n"))
	if _, rows, _ := strings.Cut(empty.out, "\n"); !strings.HasPrefix(rows, "job_id,") {
		t.Errorf("no jobs: %q, %q", empty.out, empty.err)
	}
}
