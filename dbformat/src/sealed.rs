//! JSON objects that notice a change of themselves: their last field is the BLAKE3 of all bytes
//! before that field's line.

use serde::Serialize;

/// What a JSON object ends in.
const END: &str = "\n}";

/// An object as text, with the seal as its last field. It must not be empty.
pub(crate) fn seal(object: &impl Serialize) -> String {
    let body = serde_json::to_string_pretty(object).expect("numbers and strings");
    let open = body.strip_suffix(END).expect("a pretty-printed object");
    let open = format!("{open},\n");
    let last = last_line(&open);
    open + &last
}

fn last_line(open: &str) -> String {
    let digest = blake3::hash(open.as_bytes());
    format!("  \"blake3\": \"{digest}\"{END}\n")
}

/// The JSON object that was sealed; `None` if a byte has changed.
pub(crate) fn unseal(sealed: &[u8]) -> Option<String> {
    let sealed = str::from_utf8(sealed).ok()?;
    let (open, last) = sealed.split_at_checked(sealed.rfind("  \"blake3\"")?)?;
    let body = format!("{}{END}", open.strip_suffix(",\n")?);
    (last == last_line(open)).then_some(body)
}

/// Hashes as hexadecimal texts.
pub(crate) mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(hash: &blake3::Hash, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(hash)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<blake3::Hash, D::Error> {
        let text = String::deserialize(from)?;
        blake3::Hash::from_hex(text).map_err(D::Error::custom)
    }
}
