// Package page writes a report as one HTML file that needs nothing else: no
// network, no fonts, no other file. It can be mailed, printed, read on a phone,
// in the dark and by a screen reader.
//
// A Page is sections of blocks: words, facts, tables, figures. It is data; what
// it says is decided by whoever makes it. A figure is an SVG picture, a text
// that says the same, and a table of its numbers; one with a Chart can be
// zoomed, and shows its values under the pointer, where scripts run.
//
// All text is escaped by html/template, and that of pictures by package figure. A
// content security policy allows the page's own two scripts and one style, by their
// hashes, and nothing else: attributes of style are refused by browsers, so
// the pictures have presentation attributes in their place, which the style
// can repaint in the dark.
//
// The charts are drawn by uPlot 1.6.32 (MIT licence, asset/uplot-LICENSE),
// whose files in asset are those of the npm package uplot, unchanged:
// dist/uPlot.iife.min.js and dist/uPlot.min.css.
package page
