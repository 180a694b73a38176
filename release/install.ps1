# Installs the command line of stiction for the present user on Windows: downloads the archive, compares its checksum, and puts the
# program into %LOCALAPPDATA%\stiction\bin.
$ErrorActionPreference = "Stop"
$version = if ($env:STICTION_VERSION) { $env:STICTION_VERSION } else { "@VERSION@" }
$from = if ($env:STICTION_FROM) { $env:STICTION_FROM } else { "@REPOSITORY@/releases/download/v$version" }
$bin = if ($env:STICTION_BIN) { $env:STICTION_BIN } else { Join-Path $env:LOCALAPPDATA "stiction\bin" }
$name = "stiction-$version-x86_64-pc-windows-msvc.zip"
$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory $work | Out-Null
try {
    foreach ($file in $name, "$name.sha256") {
        Invoke-WebRequest "$from/$file" -OutFile (Join-Path $work $file)
    }
    $said = (Get-Content (Join-Path $work "$name.sha256")).Split(" ")[0]
    $found = (Get-FileHash (Join-Path $work $name) -Algorithm SHA256).Hash
    if ($found -ne $said) { throw "the checksum of $name does not match" }
    Expand-Archive (Join-Path $work $name) $work
    New-Item -ItemType Directory -Force $bin | Out-Null
    Copy-Item (Join-Path $work "stiction-$version-x86_64-pc-windows-msvc\stiction.exe") $bin -Force
    & (Join-Path $bin "stiction.exe") --version
    Write-Output "installed in $bin; add it to your PATH"
} finally {
    Remove-Item -Recurse -Force $work
}
