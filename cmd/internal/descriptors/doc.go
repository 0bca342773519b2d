// Package descriptors ends a program with a message if it may open too few files.
//
// Go's runtime opens files for its poller when a program opens its first file that is not a
// regular one. If it cannot, the program crashes with a trace. Package protobuf opens
// the program's own file during initialisation, so a check in main would come too late.
// Go next initialises the package with the smallest path among those whose imports are
// initialised. This package comes before protobuf: its path is smaller, and it imports nothing
// that protobuf does not.
package descriptors
