package slurm

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// squeueField is what the reader takes from a line of squeue.
type squeueField int

const (
	squeueJobID squeueField = iota
	squeueState
	squeueSubmit
	squeueStart
	squeueCPUs
	squeueTime
	squeueLimit
	squeueUser
	squeueAccount
	squeueGroup
	squeuePartition
	squeueQOS
	squeueName
	squeueReason
	squeueNodes
	squeueNodeCount
	squeuePriority
	squeueEligible
	squeueReqTRES
	squeueAllocTRES
	squeueOwnID   // of a task or component by itself, where the form has it
	squeueArrayID // this and the next of JSON and scontrol
	squeueArrayTask
	squeueArrayTasks
	squeueHetID
	squeueHetOffset
	squeueUID
	squeueEnd
	squeueSeen // when the scheduler last looked at the job
	squeueFields
)

// squeueValues are what a record has for each field.
type squeueValues [squeueFields][]byte

// squeueNames are the columns' names, as -o and -O print them; of several in
// one listing the first counts.
var squeueNames = [squeueFields][]string{
	squeueJobID:  {"JOBID"},
	squeueState:  {"STATE", "ST"},
	squeueSubmit: {"SUBMIT_TIME"}, squeueStart: {"START_TIME"},
	squeueCPUs: {"CPUS"},
	squeueTime: {"TIME"}, squeueLimit: {"TIME_LIMIT"},
	squeueUser: {"USER", "UID"}, squeueAccount: {"ACCOUNT"}, squeueGroup: {"GROUP"},
	squeuePartition: {"PARTITION"}, squeueQOS: {"QOS"}, squeueName: {"NAME"},
	squeueReason:    {"REASON", "NODELIST(REASON)"},
	squeueNodes:     {"NODELIST"},
	squeueNodeCount: {"NODES"}, squeueEnd: {"END_TIME"}, squeuePriority: {"PRIORITY"}, squeueEligible: {"ELIGIBLE_TIME"}, squeueAllocTRES: {"TRES_ALLOC"},
}

// squeueShapes are the columns whose values can be told, or have separators in them more
// often than others.
var squeueShapes = func() map[string]sacctColumn {
	shapes := map[string]sacctColumn{}
	for _, c := range []struct {
		sacctColumn
		names string
	}{
		{sacctColumn{shape: shapeJobID}, "JOBID"},
		{sacctColumn{shape: shapeState}, "ST STATE"},
		{sacctColumn{shape: shapeTime}, "SUBMIT_TIME START_TIME END_TIME ELIGIBLE_TIME"},
		{sacctColumn{shape: shapeLimit}, "TIME TIME_LIMIT TIME_LEFT"},
		{sacctColumn{shape: shapeRange}, "CPUS NODES MIN_CPUS"},
		{sacctColumn{shape: shapeSize}, "PRIORITY"},
		{sacctColumn{shape: shapeWord}, "USER UID ACCOUNT GROUP QOS"},
		{sacctColumn{shape: shapeText, bars: barsOften}, "NAME COMMAND"},
		{sacctColumn{shape: shapeText, bars: barsSometimes}, "COMMENT REASON NODELIST(REASON)"},
	} {
		for _, name := range strings.Fields(c.names) {
			shapes[name] = c.sacctColumn
		}
	}
	return shapes
}()

// squeueWanted are the fields that a listing must have.
var squeueWanted = []squeueField{squeueJobID, squeueState, squeueSubmit, squeueStart, squeueCPUs}

// squeueFormat is the listing to ask for.
const squeueFormat = `squeue -a -r -o "%i|%u|%a|%P|%q|%j|%T|%V|%S|%M|%l|%C|%r"`

// squeueLayout describes the lines of a listing, by the header line.
type squeueLayout struct {
	text    string
	between string // separator; "" is blanks
	columns int
	shapes  []sacctColumn        // what the columns' values look like
	at      [squeueFields]int    // -1 where there is none
	names   [squeueFields]string // what a field is called in the listing
	unused  []string

	priorities []int // columns of that name
}

