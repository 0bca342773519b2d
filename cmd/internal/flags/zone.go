package flags

import (
	"fmt"
	"time"
)

// Zone is a flag whose value is a name of the IANA time zone database.
type Zone string

func (z *Zone) String() string { return string(*z) }

// Type returns the name of the value in help.
func (z *Zone) Type() string { return "zone" }

// Set returns an error unless name is a time zone. It rejects "Local", the zone of the machine
// that reads the log, which need not be that of the site.
func (z *Zone) Set(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "Local" || name == "" {
		return fmt.Errorf("%q is no time zone: want a name such as UTC, Europe/Zurich or America/New_York", name)
	}
	*z = Zone(name)
	return nil
}
