package slurm

import (
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sacctField is what the reader takes from a record of sacct.
type sacctField int

const (
	sacctUnused sacctField = iota
	sacctJobID
	sacctJobIDRaw
	sacctCluster
	sacctUser
	sacctUID
	sacctAccount
	sacctGroup
	sacctGID
	sacctPartition
	sacctQOS
	sacctJobName
	sacctState
	sacctSubmit
	sacctStart
	sacctEnd
	sacctElapsed
	sacctElapsedRaw
	sacctSuspended
	sacctTimelimit
	sacctTimelimitRaw
	sacctNNodes
	sacctReqNodes
	sacctNCPUS
	sacctReqCPUS
	sacctReqMem
	sacctReqTRES
	sacctAllocTRES
	sacctTotalCPU
	sacctMaxRSS
	sacctNTasks
	sacctNodeList
	sacctEligible
	sacctEnergy
	sacctArrayID // this and the next of JSON: what a task's number is made of
	sacctArrayTask
	sacctArrayTasks
	sacctHetID
	sacctHetOffset
	sacctFields
)

// sacctValues are what a record has for each field.
type sacctValues [sacctFields][]byte

// sacctColumn is a column that sacct can print.
type sacctColumn struct {
	name  string
	field sacctField
	shape sacctShape
	// bars is 0 where a value cannot hold a bar. Else it is what it costs to
	// take one for a part of this column's text: people put bars into some
	// columns more than into others.
	bars int
}

// maxSacctColumns bounds the work on a line; sacct has some 120 columns.
const maxSacctColumns = 400

const (
	barsOften     = 2 // a job's name, a command line with pipes, "cpu-a|cpu-b"
	barsSometimes = 4
	barsRarely    = 6
)

// sacctKnown are the columns of sacct, from version 14 to 25 (its man page and
// real output). What has no shape to tell it by is text.
var sacctKnown = func() map[string]sacctColumn {
	known := map[string]sacctColumn{}
	add := func(shape sacctShape, bars int, names string) {
		for _, name := range strings.Fields(names) {
			known[strings.ToLower(name)] = sacctColumn{name: name, shape: shape, bars: bars}
		}
	}
	add(shapeText, barsOften, "Constraints JobName SubmitLine")
	add(shapeText, barsSometimes, "AdminComment Comment SystemComment")
	add(shapeText, barsRarely, "BlockID Container Extra Licenses McsLabel Reservation ReqReservation StdErr StdIn StdOut WCKey WorkDir")
	add(shapeWord, 0, `Account AllocGRES Cluster FailedNode Flags Group Layout MaxDiskReadNode MaxDiskWriteNode
		MaxPagesNode MaxRSSNode MaxVMSizeNode MinCPUNode NodeList Partition QOS QOSREQ ReqCPUFreqGov ReqGRES Reason SLUID User Exclusive`)
	add(shapeCount, 0, `AllocCPUS AllocNodes AssocID CPUTimeRAW DBIndex ElapsedRaw GID MaxDiskReadTask MaxDiskWriteTask
		MaxPagesTask MaxRSSTask MaxVMSizeTask MinCPUTask NCPUS NNodes NTasks PlannedCPURAW Priority QOSRAW ReqCPUS
		ReqNodes ReservationId Restarts ResvCPURAW SegmentSize UID WCKeyID`)
	add(shapeSize, 0, `AveCPUFreq AveDiskRead AveDiskWrite AvePages AveRSS AveVMSize ConsumedEnergy ConsumedEnergyRaw
		MaxDiskRead MaxDiskWrite MaxPages MaxRSS MaxVMSize ReqCPUFreq ReqCPUFreqMax ReqCPUFreqMin ReqMem`)
	add(shapeTime, 0, "Eligible End Start Submit")
	add(shapeDuration, 0, "AveCPU CPUTime Elapsed MinCPU Planned PlannedCPU Reserved ResvCPU Suspended SystemCPU TotalCPU UserCPU")
	add(shapeLimit, 0, "Timelimit TimelimitRaw")
	add(shapeExit, 0, "DerivedExitCode ExitCode")
	add(shapeState, 0, "State")
	add(shapeJobID, 0, "JobID JobIDRaw")
	add(shapeTRES, 0, `AllocTRES ReqTRES TRESUsageInAve TRESUsageInMax TRESUsageInMaxNode TRESUsageInMaxTask TRESUsageInMin
		TRESUsageInMinNode TRESUsageInMinTask TRESUsageInTot TRESUsageOutAve TRESUsageOutMax TRESUsageOutMaxNode
		TRESUsageOutMaxTask TRESUsageOutMin TRESUsageOutMinNode TRESUsageOutMinTask TRESUsageOutTot`)
	for name, field := range map[string]sacctField{
		"JobID": sacctJobID, "JobIDRaw": sacctJobIDRaw, "Cluster": sacctCluster, "User": sacctUser, "UID": sacctUID,
		"Account": sacctAccount, "Group": sacctGroup, "GID": sacctGID, "Partition": sacctPartition, "QOS": sacctQOS,
		"JobName": sacctJobName, "State": sacctState, "Submit": sacctSubmit, "Start": sacctStart, "End": sacctEnd,
		"Elapsed": sacctElapsed, "ElapsedRaw": sacctElapsedRaw, "Suspended": sacctSuspended,
		"Timelimit": sacctTimelimit, "TimelimitRaw": sacctTimelimitRaw,
		"NNodes": sacctNNodes, "AllocNodes": sacctNNodes, "ReqNodes": sacctReqNodes,
		"NCPUS": sacctNCPUS, "AllocCPUS": sacctNCPUS, "ReqCPUS": sacctReqCPUS, "ReqMem": sacctReqMem,
		"ReqTRES": sacctReqTRES, "AllocTRES": sacctAllocTRES, "TotalCPU": sacctTotalCPU, "MaxRSS": sacctMaxRSS,
		"NTasks": sacctNTasks, "NodeList": sacctNodeList,
		"Eligible": sacctEligible, "ConsumedEnergyRaw": sacctEnergy,
	} {
		c := known[strings.ToLower(name)]
		c.field = field
		known[strings.ToLower(name)] = c
	}
	return known
}()

// sacctLayout describes the records, by the header line.
type sacctLayout struct {
	text     string // the header line
	between  byte   // the separator
	columns  []sacctColumn
	trailing bool // a bar behind the last field too: sacct -p
	// at is the column of each field, -1 where there is none.
	at      [sacctFields]int
	used    []sacctUse // what at says, as a list
	unknown []string   // names that are not of sacct
	unused  []string   // names that are, of what the job table has no place for
}

// sacctUse is a field that the log has, and its column.
type sacctUse struct {
	field  sacctField
	column int
}

// has reports whether the log has a column for a field.
func (l *sacctLayout) has(f sacctField) bool { return l.at[f] >= 0 }

// fieldName is what a column is called in the log's own header.
func (l *sacctLayout) fieldName(f sacctField) string { return l.columns[l.at[f]].name }

// commaLists are columns of words whose values may have commas.
var commaLists = []string{"AllocGRES", "NodeList", "Partition", "ReqGRES"}

// newSacctLayout reads a header line.
func newSacctLayout(name string, line string) (*sacctLayout, error) {
	l := &sacctLayout{text: line}
	l.between = sacctBetween(line)
	line, l.trailing = strings.CutSuffix(line, string(l.between))
	for f := range l.at {
		l.at[f] = -1
	}
	for i, word := range sacctNames(line, l.between) {
		c, ok := sacctKnown[strings.ToLower(word)]
		switch {
		case !ok:
			l.unknown = append(l.unknown, word)
			c = sacctColumn{shape: shapeText, bars: barsRarely}
		case c.field == sacctUnused:
			l.unused = append(l.unused, word)
		}
		if l.between == ',' && c.bars == 0 && slices.Contains(commaLists, c.name) {
			c.bars = barsRarely
		}
		c.name = word
		l.columns = append(l.columns, c)
		if ok && l.at[c.field] < 0 {
			l.at[c.field] = i
		}
	}
	l.at[sacctUnused] = -1
	if len(l.columns) > maxSacctColumns {
		return nil, &workload.InputError{File: name, Line: 1, Field: "header", Saw: words.Counted(len(l.columns), "column"), Want: words.Counted(maxSacctColumns, "column") + " at most"}
	}
	for raw, other := range map[sacctField]sacctField{sacctElapsedRaw: sacctElapsed, sacctTimelimitRaw: sacctTimelimit} {
		if l.has(raw) {
			l.at[other] = -1
		}
	}
	if !l.has(sacctJobID) && !l.has(sacctJobIDRaw) {
		return nil, &workload.InputError{File: name, Line: 1, Field: "header", Saw: parse.ShortenLine([]byte(line)), Want: "a column JobID or JobIDRaw"}
	}
	if l.at[sacctSubmit] < 0 && l.at[sacctElapsed] < 0 && l.at[sacctElapsedRaw] < 0 && l.at[sacctStart] < 0 {
		return nil, &workload.InputError{File: name, Line: 1, Field: "header", Saw: parse.ShortenLine([]byte(line)), Want: "a column with times, such as Submit, Start or ElapsedRaw"}
	}
	for f, column := range l.at {
		if column >= 0 {
			l.used = append(l.used, sacctUse{sacctField(f), column})
		}
	}
	return l, nil
}

// lacks returns the columns without which what every log should have is unknown: the best
// of those that say it.
func (l *sacctLayout) lacks() (names []string) {
	for _, c := range []struct {
		name string
		any  []sacctField
	}{
		{"Submit", []sacctField{sacctSubmit}},
		{"Start", []sacctField{sacctStart}},
		{"ElapsedRaw", []sacctField{sacctElapsedRaw, sacctElapsed, sacctEnd}},
		{"NCPUS", []sacctField{sacctNCPUS, sacctReqCPUS, sacctAllocTRES, sacctReqTRES}},
		{"State", []sacctField{sacctState}},
	} {
		if !slices.ContainsFunc(c.any, l.has) {
			names = append(names, c.name)
		}
	}
	return names
}
