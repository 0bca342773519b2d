package mapping

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema is the name and version of the JSON format of a Mapping.
const Schema = "loadstone.mapping/1"

// Mapping says how a table written by another program becomes a job table.
type Mapping struct {
	Name   string // the value of --as; for a file without a name, the file's name without extension
	Title  string // what data it reads, for lists and messages
	Source string // where the data are published
	Tried  string // the data that the mapping was tested on
	// Zone is the IANA name of the time zone of times that state none, such as
	// Europe/Zurich. If it is "", Options.TimeZone applies.
	Zone string
	// Header has lines to add to the log's header: pairs of a keyword, such as MaxProcs,
	// and its value.
	Header [][2]string
	// Exactly lists the columns of the published files in order. A file with exactly these
	// columns is recognised as one of them. It is nil if they are not known.
	Exactly []string
	// Among lists columns of the published Parquet table, each with all names that it has
	// had. A Parquet file that has one name of each is recognised as such a table.
	Among [][]string
	// Places are the paths, inside the folder of a published trace, of the table of jobs: a
	// folder of part files, or a file.
	Places []string
	// Fields names the columns of files without a header line, in order. Separator stands
	// between them; "" means blanks.
	Fields    []string
	Separator string
	// LeftOut has pairs of a column that the job table has no place for, and the reason.
	LeftOut [][2]string

	others  []otherTable
	byNames bool              // found by the names of a file's columns and --map
	asked   map[target]string // the columns of --map
	aliased []string          // columns read under another name, such as "runtime as run_time_s"
	short   bool              // a column has a name without its unit, such as "user"
	// An entry stands behind those that it is computed from. Of several entries of one
	// target the first that fits the file counts.
	entries []entry
}

// form is how the texts or numbers of a column are read.
type form string

const (
	formNumber    form = "number"    // a number of units
	formDuration  form = "duration"  // a number of units, or a text such as 1-02:03:04
	formMemory    form = "memory"    // a text such as 16G; a number of units
	formTRES      form = "tres"      // Slurm's resources: cpu=4,mem=16G,gres/gpu=2
	formArray     form = "array"     // a number with that of its array: 16922[16921]
	formName      form = "name"      // a text that names something
	formRow       form = "row"       // anything: the row is the number
	formStatus    form = "status"    // a word for a status
	formTimestamp form = "timestamp" // a date and time of day; of a length of time, the difference of two
	formUnix      form = "unix"      // a number of units since 1970
	formRelative  form = "relative"  // a number of units since the log's start
	formMoment    form = "moment"    // timestamp, unix or relative, as the first rows are
	formID        form = "id"        // name or number, as the column is; of a job, number or row
)

// entry is how one column of the job table, or one of the extra targets, comes
// about.
type entry struct {
	target target
	path   string // in the mapping, for messages
	line   int64

	operator string    // "" for one operand, else one of operators
	operands []operand // one or two
	optional bool      // the file may lack its columns

	form    form
	scale   scale
	round   string           // "", "up", "down" or "nearest"
	comma   bool             // a comma stands for the point of decimals
	prefix  string           // of a number: what stands before it
	keys    []string         // of resources
	absent  float64          // a resource that is not among others; NaN is unknown
	values  map[string]int64 // of statuses; Unknown for those without a meaning
	mixed   bool             // what is no number among numbers is counted, and no error
	unknown []string         // values that stand for unknown, beside empty ones
	none    []float64        // those of them that are numbers
}

// operand is a column of the file, a number, or another entry's value.
type operand struct {
	columns []string // of the file: the first that is there
	number  float64
	entry   string // a target's name
}

// operators take two operands.
var operators = []string{"plus", "minus", "times", "over"}

// target is a column of the job table, or what gives one.
type target int

const (
	toStart        target = workload.NumColumns + iota // when the job started: gives the wait
	toEnd                                              // when it ended: gives the run time
	toInterarrival                                     // s, from the last job's submission: gives the submissions
	targets
)

// extra are the names of the targets that are no columns of the table.
var extra = [...]string{"start_time_s", "end_time_s", "interarrival_time_s"}

func (t target) String() string {
	if t < workload.NumColumns {
		return workload.ColumnAt(int(t)).Name
	}
	return extra[t-workload.NumColumns]
}

// column describes the target where it is a column of the table, else nil.
func (t target) column() *workload.Column {
	if t < workload.NumColumns {
		return workload.ColumnAt(int(t))
	}
	return nil
}

// moment reports that a target is a point in time.
func (t target) moment() bool {
	return t == workload.ColSubmitTime || t == workload.ColEligibleTime || t == toStart || t == toEnd
}

// float reports that a target's values are float64.
func (t target) float() bool { return t.column() == nil || t.column().Float() }

// unit is the unit of a target's values.
func (t target) unit() string {
	if c := t.column(); c != nil {
		return c.Unit
	}
	return "s"
}

// findTarget returns the target of that name.
func findTarget(name string) (target, bool) {
	for t := range targets {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}

// forms are those that a target can have; the first is the usual one.
func (t target) forms() []form {
	if t.moment() {
		return []form{formTimestamp, formUnix, formRelative, formMoment}
	}
	c := t.column()
	switch {
	case c == nil:
		return []form{formNumber, formDuration}
	case t == workload.ColStatus:
		return []form{formStatus}
	case c.Use == workload.JobNumber:
		return []form{formNumber, formRow, formArray, formID}
	case c.NameKey != "":
		return []form{formName, formNumber, formTRES, formID}
	case c.Unit == "s":
		return []form{formNumber, formDuration, formTimestamp}
	case c.Unit == "KB":
		return []form{formNumber, formMemory, formTRES}
	}
	return []form{formNumber, formTRES}
}
