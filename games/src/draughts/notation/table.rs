//! Table names: `12v03`, or `12.0v11.1` where a number has two digits.

use crate::draughts::{Draughts, Material, Table};
use crate::error::{ParseError, Problem};
use crate::scanner::Scanner;

/// Reads a table's name; dots may also be written where they are not needed.
pub(in crate::draughts) fn parse_table(text: &str) -> Result<Table, ParseError> {
    let mut scanner = Scanner::new(text);
    let own = material(&mut scanner)?;
    scanner.demand('v', "v")?;
    let opponent = material(&mut scanner)?;
    scanner.end()?;
    Table::new(own, opponent).ok_or_else(|| {
        let problem = Problem::NoSuchTable {
            name: text.trim().to_owned(),
            ruleset: Draughts::ID.to_owned(),
            why: "each side has 1 to 12 pieces".to_owned(),
        };
        problem.into()
    })
}

/// Two digits, or two numbers with a dot between them.
fn material(scanner: &mut Scanner) -> Result<Material, ParseError> {
    let wanted = "men and kings, such as 12 or 12.0";
    let misfit = scanner.expected(wanted);
    let first = scanner.digits().ok_or(misfit.clone())?;
    let (men, kings) = if scanner.eat('.') {
        let kings = scanner
            .digits()
            .ok_or_else(|| scanner.expected("a number"))?;
        (first, kings)
    } else if first.len() == 2 {
        (first[..1].to_owned(), first[1..].to_owned())
    } else {
        return Err(misfit);
    };
    // An overflow is as impossible as any other large number.
    let count = |digits: String| digits.parse().unwrap_or(u32::MAX);
    Ok(Material {
        men: count(men),
        kings: count(kings),
    })
}
