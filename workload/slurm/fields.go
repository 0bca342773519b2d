package slurm

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// record holds a record of Slurm's as texts; an empty text is unknown. Each field is declared here
// and nowhere else. Its tags name it in each form that has it:
//
//	sacct     column of sacct
//	job       member of a job of sacct --json; step: of one of the job's steps
//	squeue    column of squeue
//	queue     member of a job of squeue --json and scontrol show job --json
//	scontrol  key of scontrol show job
//	is        form of its values (see shapes), and how often people put a separator
//	          into them (see barsOften)
//
// If a record has several of the names, the first one with a value counts.
type record struct {
	JobID        []byte `is:"id" sacct:"JobID" squeue:"JOBID" step:"step.id.step_id step.id"`
	JobIDRaw     []byte `is:"id" sacct:"JobIDRaw" job:"job_id" queue:"job_id" scontrol:"JobId"` // the number that a task or component has of its own
	ArrayID      []byte `is:"word" job:"array.job_id" queue:"array_job_id" scontrol:"ArrayJobId"`
	ArrayTask    []byte `is:"word" job:"array.task_id" queue:"array_task_id" scontrol:"ArrayTaskId"`
	ArrayTasks   []byte `is:"word" job:"array.task" queue:"array_task_string"`
	HetID        []byte `is:"word" job:"het.job_id" queue:"het_job_id" scontrol:"HetJobId"`
	HetOffset    []byte `is:"word" job:"het.job_offset" queue:"het_job_offset" scontrol:"HetJobOffset"`
	Cluster      []byte `is:"word" sacct:"Cluster" job:"cluster association.cluster"`
	User         []byte `is:"word" sacct:"User" job:"user association.user" squeue:"USER" queue:"user_name" scontrol:"UserId"`
	UID          []byte `is:"count" sacct:"UID" squeue:"UID" queue:"user_id"`
	Account      []byte `is:"word" sacct:"Account" job:"account association.account" squeue:"ACCOUNT" queue:"account" scontrol:"Account"`
	Group        []byte `is:"word" sacct:"Group" job:"group" squeue:"GROUP" queue:"group_name" scontrol:"GroupId"`
	GID          []byte `is:"count" sacct:"GID"`
	Partition    []byte `is:"word" sacct:"Partition" job:"partition" squeue:"PARTITION" queue:"partition" scontrol:"Partition"`
	QOS          []byte `is:"word" sacct:"QOS" job:"qos" squeue:"QOS" queue:"qos" scontrol:"QOS"`
	JobName      []byte `is:"text often" sacct:"JobName" job:"name" squeue:"NAME" queue:"name" scontrol:"JobName"`
	State        []byte `is:"state" sacct:"State" job:"state.current" squeue:"STATE ST" queue:"job_state" scontrol:"JobState"`
	Reason       []byte `is:"text sometimes" squeue:"REASON NODELIST(REASON)" queue:"state_reason" scontrol:"Reason"`
	LastReason   []byte `is:"word" sacct:"Reason" job:"state.reason"` // the last one other than Priority and Resources
	Priority     []byte `is:"size" squeue:"PRIORITY" queue:"priority" scontrol:"Priority"`
	Submit       []byte `is:"time" sacct:"Submit" job:"time.submission" squeue:"SUBMIT_TIME" queue:"submit_time" scontrol:"SubmitTime"`
	Eligible     []byte `is:"time" sacct:"Eligible" job:"time.eligible" squeue:"ELIGIBLE_TIME" queue:"eligible_time" scontrol:"EligibleTime"`
	Start        []byte `is:"time" sacct:"Start" job:"time.start" squeue:"START_TIME" queue:"start_time" scontrol:"StartTime"`
	End          []byte `is:"time" sacct:"End" job:"time.end" squeue:"END_TIME" queue:"end_time" scontrol:"EndTime"`
	Seen         []byte `is:"time" queue:"last_sched_evaluation" scontrol:"LastSchedEval"` // last time at which the scheduler considered the job
	Elapsed      []byte `is:"duration" sacct:"Elapsed" squeue:"TIME" scontrol:"RunTime"`
	ElapsedRaw   []byte `is:"count" sacct:"ElapsedRaw" job:"time.elapsed"`
	Suspended    []byte `is:"duration" sacct:"Suspended"`
	SuspendedRaw []byte `is:"count" job:"time.suspended"`
	Timelimit    []byte `is:"limit" sacct:"Timelimit" squeue:"TIME_LIMIT" scontrol:"TimeLimit"`
	TimelimitRaw []byte `is:"limit" sacct:"TimelimitRaw" job:"time.limit" queue:"time_limit"`
	ReqNodes     []byte `is:"count" sacct:"ReqNodes" squeue:"NODES" queue:"node_count" scontrol:"NumNodes"`
	NNodes       []byte `is:"count" sacct:"NNodes AllocNodes" job:"allocation_nodes"`
	ReqCPUS      []byte `is:"count" sacct:"ReqCPUS" job:"required.CPUs" squeue:"CPUS" queue:"cpus" scontrol:"NumCPUs"`
	NCPUS        []byte `is:"count" sacct:"NCPUS AllocCPUS"`
	ReqMem       []byte `is:"size" sacct:"ReqMem"`
	ReqTRES      []byte `is:"tres" sacct:"ReqTRES" job:"tres.requested" queue:"tres_req_str" scontrol:"ReqTRES"`
	AllocTRES    []byte `is:"tres" sacct:"AllocTRES" job:"tres.allocated" squeue:"TRES_ALLOC" queue:"tres_alloc_str" scontrol:"AllocTRES"`
	TRES         []byte `is:"tres" scontrol:"TRES"` // before 23.02: of the request, then of the allocation
	TotalCPU     []byte `is:"duration" sacct:"TotalCPU"`
	CPUSeconds   []byte `is:"count" job:"time.total.seconds" step:"time.total.seconds"`
	CPUMicro     []byte `is:"count" job:"time.total.microseconds" step:"time.total.microseconds"` // in addition to the seconds
	MaxRSS       []byte `is:"size" sacct:"MaxRSS"`
	MaxTRES      []byte `is:"tres" step:"tres.requested.max"`
	NTasks       []byte `is:"count" sacct:"NTasks" step:"tasks.count"`
	Energy       []byte `is:"size" sacct:"ConsumedEnergyRaw" step:"statistics.energy.consumed"`
	NodeList     []byte `is:"word" sacct:"NodeList" job:"nodes" squeue:"NODELIST" queue:"nodes" scontrol:"NodeList"`
	Steps        []byte `is:"steps" job:"steps"` // read separately
}

