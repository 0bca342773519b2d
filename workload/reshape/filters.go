package reshape

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Filter removes jobs from a log. It may be applied to several logs, one after another or
// concurrently. ParseFilter makes one.
type Filter struct {
	text  string
	apply func(*workload.Log) (applied, error)
}

// String returns the filter in the syntax of ParseFilter, as a header's Note shows it.
func (f Filter) String() string { return f.text }

// applied is a filter applied to one log.
type applied struct {
	reason func(*workload.Job) string // reason for which a job is removed, "" if it stays
	end    func() error               // error after all jobs have been read, or nil
}

// Names of filters that remove duplicates.
const (
	duplicatesOfAll = "duplicates"
	duplicatesOfID  = "duplicates(by=id)"
)

// ParseFilter parses a filter: "duplicates", which removes the records that repeat an earlier one
// in all fields; "duplicates(by=id)", which removes those that repeat the job number of an earlier
// one; or a condition (see condition), which removes the jobs that meet it.
func ParseFilter(text string) (Filter, error) {
	switch text = strings.TrimSpace(text); strings.ReplaceAll(text, " ", "") {
	case "":
		return Filter{}, fmt.Errorf("an empty filter: want %s, or a condition", duplicatesOfAll)
	case duplicatesOfAll, "duplicates(by=all)":
		return duplicates(duplicatesOfAll, duplicatesWithin), nil
	case duplicatesOfID:
		return duplicates(duplicatesOfID, duplicatesWithin), nil
	}
	f, err := condition(text)
	if err != nil {
		return Filter{}, fmt.Errorf("filter %q: %w", text, err)
	}
	return f, nil
}

// FiltersSchema is the name and version of the JSON format of FilterList.
const FiltersSchema = "loadstone.filters/1"

// FilterList describes the filters that ParseFilter reads.
type FilterList struct {
	Schema  string        `json:"schema"`
	Filters []FilterKind  `json:"filters"` // those with a name
	Fields  []FilterField `json:"fields"`  // fields of conditions
}

// FilterKind describes a filter with a name.
type FilterKind struct {
	Name    string `json:"name" csv:"filter"`
	Meaning string `json:"meaning"` // the records that it removes
}

// FilterField describes a field of conditions.
type FilterField struct {
	Names   []string `json:"names" csv:"field" row:"words"` // alternative names
	Meaning string   `json:"meaning"`
	Values  string   `json:"values"` // the form of its values
}

// Filters returns a description of all filters.
func Filters() FilterList {
	list := FilterList{Schema: FiltersSchema, Filters: []FilterKind{
		{duplicatesOfAll, "records that repeat an earlier one in job number and all fields; the first stays"},
		{duplicatesOfID, "records with the job number of an earlier one, parts of a job aside; the first stays"},
	}}
	for _, f := range fields {
		list.Fields = append(list.Fields, FilterField{slices.Clone(f.names), f.meaning, forms[f.kind]})
	}
	return list
}

// duplicatesWithin is the number of records that duplicates remembers, in about 70 bytes each.
const duplicatesWithin = 1_000_000

// duplicates removes the records that repeat one of the within records before them, in all fields
// or in the job number alone; the first stays. Records without a job number are never duplicates.
// Parts of executions (status 2, 3 and 4), which rightly share their job's number, are not
// duplicates by number.
func duplicates(text string, within int) Filter {
	byID := text == duplicatesOfID
	columns := workload.NumColumns // compared
	if byID {
		columns = workload.ColJobID + 1
	}
	return Filter{text, func(*workload.Log) (applied, error) {
		// Records are compared by a hash of their fields. The probability that two different
		// records, at most a million apart, share one by chance in a log of 1e8 records is about
		// 1e-5.
		seed, first := maphash.MakeSeed(), map[uint64]int64{} // row, from 1, by hash
		var recent []uint64                                   // the keys of first, as a ring
		var oldest int
		var record []byte
		return applied{func(j *workload.Job) string {
			if j.ID == workload.Unknown || j.IsPart() && byID {
				return ""
			}
			record = record[:0]
			for i := range columns {
				c := workload.ColumnAt(i)
				x := c.Number(j)
				if math.IsNaN(x) {
					x = math.NaN() // NaNs may differ in their bits
				}
				record = binary.LittleEndian.AppendUint64(record, math.Float64bits(x)^uint64(c.Int(j)))
			}
			key := maphash.Bytes(seed, record)
			if row, ok := first[key]; ok {
				return fmt.Sprintf("repeats row %d", row)
			}
			first[key] = j.Row + 1
			if len(recent) < within {
				recent = append(recent, key)
				return ""
			}
			delete(first, recent[oldest])
			recent[oldest] = key
			oldest = (oldest + 1) % within
			return ""
		}, noFault}, nil
	}}
}

func noFault() error { return nil }
