// Command gitleaks writes the rules of gitleaks' default configuration as Go data. With -update its test
// writes the findings of gitleaks' own detector in thousands of samples. The tests of package secrets
// compare ckpt's findings with them. It is a separate module, so that ckpt does not depend on gitleaks.
//
//	go generate ./internal/secrets
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

// folder is the path of package secrets, relative to this package.
const folder = "../../internal/secrets"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gitleaks:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := moduleDir()
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	if err != nil {
		return err
	}
	cfg, err := defaultConfig()
	if err != nil {
		return err
	}
	src, err := rulesFile(cfg, filepath.Base(dir), string(licence))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "gitleaks.go"), src, 0o666)
}

// moduleDir returns the folder with the source of gitleaks.
func moduleDir() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/zricethezav/gitleaks/v8").Output()
	return strings.TrimSpace(string(out)), err
}

// defaultConfig returns gitleaks' own rules, parsed by gitleaks.
func defaultConfig() (config.Config, error) {
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		return config.Config{}, err
	}
	var file config.ViperConfig
	if err := v.Unmarshal(&file); err != nil {
		return config.Config{}, err
	}
	return file.Translate()
}