// unusedColumns are the other columns of sacct, from version 14 to 25 (its man page and real
// output), by their shape. Columns without a recognisable form are text.
var unusedColumns = map[string]string{
	"text often":     "Constraints SubmitLine",
	"text sometimes": "AdminComment Comment SystemComment",
	"text rarely":    "BlockID Container Extra Licenses McsLabel Reservation ReqReservation StdErr StdIn StdOut WCKey WorkDir",
	"word": `AllocGRES FailedNode Flags Layout MaxDiskReadNode MaxDiskWriteNode MaxPagesNode MaxRSSNode MaxVMSizeNode MinCPUNode
		QOSREQ ReqCPUFreqGov ReqGRES SLUID Exclusive`,
	"count": `AssocID CPUTimeRAW DBIndex MaxDiskReadTask MaxDiskWriteTask MaxPagesTask MaxRSSTask MaxVMSizeTask MinCPUTask
		PlannedCPURAW Priority QOSRAW ReservationId Restarts ResvCPURAW SegmentSize WCKeyID`,
	"size": `AveCPUFreq AveDiskRead AveDiskWrite AvePages AveRSS AveVMSize ConsumedEnergy MaxDiskRead MaxDiskWrite MaxPages
		MaxVMSize ReqCPUFreq ReqCPUFreqMax ReqCPUFreqMin`,
	"duration": "AveCPU CPUTime MinCPU Planned PlannedCPU Reserved ResvCPU SystemCPU UserCPU",
	"exit":     "DerivedExitCode ExitCode",
	"tres": `TRESUsageInAve TRESUsageInMax TRESUsageInMaxNode TRESUsageInMaxTask TRESUsageInMin TRESUsageInMinNode
		TRESUsageInMinTask TRESUsageInTot TRESUsageOutAve TRESUsageOutMax TRESUsageOutMaxNode TRESUsageOutMaxTask
		TRESUsageOutMin TRESUsageOutMinNode TRESUsageOutMinTask TRESUsageOutTot`,
}

// unusedSqueue are the other columns of squeue.
var unusedSqueue = map[string]string{"text often": "COMMAND", "text sometimes": "COMMENT", "count": "MIN_CPUS", "limit": "TIME_LEFT"}

// column is a column that sacct or squeue can print.
type column struct {
	field int // index in record; -1 if the column is not used
	shape *shape
	// bars is 0 if a value cannot hold a separator. Otherwise it is the cost of taking a
	// separator as part of this column's text: people put bars into some columns more often than
	// into others.
	bars int32
}

const (
	barsOften     = 2 // a job's name, a command line with pipes, "cpu-a|cpu-b"
	barsSometimes = 4
	barsRarely    = 6
)

var recordType = reflect.TypeFor[record]()

// sacctColumns and squeueColumns are the columns that the commands can print, by name.
var sacctColumns, squeueColumns = columnsOf("sacct", unusedColumns), columnsOf("squeue", unusedSqueue)

