// Package page writes a report as a single, self-contained HTML file: it needs no network, fonts
// or other files. It can be mailed, printed, and read on a phone, in dark mode and by a screen
// reader.
//
// A Page is plain data: sections of text, facts, tables and figures, all supplied by the caller.
// A figure is a picture, a text that describes it, and a table of its numbers. Where scripts run,
// its Chart replaces the picture; a chart can be zoomed and shows the values under the pointer.
//
// All text is escaped by html/template. A content security policy allows only the
// page's own scripts and style, by their hashes, and pictures within the page.
//
// The charts are drawn by uPlot 1.6.32 (MIT licence, asset/uplot-LICENSE): uplot.js and
// uplot.css in asset are dist/uPlot.iife.min.js and dist/uPlot.min.css of the npm package
// uplot, unchanged.
package page
