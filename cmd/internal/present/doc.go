// Package present writes a typed result as a table for people, as CSV and as
// JSON.
//
// JSON is the result itself, whose fields carry their names. The table and the
// CSV come from one list of columns over its rows (Column): a name for programs,
// a heading for people, and how to get and to write the value. The names of
// --require and --baseline are those of the columns.
//
// Its neighbours: figure draws Results and page writes them as HTML; the
// command chooses between the forms.
package present
