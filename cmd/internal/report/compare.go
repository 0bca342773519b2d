package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

func (b *compared) section() page.Section {
	return page.Section{ID: "compare", Title: "How alike they are",
		About: "D is the Kolmogorov-Smirnov distance. For two samples of independent jobs from the same distribution it exceeds the next column once in a hundred times. Jobs are not independent, so a D somewhat above it need not mean much.",
		Parts: []page.Part{{Blocks: b.blocks()}}}
}

func (b *compared) blocks() []page.Block {
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
