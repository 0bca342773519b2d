package population

import (
	"bytes"
	_ "embed"

	"github.com/loadstone-hpc/loadstone/model"
)

//go:embed demo.json
var demo []byte

// DemoFile returns the file of the published model named model.Demo. It is a synthetic site with
// many similar users, a steady load and jobs that are small for the machine, so that all draws
// are similar and a model fitted to one of them reproduces the waits of all.
func DemoFile() []byte { return bytes.Clone(demo) }

// Demo returns the model in DemoFile.
func Demo() (Model, error) { return Decode(model.Demo, demo) }
