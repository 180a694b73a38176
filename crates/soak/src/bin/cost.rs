//! `stiction-cost CASE LENGTH`: does the work of a case and prints the units done, for a counter of
//! instructions. Without arguments it lists the cases with their units and lengths.

use std::process::ExitCode;
use stiction_soak::cost::COSTS;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, length] = args.as_slice() else {
        for case in COSTS {
            println!("{} {} {}", case.name, case.unit, case.length);
        }
        return ExitCode::SUCCESS;
    };
    let case = COSTS.iter().find(|case| case.name == name);
    let (Some(case), Ok(length)) = (case, length.parse()) else {
        eprintln!("usage: stiction-cost [CASE LENGTH]");
        return ExitCode::from(2);
    };
    println!("{}", (case.run)(length));
    ExitCode::SUCCESS
}
