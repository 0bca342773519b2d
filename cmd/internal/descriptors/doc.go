// Package descriptors ends a program that may open too few files with a message.
//
// Go's runtime opens files of its own with the first file that is not a plain one, and ends
// the program with a trace if it cannot; from then on it has them. Package protobuf opens
// the program's file while it is initialised, so a check in main would come too late.
// Of the packages whose imports are initialised Go takes the first by its path: this one
// comes before that one, as it imports no more.
package descriptors
