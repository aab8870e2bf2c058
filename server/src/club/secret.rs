//! Names that cannot be guessed: of games, and of the seats in them.

/// 32 letters and digits that are not taken for each other.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// 60 bits.
const ID: usize = 12;
/// 140 bits.
const SECRET: usize = 28;
/// Nothing longer is looked at.
pub const LONGEST: usize = 64;

/// The system gives no random numbers.
#[derive(Clone, Copy, Debug)]
pub struct NoRandomness;

/// A new id of a game.
pub fn new_id() -> Result<String, NoRandomness> {
    letters(ID)
}

/// A new secret of a seat.
pub fn new_secret() -> Result<String, NoRandomness> {
    letters(SECRET)
}

/// What is kept of a secret: whoever reads the journal cannot sit down.
pub fn digest(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Which of two seats a secret opens. Takes the same time whatever the secret is.
pub fn seat(digests: &[String; 2], secret: &str) -> Option<usize> {
    if secret.len() > LONGEST {
        return None;
    }
    let given = blake3::hash(secret.as_bytes());
    // `blake3::Hash` compares in constant time.
    let opens = |digest: &String| {
        let kept = blake3::Hash::from_hex(digest).unwrap_or_else(|_| blake3::Hash::from([0; 32]));
        kept == given
    };
    match [opens(&digests[0]), opens(&digests[1])] {
        [true, _] => Some(0),
        [_, true] => Some(1),
        _ => None,
    }
}

/// A coin.
pub fn toss() -> Result<bool, NoRandomness> {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_err(|_| NoRandomness)?;
    Ok(byte[0] & 1 == 1)
}

fn letters(count: usize) -> Result<String, NoRandomness> {
    let mut bytes = [0; SECRET];
    let bytes = &mut bytes[..count];
    getrandom::fill(bytes).map_err(|_| NoRandomness)?;
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte % 32)]);
    Ok(bytes.iter().map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_its_own_seat_only() {
        let secrets = [new_secret().unwrap(), new_secret().unwrap()];
        let digests = [digest(&secrets[0]), digest(&secrets[1])];
        assert_eq!(seat(&digests, &secrets[0]), Some(0));
        assert_eq!(seat(&digests, &secrets[1]), Some(1));
        assert_eq!(seat(&digests, &new_secret().unwrap()), None);
        assert_eq!(seat(&digests, ""), None);
        // What is kept does not open the seat.
        assert_eq!(seat(&digests, &digests[0]), None);
    }
}
