package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

func (b *compared) section() page.Section {
	s := page.Section{ID: "compare", Title: "How alike they are"}
	var blocks []page.Block
	switch {
	case len(b.names) == 2:
		s.About = "D is the Kolmogorov-Smirnov distance. For two samples of independent jobs from the same distribution it exceeds the next column once in a hundred times. Jobs are not independent, so a D somewhat above it need not mean much."
		blocks = b.two()
	case b.found == nil:
		blocks = missing(b.why)
	default:
		s.About = "Workloads that are near each other on the map are alike; each variable is an arrow, in the direction in which it grows (Talby, Feitelson and Raveh 1999)."
		blocks = b.many()
	}
	s.Parts = []page.Part{{Blocks: blocks}}
	return s
}

func (b *compared) two() []page.Block {
	t := page.Table{Caption: "Attributes of " + b.names[0] + " (A) and " + b.names[1] + " (B)",
		Head: []string{"attribute", "jobs of A", "of B", "median of A", "of B", "mean of A", "of B", "D", "by chance", "Wasserstein distance of ln"}}
	for _, x := range b.found.Comparison.Attributes {
		if x.Why != "" {
			continue
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(x.Column), countCell(x.A.Jobs), countCell(x.B.Jobs), sigCell(x.A.Median), sigCell(x.B.Median), sigCell(x.A.Mean), sigCell(x.B.Mean),
			fixedCell(x.D, 4), fixedCell(x.Chance, 4), sigCell(x.WassersteinLn)})
	}
	blocks := []page.Block{tableOf(t)}
	for i, p := range figure.ComparedAttributes() {
		words := strings.ReplaceAll(p.Name, "-", " ")
		blocks = append(blocks, b.pictures.kept(p.Name, page.Figure{Caption: sentenceCase(words),
			Alt: fmt.Sprintf("Distribution of %s in both workloads; they differ by at most %s %% of the jobs.", words, present.Fixed(100*float64(b.found.Comparison.Attributes[i].D), 1))})...)
	}
	blocks = append(blocks, b.pictures.kept(figure.DailyCyclesName, page.Figure{Caption: "Daily cycles", Alt: "Share of the jobs submitted in each half hour of the day, in both workloads."})...)
	for _, n := range b.found.Comparison.NotCompared {
		blocks = append(blocks, remark("missing", n.What+" is not compared: "+sentence(n.Why)))
	}
	return blocks
}

// sentenceCase begins with a capital.
func sentenceCase(text string) string {
	s := sentence(text)
	return s[:len(s)-1]
}

func (b *compared) many() []page.Block {
	m := b.found.Map
	alt := fmt.Sprintf("Map of %d workloads by %d variables; the coefficient of alienation is %s, of which below 0.15 is good.", len(m.Workloads), len(m.Variables), present.Fixed(m.Alienation, 3))
	blocks := append(b.pictures.kept(figure.MapName, page.Figure{Caption: "Which workloads are alike", Alt: alt}), paragraph("%s", alt))
	t := page.Table{Caption: "The variables", Head: []string{"workload"}}
	for _, v := range m.Variables {
		t.Head = append(t.Head, v.Name)
	}
	distances := page.Table{Caption: "How unlike they are: the sum of the differences of the normalised variables", Head: []string{"workload"}}
	for i, w := range m.Workloads {
		row, apart := []page.Cell{textCell(w.Name)}, []page.Cell{textCell(w.Name)}
		for _, v := range w.Values {
			row = append(row, sigCell(v))
		}
		for _, v := range m.Distances[i] {
			apart = append(apart, fixedCell(v, 2))
		}
		distances.Head = append(distances.Head, w.Name)
		t.Rows, distances.Rows = append(t.Rows, row), append(distances.Rows, apart)
	}
	return append(blocks, tableOf(distances), tableOf(t))
}
