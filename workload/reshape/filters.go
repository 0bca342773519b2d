package reshape

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Filter takes jobs out of a log. It may be applied to several logs, one after
// another or at once: what it learns of one is kept in Apply.
type Filter interface {
	// String is the filter in the syntax of ParseFilter, as a header's Note
	// shows it.
	String() string
	// Apply yields the jobs that stay, in their order, and tells o of the
	// others. h is the log's header.
	Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq
}

// The texts of Duplicates.
const (
	duplicatesOfAll = "duplicates"
	duplicatesOfID  = "duplicates(by=id)"
)

// ParseFilter reads a filter: "duplicates" or "duplicates(by=id)", see Duplicates; otherwise a
// condition (ParseCondition), which removes the jobs that meet it.
func ParseFilter(text string) (Filter, error) {
	switch text = strings.TrimSpace(text); strings.ReplaceAll(text, " ", "") {
	case "":
		return nil, fmt.Errorf("an empty filter: want %s, or a condition", duplicatesOfAll)
	case duplicatesOfAll, "duplicates(by=all)":
		return Duplicates{}, nil
	case duplicatesOfID:
		return Duplicates{ByID: true}, nil
	}
	c, err := ParseCondition(text)
	if err != nil {
		return nil, fmt.Errorf("filter %q: %w", text, err)
	}
	return c, nil
}

// FiltersSchema names the JSON form of FilterList and its version.
const FiltersSchema = "loadstone.filters/1"

// FilterList describes the filters that ParseFilter reads.
type FilterList struct {
	Schema  string        `json:"schema"`
	Filters []FilterKind  `json:"filters"` // those with a name
	Fields  []FilterField `json:"fields"`  // what a condition can ask for
}

// FilterKind describes a filter with a name.
type FilterKind struct {
	Name    string `json:"name" csv:"filter"`
	Meaning string `json:"meaning"` // what it takes out
}

// FilterField describes a field of conditions.
type FilterField struct {
	Names   []string `json:"names" csv:"field" row:"words"` // any of them will do
	Meaning string   `json:"meaning"`
	Values  string   `json:"values"` // how they are written
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

// Duplicates removes the records that repeat an earlier one, in all fields or in the job number
// alone; the first stays. It remembers the last million records, in about 80 bytes each. Records
// without a job number, and parts of executions (status 2, 3 and 4, which share their job's number
// rightly), are no duplicates by number.
type Duplicates struct {
	ByID   bool
	within int // records to look back; 0 means duplicatesWithin
}

const duplicatesWithin = 1_000_000

// String implements Filter.
func (d Duplicates) String() string {
	if d.ByID {
		return duplicatesOfID
	}
	return duplicatesOfAll
}

// Apply implements Filter.
func (d Duplicates) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	within := cmp.Or(d.within, duplicatesWithin)
	columns := 1 // of the table, compared: the job number is the first
	if !d.ByID {
		columns = workload.NumColumns
	}
	var (
		seeds  = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
		first  = map[fingerprint]int64{} // row from 1
		recent []fingerprint             // a ring, of the keys of first
		oldest int
		record []byte
	)
	return workload.Select(jobs, func(j *workload.Job) bool {
		if j.ID == workload.Unknown || j.IsPart() && d.ByID {
			return true
		}
		record = record[:0]
		for i := range columns {
			c := workload.ColumnAt(i)
			x := c.Number(j)
			if math.IsNaN(x) {
				x = math.NaN() // one of its many forms
			}
			record = binary.LittleEndian.AppendUint64(record, math.Float64bits(x)^uint64(c.Int(j)))
		}
		key := fingerprint{maphash.Bytes(seeds[0], record), maphash.Bytes(seeds[1], record)}
		if row, ok := first[key]; ok {
			o.Remove(j, fmt.Sprintf("repeats row %d", row))
			return false
		}
		first[key] = j.Row + 1
		if len(recent) < within {
			recent = append(recent, key)
			return true
		}
		delete(first, recent[oldest])
		recent[oldest] = key
		oldest = (oldest + 1) % within
		return true
	})
}

// fingerprint stands for the fields of a record: that two of 1e8 different records share one by
// chance is a matter of 1e-22.
type fingerprint [2]uint64
