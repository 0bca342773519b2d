package evaluate

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// runTimesPart is one way of cutting the log into parts, and the scores by it.
type runTimesPart struct {
	by    string
	clock workload.Clock
	score.RunTimeGroups
}

func newRunTimesPart(by string, log *workload.Log) runTimesPart {
	p := runTimesPart{by: by}
	p.clock, _ = log.Header.Clock()
	return p
}

func (p *runTimesPart) add(row *runtime.Row, common score.CommonJob) {
	p.Add(p.of(row.Job), row.Predictions, row.Job.Run, common)
}

// of is the number of a job's part.
func (p *runTimesPart) of(j *workload.Job) int64 {
	switch p.by {
	case "length":
		return score.LengthOf(j.Run)
	case "site":
		return j.Partition
	}
	return p.clock.Month(j.Submit)
}

// name is the part's.
func (p *runTimesPart) name(part int64) string {
	switch {
	case p.by == "length":
		return []string{"short", "medium", "long"}[part]
	case part == workload.Unknown:
		return "unknown"
	case p.by == "site":
		return strconv.FormatInt(part, 10)
	}
	return p.clock.MonthPeriod(part).Label
}

// partsOf gives the scores by parts of the entries that are scored.
func (r *runTimes) partsOf(scored []int) []RunTimesPart {
	var all []RunTimesPart
	for i := range r.parts {
		p := &r.parts[i]
		for _, part := range p.Parts() {
			out := RunTimesPart{By: p.by, Part: p.name(part.Part), Jobs: part.Jobs}
			kept := score.RunTimePart{}
			for _, k := range scored {
				e := r.entries[k]
				kept.Scores = append(kept.Scores, part.Scores[k])
				out.Scores = append(out.Scores, RunTimesPartScore{e.Classes.Name, e.Predictor, part.Scores[k]})
			}
			if best := kept.Best(); best >= 0 {
				s := out.Scores[best]
				out.BestScore = &s
				out.Best = &BestRunTime{Classes: s.Classes, Predictor: s.Predictor, MeanAccuracy: s.MeanAccuracy, AccuracyCommon: s.AccuracyCommon}
			}
			all = append(all, out)
		}
	}
	return all
}
