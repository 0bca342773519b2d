package snapshots

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MappingSchema names the JSON form of a Mapping and its version.
const MappingSchema = "loadstone.snapshots-mapping/1"

// Mapping gives the meaning of the columns of a table.
type Mapping struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
	// Time is the column with the moment of the snapshot: a date and time such as
	// 2021-05-01 12:00:00, or seconds.
	Time string `json:"time"`
	// Answer is the column with the time from the snapshot to the job's start, in
	// Unit: s, min or h. An empty value is a job that is not known to have started.
	Answer string `json:"answer"`
	Unit   string `json:"unit"`
	// Group is the column of the groups whose means are one predictor, such as the
	// partition.
	Group string `json:"group"`
	// Numbers are the columns of features. A value that is not a finite number
	// is missing.
	Numbers []string `json:"numbers"`
	// Times are columns of moments that are features too, as seconds before the
	// snapshot.
	Times []string `json:"times,omitempty"`
}

// Columns returns all columns that a mapping names.
func (m *Mapping) Columns() []string {
	return append(append([]string{m.Time, m.Answer, m.Group}, m.Times...), m.Numbers...)
}

// Features returns the columns of a mapping's features, in order.
func (m *Mapping) Features() []string { return append(slices.Clone(m.Times), m.Numbers...) }

// units are those of answers, in seconds.
var units = map[string]float64{"s": 1, "min": 60, "h": 3600}

// Validate returns an error for the first field that is missing or wrong.
func (m *Mapping) Validate() error {
	switch {
	case m.Schema != MappingSchema:
		return fmt.Errorf("schema: saw %q, want %q", m.Schema, MappingSchema)
	case units[m.Unit] == 0:
		return fmt.Errorf("unit: saw %q, want s, min or h", m.Unit)
	case len(m.Numbers)+len(m.Times) == 0:
		return errors.New("numbers: saw none, want the columns of features")
	}
	seen := map[string]string{}
	for i, column := range m.Columns() {
		field := "numbers"
		switch {
		case i < 3:
			field = []string{"time", "answer", "group"}[i]
		case i < 3+len(m.Times):
			field = "times"
		}
		switch before, twice := seen[column]; {
		case column == "":
			return fmt.Errorf("%s: saw an empty name, want a column", field)
		case twice && (before != "group" && field != "group" || before == field || column == m.Answer || column == m.Time):
			return fmt.Errorf("%s: saw %q, which is in %s too: want each column once; the group alone may be a feature", field, column, before)
		}
		seen[column] = field
	}
	return nil
}

// FindMapping returns the built-in mapping of that name, or else reads the JSON
// file of that name.
func FindMapping(name string) (*Mapping, error) {
	for _, m := range builtin() {
		if m.Name == name {
			return m, nil
		}
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, "./") {
		return nil, &workload.OptionError{Option: "snapshots", Saw: fmt.Sprintf("%q", name), Want: "the file of a mapping, or one of " + strings.Join(MappingNames(), ", ")}
	}
	if err != nil {
		return nil, &workload.InputError{File: name, Want: "a mapping of snapshots", Err: err}
	}
	defer f.Close()
	return decodeMapping(name, f)
}

func decodeMapping(name string, r io.Reader) (*Mapping, error) {
	d := json.NewDecoder(io.LimitReader(r, 1<<20))
	d.DisallowUnknownFields()
	m := new(Mapping)
	err := d.Decode(m)
	if err != nil {
		err = jsonfault.Words(err)
	} else {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is more behind the object")
		}
	}
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return nil, &workload.InputError{File: name, Want: "a mapping of snapshots", Err: err}
	}
	return m, nil
}

// MappingNames returns the names of the built-in mappings.
func MappingNames() []string {
	var names []string
	for _, m := range builtin() {
		names = append(names, m.Name)
	}
	return names
}

// MappingOf returns the built-in mapping whose columns are all among columns, nil if there
// is none.
func MappingOf(columns []string) *Mapping {
	for _, m := range builtin() {
		if !slices.ContainsFunc(m.Columns(), func(c string) bool { return !slices.Contains(columns, c) }) {
			return m
		}
	}
	return nil
}

// SlurmQueueTime is the name of the built-in mapping of slurm-queue-time-pred.
const SlurmQueueTime = "slurm-queue-time-pred"

func builtin() []*Mapping { return []*Mapping{slurmQueueTime()} }

// slurmQueueTime is the mapping of the snapshots of Popa and Alain
// (github.com/mila-iqia/slurm-queue-time-pred). Columns that are known only later
// are left out: of the accounting (start, end and run time, state, allocated
// nodes, final partition, priority and eligible time).
func slurmQueueTime() *Mapping {
	m := &Mapping{
		Schema: MappingSchema, Name: SlurmQueueTime,
		Time: "poll_time", Answer: "poll_wait_sec", Unit: "s", Group: "partition_id_y",
		Times:   []string{"submit_time"},
		Numbers: strings.Fields("account_id req_cpus req_mem_total req_mem_per_cpu time_limit_sec partition_id_y priority_y"),
	}
	// What is ahead of the job: q queued, r running; in all, of its partition, of its
	// account, of both.
	for _, of := range []string{"", "p_", "a_", "p_a_"} {
		for _, what := range strings.Fields("jobs_above cores_above mem_above core_hours_above core_run_hours gpus_above gpu_hours_above gpu_run_hours") {
			m.Numbers = append(m.Numbers, "q_"+of+what)
		}
		for _, what := range strings.Fields("jobs_above cores_above mem_above core_hours_above gpus_above gpu_hours_above") {
			m.Numbers = append(m.Numbers, "r_"+of+what)
		}
	}
	// The account's fair share.
	m.Numbers = append(m.Numbers, strings.Fields("raw_share_poll norm_share_poll raw_use_poll effect_use_poll level_fs_poll norm_use_poll norm_use_log_poll")...)
	return m
}
