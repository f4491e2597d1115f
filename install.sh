#!/bin/sh
# install.sh installs ckpt, ckpt-view and ckpt-mcp from a release, after it has checked the checksum.
#
#   curl -fsSL https://github.com/OWNER/ckpt/releases/latest/download/install.sh | sh
#
# CKPT_VERSION names a release (default: the latest), CKPT_BIN a folder for the programs (default: ~/.local/bin), and
# CKPT_RELEASES another place of the releases, also a folder (file:///...).
set -eu

releases=${CKPT_RELEASES:-https://github.com/OWNER/ckpt/releases}
version=${CKPT_VERSION:-}
bin=${CKPT_BIN:-$HOME/.local/bin}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

# get writes what is at a URL to a file.
get() {
	if command -v curl >/dev/null; then
		curl -fsSL -o "$2" "$1"
	elif command -v wget >/dev/null; then
		wget -q -O "$2" "$1"
	else
		fail "curl or wget is needed"
	fi
}

sum() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1" | cut -d ' ' -f 1
	else
		shasum -a 256 "$1" | cut -d ' ' -f 1
	fi
}

main() {
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	*) fail "no release for $(uname -s): see README.md for other ways to install" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	arm64 | aarch64) arch=arm64 ;;
	*) fail "no release for $(uname -m): go install builds ckpt from source" ;;
	esac

	if [ -n "$version" ]; then
		from=$releases/download/v${version#v}
	else
		from=$releases/latest/download
	fi
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	get "$from/checksums.txt" "$tmp/checksums.txt" || fail "no release at $from: docs/install.md names other ways"
	line=$(grep "  ckpt_.*_${os}_${arch}\.tar\.gz$" "$tmp/checksums.txt") || fail "this release has nothing for $os/$arch"
	want=${line%% *}
	archive=${line##* }
	get "$from/$archive" "$tmp/$archive" || fail "cannot download $from/$archive"
	[ "$(sum "$tmp/$archive")" = "$want" ] || fail "the checksum of $archive is wrong: nothing was installed"

	tar -xzf "$tmp/$archive" -C "$tmp" ckpt ckpt-view ckpt-mcp
	mkdir -p "$bin"
	for program in ckpt ckpt-view ckpt-mcp; do
		mv -f "$tmp/$program" "$bin/$program.new"
		mv -f "$bin/$program.new" "$bin/$program" # a running program keeps its file
	done
	echo "installed $("$bin/ckpt" version | head -n 1) in $bin"
	case :$PATH: in
	*":$bin:"*) ;;
	*) echo "add it to your PATH: export PATH=\"$bin:\$PATH\"" ;;
	esac
	command -v git >/dev/null || echo "ckpt needs git 2.34 or newer, which is not installed"
}

main
