//! The limits per client: open connections, and requests per second.

mod connections;
mod rates;

use std::net::{IpAddr, Ipv6Addr};

pub use self::connections::{Connections, Permit};
pub use self::rates::{RateDecision, RateLimiter};

/// The address that limits count by: an IPv4 address, or the upper 64 bits of an IPv6 address,
/// which is what a provider assigns to one customer.
pub fn client_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let upper = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(upper))
        }
        address => address,
    }
}
