package git

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// home returns the user's home folder as git finds it.
func home() string {
	if dir := os.Getenv("HOME"); dir != "" || runtime.GOOS != "windows" {
		return dir
	}
	return windowsHome(os.Getenv)
}

// windowsHome returns the folder that Git for Windows makes HOME where that is not set:
// the home share if it is there, else the profile.
func windowsHome(getenv func(string) string) string {
	if drive, path := getenv("HOMEDRIVE"), getenv("HOMEPATH"); drive != "" && path != "" {
		if info, err := os.Stat(drive + path); err == nil && info.IsDir() {
			return drive + path
		}
	}
	return getenv("USERPROFILE")
}

// fromHome returns a path of the configuration, absolute: "~/" is the home folder, and a
// relative one begins in dir.
func fromHome(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(home(), rest)
	}
	return from(dir, path)
}

// userConfigDir returns the folder of git's configuration files that have other names
// than .gitconfig.
func userConfigDir() string {
	base := os.Getenv("XDG_CONFIG_HOME")
	if base == "" {
		base = filepath.Join(home(), ".config")
	}
	return filepath.Join(base, "git")
}