// isSqueue reports whether a text begins with a header line of squeue, whose
// names are in capitals, as sacct's are not. A table with commas has to have
// all that is wanted: others may have such names too.
func isSqueue(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line, rest, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte{'\n'})
	if _, ok := squeueDate(string(line)); ok {
		line, _, _ = bytes.Cut(bytes.TrimLeft(rest, "\r\n"), []byte{'\n'})
	}
	text := string(parse.TrimReturn(line))
	between := squeueBetween(text)
	names := squeueCut(text, between)
	if len(names) == 0 || strings.HasPrefix(names[0], ";") || strings.HasPrefix(names[0], "#") {
		return false
	}
	if between == "," {
		for _, name := range []string{"SUBMIT_TIME", "START_TIME", "CPUS"} {
			if !slices.Contains(names, name) {
				return false
			}
		}
	}
	return slices.Contains(names, "JOBID") && (slices.Contains(names, "ST") || slices.Contains(names, "STATE"))
}

// squeueDate reads the line that squeue -l and -i print above the header: the
// moment of the listing, in local time.
func squeueDate(line string) (local time.Time, ok bool) {
	local, err := time.Parse("Mon Jan _2 15:04:05 2006", strings.TrimSpace(line))
	return local, err == nil
}

// squeueBetween is what stands between the columns of a header line.
func squeueBetween(line string) string {
	for _, between := range []string{"|", "\t", ",", ";"} {
		if strings.Contains(line, between) {
			return between
		}
	}
	return ""
}

// squeueCut takes a line apart. squeue pads what has a width.
func squeueCut(line, between string) []string {
	if between == "" {
		return strings.Fields(line)
	}
	parts := strings.Split(line, between)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

func newSqueueLayout(name string, at int64, line string) (*squeueLayout, error) {
	l := &squeueLayout{text: line, between: squeueBetween(line)}
	names := squeueCut(line, l.between)
	l.columns = len(names)
	for _, n := range names {
		c, ok := squeueShapes[n]
		if !ok {
			c = sacctColumn{shape: shapeText, bars: barsRarely}
		}
		l.shapes = append(l.shapes, c)
	}
	used := make([]bool, len(names))
	for f := range l.at {
		l.at[f] = -1
		for _, n := range squeueNames[f] {
			if i := slices.Index(names, n); i >= 0 && l.at[f] < 0 {
				l.at[f] = i
			}
		}
		if l.at[f] >= 0 {
			used[l.at[f]] = true
			l.names[f] = names[l.at[f]]
		}
	}
	for i, n := range names {
		if n == "PRIORITY" {
			l.priorities, used[i] = append(l.priorities, i), true
		}
		if !used[i] && n != "" {
			l.unused = append(l.unused, n)
		}
	}
	var missing []string
	for _, f := range squeueWanted {
		if l.at[f] < 0 {
			missing = append(missing, squeueNames[f][0])
		}
	}
	if len(missing) > 0 {
		return nil, &workload.InputError{File: name, Line: at, Field: "header", Saw: workload.Shorten([]byte(line)), Want: strings.Join(missing, ", ") + " too: " + squeueFormat}
	}
	return l, nil
}

// split takes a record apart. If a text in it has the separator, such as a job's name, the
// columns are found by the form of their values, as sacctAligner does; joined reports that, unless the
// last column is the text.
func (l *squeueLayout) split(name string, at int64, line string) (_ *squeueValues, joined bool, _ error) {
	var values squeueValues
	parts := squeueCut(line, l.between)
	if len(parts) > l.columns {
		a := sacctAligner{columns: l.shapes}
		from, ok := a.align(len(parts), func(i int) []byte { return []byte(parts[i]) })
		if ok {
			between := cmp.Or(l.between, " ")
			var texts []string
			for i := range from {
				text := parts[from[i]:a.end(from, i, len(parts))]
				joined = joined || len(text) > 1 && i < len(from)-1
				texts = append(texts, strings.Join(text, between))
			}
			parts = texts
		}
	}
	if len(parts) != l.columns {
		return nil, false, &workload.InputError{File: name, Line: at, Saw: words.Counted(len(parts), "column"),
			Want: words.Counted(l.columns, "column") + ", as the header line has: columns separated by bars are the safest, " + squeueFormat}
	}
	for f, i := range l.at {
		if i >= 0 {
			values[f] = []byte(parts[i])
		}
	}
	var priorities []string
	for _, i := range l.priorities {
		priorities = append(priorities, parts[i])
	}
	values[squeuePriority] = []byte(wholePriority(priorities))
	return &values, joined, nil
}
