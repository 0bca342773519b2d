package score

import "math"

// Variable is a measure of a whole workload, for maps of many workloads.
type Variable struct {
	Name  string // in snake case, with its unit
	Value float64
}

// Variables returns the variables of a workload; the value is NaN if unknown.
// The medians and the 90 % intervals (from the 5 % quantile to the 95 % one) of
// run times, sizes, work and interarrival times come first: those by which
// Talby, Feitelson and Raveh (1999) compare logs with models.
func (p *Profile) Variables() []Variable {
	p.order.Finish()
	w := p.workload()
	var all []Variable
	for i, names := range [attributes][2]string{
		{"run_time_median_s", "run_time_interval_s"}, {"size_median_processors", "size_interval_processors"},
		{"work_median_processor_s", "work_interval_processor_s"}, {"interarrival_median_s", "interarrival_interval_s"},
	} {
		d := p.distribution(i)
		all = append(all, Variable{names[0], float64(d.Median)}, Variable{names[1], d.Interval()})
	}
	share := func(x float64) float64 { return x / float64(p.options.Processors) }
	median, interval := all[2].Value, all[3].Value
	if p.options.Processors <= 0 {
		median, interval = math.NaN(), math.NaN()
	}
	return append(all,
		Variable{"relative_size_median", share(median)}, Variable{"relative_size_interval", share(interval)},
		Variable{"offered_load", float64(w.OfferedLoad)}, Variable{"serial_share", float64(w.Serial)}, Variable{"power_of_two_share", float64(w.PowerOfTwo)},
		Variable{"size_run_time_correlation", p.ranks.R()})
}

// MapVariables returns the default variables of a map: the eight of Talby,
// Feitelson and Raveh (1999).
func MapVariables() []string { return VariableNames()[:8] }

// VariableNames returns the names of all variables of a workload.
func VariableNames() []string {
	var names []string
	for _, v := range NewProfile(ProfileOptions{}).Variables() {
		names = append(names, v.Name)
	}
	return names
}
