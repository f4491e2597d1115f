// Command relay measures what a new session is given after one that ended, was compacted or was
// killed. It plays the transcripts in testdata through ckpt's hooks, as an agent would, and
// counts in each brief the facts that it contains and the commands with which its reader has to
// look for the rest. See docs/relay.md.
//
//	go run ./bench/relay              # prints the page
//	go run ./bench/relay -write       # writes docs/relay.md
//	go run ./bench/relay -v           # also prints each text and the facts that it lacks
//	go run ./bench/relay -only lazy   # one transcript
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

// clock names the environment variable with the time of a ckpt that this program starts.
// It is set in those processes only.
const clock = "CKPT_RELAY_TIME"

func main() {
	if os.Getenv(clock) != "" {
		os.Exit(asCkpt())
	}
	log.SetFlags(0)
	log.SetPrefix("relay: ")
	write := flag.Bool("write", false, "write docs/relay.md")
	verbose := flag.Bool("v", false, "print each text and the facts that it lacks")
	only := flag.String("only", "", "play only the transcript `NAME`")
	flag.Parse()
	all, err := playAll(filepath.Join("bench", "relay", "testdata"), *only)
	if err != nil {
		log.Fatal(err)
	}
	cuts, err := cutTable()
	if err != nil {
		log.Fatal(err)
	}
	text := page(all, cuts)
	if *write {
		err = os.WriteFile(filepath.Join("docs", "relay.md"), []byte(text), 0o666)
	} else {
		_, err = os.Stdout.WriteString(text)
	}
	if err != nil {
		log.Fatal(err)
	}
	if *verbose {
		printMissing(all)
	}
}

// asCkpt makes this process the command ckpt, at the time of the clock.
func asCkpt() int {
	return cli.Main(context.Background(), os.Args[1:], cli.World{Streams: term.System(), Now: func() time.Time {
		now, err := time.Parse(time.RFC3339, os.Getenv(clock))
		if err != nil {
			log.Fatal(err)
		}
		return now
	}})
}

// playAll plays the transcripts in the folder, in the order of their names.
func playAll(folder, only string) ([]played, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "ckpt-relay-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	var all []played
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		if only != "" && name != only {
			continue
		}
		t, err := readTranscript(name, path)
		if err != nil {
			return nil, err
		}
		moments, err := play(t, filepath.Join(tmp, name))
		if err != nil {
			return nil, err
		}
		all = append(all, played{t, moments})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no transcript %q in %s", only, folder)
	}
	return all, nil
}

// printMissing prints each text and lists the facts that it leaves out.
func printMissing(all []played) {
	for _, l := range all {
		for _, m := range l.moments {
			for i, r := range m.media {
				fmt.Printf("\n==== %s, session %s (%s), %s\n%s\n", l.of.name, m.session, m.after, media[i], r.text)
				for _, fact := range r.missing {
					fmt.Printf("%s, session %s, %s: no %s\n", l.of.name, m.session, media[i], fact)
				}
				for _, fact := range r.lost {
					fmt.Printf("%s, session %s, %s: lost %s\n", l.of.name, m.session, media[i], fact)
				}
			}
		}
	}
}
