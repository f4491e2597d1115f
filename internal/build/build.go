// Package build reports the version and the commit that the program was built from.
package build

import (
	"cmp"
	"runtime/debug"
)

// version is the number of the release. A release sets it with the linker (.goreleaser.yaml).
var version = ""

// Version returns the release number, or else the module version that go install recorded, or else "devel".
func Version() string {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		built = info.Main.Version
	}
	return cmp.Or(version, built, "devel")
}

// Commit returns the first seven digits of the commit. It returns "" if the build did not record it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 7 {
			return s.Value[:7]
		}
	}
	return ""
}
