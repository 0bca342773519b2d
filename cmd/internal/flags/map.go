package flags

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Map is the mapping from columns of the job table to those of a CSV file:
// pairs table=file with commas between, in quotes where a name has a comma.
// The flag may be given several times.
type Map map[string]string

func (m *Map) String() string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(*m)) {
		pairs = append(pairs, key+"="+(*m)[key])
	}
	return strings.Join(pairs, ",")
}

func (m *Map) Type() string { return "column=name,..." }

func (m *Map) Set(s string) error {
	if s == "" {
		return fmt.Errorf("saw nothing, want column=name separated by commas")
	}
	pairs, err := csv.NewReader(strings.NewReader(s)).Read()
	if err != nil {
		return fmt.Errorf("want column=name separated by commas: %w", err)
	}
	all := maps.Clone(*m)
	if all == nil {
		all = Map{}
	}
	for _, pair := range pairs {
		key, name, ok := strings.Cut(pair, "=")
		key, name = strings.TrimSpace(key), strings.TrimSpace(name)
		if !ok || key == "" || name == "" {
			return fmt.Errorf("saw %q, want column=name, such as submit_time=Submitted", pair)
		}
		if _, ok := all[key]; ok {
			return fmt.Errorf("%q is mapped twice", key)
		}
		all[key] = name
	}
	if err := mapping.CheckPairs(all); err != nil {
		return err
	}
	*m = all
	return nil
}
