//! `stiction lab`: a page with the core inside it, where friction is seen as it happens.

use crate::args::LabArgs;
use crate::failure::Failure;
use crate::output::{Files, print, read, stem};
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn run(args: &LabArgs) -> Result<(), Failure> {
    let given = args.file.as_ref().map(|path| read(path, &stiction_lab::BUDGET)).transpose()?;
    let page = stiction_lab::page(given.as_ref().map(|(name, text)| (name.as_str(), text.as_str())));
    let path = args.out.clone().unwrap_or_else(|| {
        let name = args.file.as_ref().map_or_else(|| "lab".into(), |path| stem(path));
        env::temp_dir().join(format!("stiction-lab-{}", std::process::id())).join(format!("{name}.html"))
    });
    let mut files = Files::default();
    files.add(path.clone(), page);
    files.write()?;
    let is_open = args.out.is_none() && open(&path);
    let shown = path.display();
    let hint = if args.out.is_none() && !is_open {
        "no browser could be started; open the file in one\n"
    } else {
        ""
    };
    let lag = if stiction_lab::is_outdated() {
        "the page holds an older core than this program: its numbers may differ from those of stiction run\n"
    } else {
        ""
    };
    print(&format!("wrote {shown}\n{hint}{lag}"))
}

/// Starts the browser, without waiting for it.
fn open(path: &Path) -> bool {
    let own = env::var("BROWSER").ok().filter(|name| !name.is_empty());
    let program = match &own {
        Some(name) => name.as_str(),
        None if cfg!(target_os = "macos") => "open",
        None if cfg!(windows) => "explorer",
        None => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
