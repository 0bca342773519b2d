package tables

import (
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/model"
)

var modelColumns = []present.Column[model.Entry]{
	present.Text("name", "name", func(e model.Entry) string { return e.Name }),
	present.Text("what", "what", func(e model.Entry) string { return e.What }),
	present.Text("source", "source", func(e model.Entry) string { return e.Source }),
	present.Text("ready", "", func(e model.Entry) string { return strconv.FormatBool(e.Ready) }),
	present.Count("missing", "", func(e model.Entry) int { return len(e.Missing) }),
	present.Text("", "parameters", func(e model.Entry) string {
		if e.Ready {
			return "all here"
		}
		return fmt.Sprintf("%d to be given", len(e.Missing))
	}),
}

// Models is the result of 'models list'.
func Models() present.Result {
	list := model.Catalog()
	return present.Listing(list, modelColumns, list.Models)
}
