package mapping

import (
	"maps"
	"slices"
)

// scale converts the file's unit to the table's: x*times/per. One of the two is 1, so that
// the result is rounded once.
type scale struct{ times, per float64 }

func (s scale) of(x float64) float64 { return x * s.times / s.per }

func (s scale) ratio() float64 { return s.times / s.per }

// unitsOf are the units that a column of the job table can come in, by the unit
// that the table has it in. Memory is counted in powers of 1024, as schedulers do.
var unitsOf = map[string]map[string]scale{
	"s":          {"ns": {1, 1e9}, "us": {1, 1e6}, "ms": {1, 1e3}, "s": {1, 1}, "min": {60, 1}, "h": {3600, 1}, "d": {86400, 1}},
	"KB":         {"B": {1, 1024}, "KB": {1, 1}, "KiB": {1, 1}, "MB": {1 << 10, 1}, "MiB": {1 << 10, 1}, "GB": {1 << 20, 1}, "GiB": {1 << 20, 1}, "TB": {1 << 30, 1}, "TiB": {1 << 30, 1}},
	"J":          {"mJ": {1, 1e3}, "J": {1, 1}, "kJ": {1e3, 1}, "MJ": {1e6, 1}, "Wh": {3600, 1}, "kWh": {3.6e6, 1}},
	"processors": counted,
	"GPUs":       counted,
	"nodes":      {"1": {1, 1}},
	"1/1000":     {"milli": {1, 1}, "percent": {10, 1}, "1": {1000, 1}},
	"1":          {"1": {1, 1}},
}

// counted are the units of counts, of which a job may have a fraction.
var counted = map[string]scale{"1": {1, 1}, "milli": {1, 1000}, "percent": {1, 100}}

// unitNames are the units that a column with that unit can come in, the smallest
// first.
func unitNames(unit string) []string {
	units := unitsOf[unit]
	names := slices.Sorted(maps.Keys(units))
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := units[a].ratio(), units[b].ratio(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return names
}
