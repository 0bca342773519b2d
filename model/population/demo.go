package population

import (
	"bytes"
	_ "embed"

	"github.com/loadstone-hpc/loadstone/model"
)

//go:embed demo.json
var demo []byte

// DemoFile returns the file of the published model that model.Demo names: a synthetic
// site whose users are many and alike, its load steady and its jobs small for the
// machine, so that one draw is like another and a model fitted to one has the waits of all.
func DemoFile() []byte { return bytes.Clone(demo) }

// Demo returns that model.
func Demo() (Model, error) { return Decode(model.Demo, demo) }
