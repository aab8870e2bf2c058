//! What one address may take: connections at once, and requests in the long run.

mod connections;
mod rate;

use std::net::{IpAddr, Ipv6Addr};

pub use self::connections::{Connections, Place};
pub use self::rate::{Rates, Ruling};

/// Whom a limit counts for: an IPv4 address, or the 64 bits of an IPv6 address that a customer of
/// a provider gets.
pub fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let upper = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(upper))
        }
        address => address,
    }
}
