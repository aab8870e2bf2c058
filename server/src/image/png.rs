//! Conversion of a drawing to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Renders a drawing of [`svg`](super::svg). `None` only for an invalid drawing.
pub fn png(svg: &str, pixels: u32) -> Option<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).ok()?;
    let mut pixmap = Pixmap::new(pixels, pixels)?;
    let scale = pixels as f32 / tree.size().width();
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    pixmap.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use endmill_probe::rules_only;

    #[test]
    fn a_picture_is_a_png_of_the_requested_size() {
        let rules = rules_only("draughts").unwrap();
        let state = rules.state("W:W18,K31:B12,K5".into()).unwrap();
        let svg = super::super::svg(&rules.ruleset().geometry, &state, 200);
        let png = super::png(&svg, 200).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
        assert_eq!(width, 200);
    }
}
