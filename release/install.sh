#!/bin/sh
# Installs the command line of stiction for the present user: downloads the archive for this system, compares its checksum, and
# puts the program into ~/.local/bin.
#
#   STICTION_VERSION    a version (default: the one of this script)
#   STICTION_FROM       address or folder of the archives (default: the release)
#   STICTION_BIN        folder of the program (default: ~/.local/bin)
set -eu

version="${STICTION_VERSION:-@VERSION@}"
from="${STICTION_FROM:-@REPOSITORY@/releases/download/v$version}"
bin="${STICTION_BIN:-$HOME/.local/bin}"

case "$(uname -s)-$(uname -m)" in
    # linked statically: runs with any C library
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    *) echo "no binary for $(uname -s) $(uname -m); with Rust: cargo install --locked stiction-cli" >&2; exit 1 ;;
esac

name="stiction-$version-$target.tar.gz"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
for file in "$name" "$name.sha256"; do
    case "$from" in
        http*) curl --proto '=https' --fail --silent --show-error --location --output "$file" "$from/$file" ;;
        *) cp "$from/$file" "$file" ;;
    esac
done
if command -v sha256sum > /dev/null; then sha256sum --check --quiet "$name.sha256"; else shasum -a 256 --check --quiet "$name.sha256"; fi
tar xzf "$name"
mkdir -p "$bin"
cp "stiction-$version-$target/stiction" "$bin/stiction.new"
chmod 755 "$bin/stiction.new"
mv "$bin/stiction.new" "$bin/stiction"
echo "installed $("$bin/stiction" --version) in $bin"
case ":$PATH:" in *":$bin:"*) ;; *) echo "add $bin to your PATH" ;; esac