// columnsOf returns the columns that a tag of record names, and the unused ones.
func columnsOf(command string, unused map[string]string) map[string]column {
	known := map[string]column{}
	add := func(names, is string, field int) {
		looks, often, _ := strings.Cut(is, " ")
		for _, name := range strings.Fields(names) {
			known[name] = column{field, shapes[looks], map[string]int32{"often": barsOften, "sometimes": barsSometimes, "rarely": barsRarely}[often]}
		}
	}
	for is, names := range unused {
		add(names, is, -1)
	}
	for i := range recordType.NumField() {
		tag := recordType.Field(i).Tag
		add(tag.Get(command), tag.Get("is"), i)
	}
	return known
}

// fields is a record with the addresses of its fields, in order, through which readers set
// fields by number.
type fields struct {
	record
	at []*[]byte
}

func newFields() *fields {
	f := &fields{}
	v := reflect.ValueOf(&f.record).Elem()
	for i := range v.NumField() {
		f.at = append(f.at, v.Field(i).Addr().Interface().(*[]byte))
	}
	return f
}

// shape describes the form of a column's values, as far as it helps to find the columns in a
// line with surplus separators.
type shape struct {
	fits  func([]byte) bool // reports whether a value that is not empty has the form
	blank int32             // cost of an empty value, see cutter
}

// shapes maps the names in the tag "is" to shapes. Every column but the job's number may be
// empty.
var shapes = func() map[string]*shape {
	isCount, isDuration := reads(parseCount), reads(parseDuration)
	// No word that Slurm prints contains a line end or begins with a blank.
	isWord := func(v []byte) bool { return v[0] != ' ' && v[0] != '\t' && !bytes.ContainsAny(v, "\r\n") }
	return map[string]*shape{
		"text": {func([]byte) bool { return true }, 0},
		"word": {isWord, 0},
		"count": {func(v []byte) bool {
			first, last, _ := bytes.Cut(v, []byte{'-'})
			return parse.IsDigits(v) || v[0]-'0' <= 9 && isCount(first) && isCount(last)
		}, aBlank},
		"size": {reads(func(v []byte) (size, string) { return parseSize(v, 'K') }), aBlank},
		"time": {func(v []byte) bool {
			t, want := parseTime(v)
			return want == "" && (t.kind != timeUnix || len(v) >= 9) // not a small count
		}, 2 * aBlank},
		"duration": {isDuration, aBlank},
		"limit":    {func(v []byte) bool { return parse.IsDigits(v) || isDuration(v) }, aBlank},
		"exit": {func(v []byte) bool {
			code, signal, _ := bytes.Cut(v, []byte{':'})
			return parse.IsDigits(code) && parse.IsDigits(signal)
		}, aBlank},
		"state": {func(v []byte) bool { return parseState(v) != stateUnknown }, 2 * aBlank},
		"id":    {reads(parseID), noWay},
		"tres":  {func(v []byte) bool { return bytes.IndexByte(v, '=') > 0 && bytes.IndexByte(v, ' ') < 0 && isWord(v) }, aBlank},
	}
}()

// nothing is the shape of the empty column after the last separator of sacct -p.
var nothing = &shape{func([]byte) bool { return false }, 0}

// reads returns a function that reports whether a parser accepts a value.
func reads[T any](read func([]byte) (T, string)) func([]byte) bool {
	return func(v []byte) bool { _, want := read(v); return want == "" }
}

// layout holds the names that a listing has for the fields of its records and, for a text in
// columns, the layout of its lines.
type layout struct {
	names map[string]string // by field, for the fields that the listing has
	queue bool              // the listing shows the queue: running and waiting jobs

	text    string // the header line
	between string // the separator; " " means any number of blanks
	columns []column
	plain   []int    // index of each column's first piece if each column has one piece, then the number of pieces
	bare    bool     // values have no blanks or quotes around them
	unused  []string // names of columns that the job table lacks
}

// newLayout returns the layout of JSON or scontrol, with the fields that have one of the tags.
func newLayout(queue bool, tags ...string) *layout {
	l := &layout{queue: queue, names: map[string]string{}}
	for i := range recordType.NumField() {
		f := recordType.Field(i)
		for _, tag := range tags {
			name := firstName(f.Tag.Get(tag))
			if tag == "step" && name != "" {
				name = "steps." + name
			}
			l.names[f.Name] = cmp.Or(l.names[f.Name], name)
		}
	}
	l.names["JobID"] = l.names["JobIDRaw"] // it is made from several members or keys
	return l
}

// firstName returns the first name in a tag.
func firstName(tag string) string {
	name, _, _ := strings.Cut(tag, " ")
	return name
}

// has reports whether the listing has at least one of the fields.
func (l *layout) has(fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return l.names[f] != "" })
}

// scontrolFields maps scontrol's keys to the indexes of fields of record.
var scontrolFields = func() map[string]int {
	fields := map[string]int{}
	for i := range recordType.NumField() {
		fields[recordType.Field(i).Tag.Get("scontrol")] = i
	}
	return fields
}()
