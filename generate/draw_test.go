package generate

import (
	"reflect"
	"testing"

	people "github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model/population"
)

// An option that a model of users does not support is an error, and is not ignored.
func TestOptionsOfUsers(t *testing.T) {
	users := jobtest.Must(population.Demo())
	fields, taken, refused := reflect.TypeFor[Options](), reflect.TypeFor[people.Options](), 0
	for i := range fields.NumField() {
		f := fields.Field(i)
		if _, ok := taken.FieldByName(f.Name); ok || f.Tag.Get("opt") == "" {
			continue
		}
		refused++
		var o Options
		switch x := reflect.ValueOf(&o).Elem().Field(i); x.Kind() {
		case reflect.String:
			x.SetString("x")
		case reflect.Float64:
			x.SetFloat(1)
		case reflect.Int64:
			x.SetInt(1)
		case reflect.Bool:
			x.SetBool(true)
		default:
			t.Fatalf("%s: set a value of kind %s", f.Name, x.Kind())
		}
		if _, err := Draw(t.Context(), &users, o); err == nil {
			t.Errorf("%s: a model of users ignores it", f.Name)
		}
	}
	if refused == 0 {
		t.Error("no option is refused")
	}
}
