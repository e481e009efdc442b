#!/bin/sh
# Makes the two font files that every page loads, from the two font packages. README.md says what they contain and why.
# Needs Python with fonttools and brotli: `pip install fonttools==4.66.1 brotli`. Run it in this folder after a new version of a package.
set -eu
packages=../../../node_modules/@fontsource-variable
# The characters that the six languages need. tokens.css lists the same ones; a test compares the two lists.
characters=U+0020-007E,U+00A0-00A3,U+00A7,U+00A9-00AB,U+00AE,U+00B0,U+00B2-00B3,U+00B7,U+00B9-00C4,U+00C7-00CF,U+00D1-00D7,U+00D9-00DC,U+00DF-00E4,U+00E7-00EF,U+00F1-00F6,U+00F9-00FC,U+0131,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2039-203A,U+20AC,U+2122,U+2212

make() { # <file> <name> <axes>
  whole=$(mktemp)
  fonttools varLib.instancer --quiet --output "$whole" "$packages/$1" $3
  pyftsubset "$whole" --unicodes="$characters" --layout-features=kern,liga,calt,ccmp,locl,mark,mkmk,tnum --no-hinting --desubroutinize \
    --flavor=woff2 --output-file="$2.woff2"
  rm "$whole"
}

make bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2 bricolage-grotesque "wght=700:800 opsz=14:56"
make figtree/files/figtree-latin-wght-normal.woff2 figtree "wght=400:700"
