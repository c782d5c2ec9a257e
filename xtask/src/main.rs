use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
