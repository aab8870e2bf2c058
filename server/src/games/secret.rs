//! Random names that cannot be guessed: the ids of games and the secrets of seats.

use endmill_games::Colour;

/// 32 letters and digits that are hard to confuse.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The length of an id: 60 bits.
const ID: usize = 12;
/// The length of a secret: 140 bits.
const SECRET: usize = 28;
/// Longer secrets are rejected unread.
pub const MAX_LENGTH: usize = 64;

/// The operating system returned no random numbers.
#[derive(Clone, Copy, Debug)]
pub struct NoRandomness;

/// A new id of a game.
pub fn new_id() -> Result<String, NoRandomness> {
    random_text(ID)
}

/// A new secret of a seat.
pub fn new_secret() -> Result<String, NoRandomness> {
    random_text(SECRET)
}

/// What the journal stores instead of a secret: it does not open the seat.
pub fn digest(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// The seat that a secret opens, given the digests of White's and Black's. Takes the same time for
/// every secret.
pub fn seat(digests: &[String; 2], secret: &str) -> Option<Colour> {
    if secret.len() > MAX_LENGTH {
        return None;
    }
    let given = blake3::hash(secret.as_bytes());
    // `blake3::Hash` compares in constant time.
    let opens = |digest: &String| {
        let stored = blake3::Hash::from_hex(digest).unwrap_or_else(|_| blake3::Hash::from([0; 32]));
        stored == given
    };
    match [opens(&digests[0]), opens(&digests[1])] {
        [true, _] => Some(Colour::White),
        [_, true] => Some(Colour::Black),
        _ => None,
    }
}

/// A fair choice between the sides.
pub fn random_side() -> Result<Colour, NoRandomness> {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_err(|_| NoRandomness)?;
    Ok([Colour::White, Colour::Black][usize::from(byte[0] & 1)])
}

fn random_text(length: usize) -> Result<String, NoRandomness> {
    let mut bytes = [0; SECRET];
    let bytes = &mut bytes[..length];
    getrandom::fill(bytes).map_err(|_| NoRandomness)?;
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte % 32)]);
    Ok(bytes.iter().map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_only_its_own_seat() {
        let secrets = [new_secret().unwrap(), new_secret().unwrap()];
        let digests = [digest(&secrets[0]), digest(&secrets[1])];
        assert_eq!(seat(&digests, &secrets[0]), Some(Colour::White));
        assert_eq!(seat(&digests, &secrets[1]), Some(Colour::Black));
        assert_eq!(seat(&digests, &new_secret().unwrap()), None);
        assert_eq!(seat(&digests, ""), None);
        // The stored digest does not open the seat.
        assert_eq!(seat(&digests, &digests[0]), None);
    }
}
