package page

import (
	"html/template"
	"math"
	"strconv"
	"strings"
)

// The size of the small line in a cell, in pixels.
const sparkWidth, sparkHeight = 72, 18

// spark is a small line of values from 0 to the highest. The text beside it says what
// it shows, so that it has no name of its own.
func spark(values []float64) template.HTML {
	top := 0.0
	for _, y := range values {
		if !math.IsNaN(y) {
			top = max(top, y)
		}
	}
	if len(values) < 2 || math.IsInf(top, 0) {
		return ""
	}
	var d strings.Builder
	open := false
	for i, y := range values {
		if math.IsNaN(y) || y < 0 {
			open = false
			continue
		}
		height := 0.0
		if top > 0 {
			height = y / top
		}
		command := "L"
		if !open {
			command = "M"
		}
		open = true
		x := 1 + (sparkWidth-2)*float64(i)/float64(len(values)-1)
		d.WriteString(command + strconv.FormatFloat(x, 'f', 1, 64) + "," + strconv.FormatFloat(sparkHeight-2-(sparkHeight-4)*height, 'f', 1, 64))
		if i == len(values)-1 || math.IsNaN(values[i+1]) {
			d.WriteString("h.1") // a value between two gaps is a dot
		}
	}
	if d.Len() == 0 {
		return ""
	}
	return template.HTML(`<svg class="spark" viewBox="0 0 72 18" aria-hidden="true"><path d="` + d.String() + `"></path></svg> `)
}
