// Command gitleaks writes what ckpt takes from gitleaks: the rules of its default
// configuration as Go data, and what its own detector finds in thousands of
// samples, which the tests of package secrets hold against ours. It is a module of
// its own, so that ckpt depends on neither gitleaks nor what gitleaks depends on.
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

// room is the folder of package secrets, from this one.
const room = "../../internal/secrets"

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
	if err := os.WriteFile(filepath.Join(room, "gitleaks.go"), src, 0o666); err != nil {
		return err
	}
	texts, err := samples(cfg, dir)
	if err != nil {
		return err
	}
	return writeVerdicts(cfg, filepath.Join(room, "testdata", "verdicts.json.gz"), texts)
}

// defaultConfig is gitleaks' own rules, as it reads them itself.
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
