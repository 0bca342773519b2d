package gwf

import (
	"math/bits"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// The rules that the reader of the grid workload format has beside those of
// the standard workload format: one a field that the table has no room for,
// by the field's number, and these.
const (
	gwfExtra = iota
	gwfThirty
	gwfTextID
	gwfRules = gwfFields
)

// gwfRule is the rule for values of a field that are left out.
func gwfRule(field int) int { return field }

// gwfLeftOut names the fields from PartitionID on that the table does not
// have, or has under another's name: see site.go.
var gwfLeftOut = [...]string{
	"PartitionID", "OrigSiteID", "LastRunSiteID", "JobStructure", "JobStructureParams", "UsedNetwork", "UsedLocalDiskSpace",
	"UsedResources", "ReqPlatform", "ReqNetwork", "ReqLocalDiskSpace", "ReqResources", "VOID", "ProjectID",
}

// gwfWarnings counts what one chunk has of these.
type gwfWarnings struct {
	seen   uint32 // a bit a rule
	counts [gwfRules]int64
	lines  [gwfRules]int64
	saw    [gwfRules]string
}

// add counts one oddity, and keeps the text of the first.
func (w *gwfWarnings) add(rule int, line int64, saw []byte) {
	if w.counts[rule]++; w.counts[rule] == 1 {
		w.seen |= 1 << rule
		w.lines[rule] = line
		if len(saw) > 0 {
			w.saw[rule] = parse.ShortenLine(saw)
		}
	}
}

// moveTo adds the counts to those of the whole log; before is the number of
// lines before this chunk.
func (w *gwfWarnings) moveTo(all *workload.Warnings, before int64) {
	for seen := w.seen; seen != 0; seen &= seen - 1 {
		rule := bits.TrailingZeros32(seen)
		x := workload.Warning{Count: w.counts[rule], Line: before + w.lines[rule], Saw: w.saw[rule]}
		switch rule {
		case gwfExtra:
			x.Rule, x.Text = "extra-fields", "lines with more than 30 fields: those after the 29th are left out"
		case gwfThirty:
			x.Rule, x.Text = "30-fields", "lines with 30 fields: the one after LastRunSiteID is left out"
		case gwfTextID:
			x.Rule, x.Text = "text-job-id", "jobs with a text for JobID: they get their position in the log as number"
		default:
			field := gwfLeftOut[rule-gwfPartition]
			x.Rule, x.Text = "left-out-"+field, "values of "+field+" left out: the job table has no such column"
			if rule <= gwfOrigSite {
				x.Text = "values of " + field + " left out: they differ from the site that stands for the partition"
			}
		}
		all.Count(x)
	}
}

// gwfWaits counts jobs that ran and have no wait, which is odd only where
// others do have one: in the Grid'5000 logs -1 is also the wait of a
// reservation that was entered after it began.
type gwfWaits struct {
	known, unknown int64
	line           int64 // of the first
}

func (w *gwfWaits) missing(line int64) {
	if w.unknown++; w.unknown == 1 {
		w.line = line
	}
}

// add counts those of a chunk that has so many lines before it.
func (w *gwfWaits) add(chunk gwfWaits, before int64) {
	if w.unknown == 0 {
		w.line = before + chunk.line
	}
	w.known += chunk.known
	w.unknown += chunk.unknown
}

func (w *gwfWaits) warn(all *workload.Warnings) {
	if w.known > 0 && w.unknown > 0 {
		all.Count(workload.Warning{Rule: "no-wait-time", Text: "jobs that ran with a WaitTime of -1, read as unknown (Grid'5000 writes it for reservations too)", Count: w.unknown, Line: w.line})
	}
}
