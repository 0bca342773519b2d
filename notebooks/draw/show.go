package draw

import (
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Files shows SVG files one below the other, as pictures and not as HTML, which
// viewers of notebooks cut SVG out of.
func Files(names ...string) {
	for _, name := range names {
		svg, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		show(string(svg))
	}
}

// Show draws the figure below the cell.
func (f Figure) Show() {
	svg, err := f.SVG()
	if err != nil {
		panic(err)
	}
	show(svg)
}

func show(svg string) {
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMEImageSVG: svg}})
	gonbui.Sync() // or the cell may end before the kernel has read the picture
	if err := gonbui.Error(); err != nil {
		panic(err)
	}
}
