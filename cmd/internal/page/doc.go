// Package page writes a report as one HTML file that needs nothing else: no
// network, no fonts, no other file. It can be mailed, printed, read on a phone,
// in the dark and by a screen reader.
//
// A Page is sections of blocks: words, facts, tables, figures. It is data; what
// it says is decided by whoever makes it. A figure is a picture, a text that says
// the same, and a table of its numbers; where scripts run, its Chart stands in place of the
// picture, which can be zoomed and shows its values under the pointer.
//
// All text is escaped by html/template. A content security policy allows the
// page's own scripts and style, by their hashes, pictures within the page, and nothing else.
//
// The charts are drawn by uPlot 1.6.32 (MIT licence, asset/uplot-LICENSE): uplot.js and
// uplot.css in asset are dist/uPlot.iife.min.js and dist/uPlot.min.css of the npm package
// uplot, unchanged.
package page
