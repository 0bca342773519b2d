// Command loadstone models batch-computing workloads; see loadstone --help.
package main

import (
	"os"

	"github.com/loadstone-hpc/loadstone/cmd/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.Standard())) }
