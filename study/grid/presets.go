package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

const table4 = "sizes: Sonmez and others (2009), table 4"

// Presets returns the two grids of Sonmez and others (2009). Sizes are table
// 4's. Speeds are not published: DAS3's are an assumption of this package, the
// clock rates that its nodes are said to have had (2.4, 2.6, 2.2, 2.4 and 2.4
// GHz; unchecked) over that of FS0, and not those of the paper's SPEC
// benchmarks. AuverGrid's nodes are of equal speed, as the paper says.
func Presets() []Grid {
	return []Grid{
		preset("das3", "assumed (none are published): unchecked clock rates, 2.4, 2.6, 2.2, 2.4 and 2.4 GHz, over 2.4",
			Cluster{Name: "FS0", Processors: 85, Speed: 1},
			Cluster{Name: "FS1", Processors: 32, Speed: 2.6 / 2.4},
			Cluster{Name: "FS2", Processors: 41, Speed: 2.2 / 2.4},
			Cluster{Name: "FS3", Processors: 68, Speed: 1},
			Cluster{Name: "FS4", Processors: 46, Speed: 1},
		),
		preset("auvergrid", "equal, as the paper says",
			Cluster{Name: "clrlcgce01", Processors: 112, Speed: 1},
			Cluster{Name: "clrlcgce02", Processors: 84, Speed: 1},
			Cluster{Name: "clrlcgce03", Processors: 186, Speed: 1},
			Cluster{Name: "iut15", Processors: 38, Speed: 1},
			Cluster{Name: "opgc", Processors: 55, Speed: 1},
		),
	}
}

func preset(name, speeds string, clusters ...Cluster) Grid {
	for i := range clusters {
		clusters[i].Partition = workload.Integer(workload.Unknown)
	}
	return Grid{Name: name, Source: table4, Speeds: speeds, Clusters: clusters}
}

// PresetNames returns the names of Presets.
func PresetNames() []string {
	var names []string
	for _, g := range Presets() {
		names = append(names, g.Name)
	}
	return names
}

// Preset returns the preset of that name. The error for an unknown name lists
// the known ones.
func Preset(name string) (Grid, error) {
	all := Presets()
	if i := slices.IndexFunc(all, func(g Grid) bool { return g.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Grid{}, fmt.Errorf("grid: unknown preset %q, want one of %s", name, strings.Join(PresetNames(), ", "))
}
