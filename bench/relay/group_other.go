//go:build !unix

package main

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup kills a command that runs, but not what it has started.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
