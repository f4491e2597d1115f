// Command spec runs the cases of the specification, docs/spec/README.md, on a program. Its tests make the cases from
// the tables of ckpt's own tests, and run them on ckpt's packages.
//
//	go run ./test/spec [-cases DIR] [-only KIND,KIND] [-without NEED,NEED] PROGRAM [ARG...]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	dir := flag.String("cases", "docs/spec/cases", "the folder of the cases")
	only := flag.String("only", "", "the kinds of cases, with commas; empty means all")
	without := flag.String("without", "", "what the program does not do: ckpt, iso, limits, yaml")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*dir, Which{Kinds: words(*only), Without: words(*without)}, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

func run(dir string, which Which, program []string) error {
	files, err := Load(dir)
	if err != nil {
		return err
	}
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stderr = os.Stderr
	to, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	t, err := Ask(files, which, to, from)
	for _, message := range t.Wrong {
		fmt.Println(message)
	}
	fmt.Printf("%d right, %d wrong, %d not supported\n", t.Right, len(t.Wrong), t.Unsupported)
	if err != nil {
		return err
	}
	if len(t.Wrong) > 0 {
		return fmt.Errorf("the program does not read the format as it is specified")
	}
	return cmd.Wait()
}
