// Command gitleaks generates two files from gitleaks: the rules of its default configuration as Go
// data, and the findings of its own detector in thousands of samples, with which the tests of
// package secrets compare ours. It is a separate module, so that ckpt does not depend on gitleaks.
//
//	go generate ./internal/secrets
package main

import (
	"fmt"
	"os"
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
	if err := os.WriteFile(filepath.Join(folder, "gitleaks.go"), src, 0o666); err != nil {
		return err
	}
	texts, err := samples(cfg, dir)
	if err != nil {
		return err
	}
	return writeVerdicts(cfg, filepath.Join(folder, "testdata", "verdicts.json.gz"), texts)
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
