//! The men configurations of a group sorted into layers.

/// The men configurations of the first phase, by their numbers, the most advanced first.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) configurations: Vec<u32>,
    /// The start of each layer, and finally the number of configurations.
    pub(super) starts: Vec<usize>,
}

impl Layers {
    /// Sorts configurations 0, 1, 2 … whose layers are given, `None` for one that is left out.
    pub(super) fn new(layers: usize, layer_of: &[Option<u8>]) -> Layers {
        let mut starts = vec![0; layers + 1];
        for layer in layer_of.iter().flatten() {
            starts[usize::from(*layer) + 1] += 1;
        }
        for layer in 0..layers {
            starts[layer + 1] += starts[layer];
        }
        let mut configurations = vec![0; starts[layers]];
        let mut filled = starts.clone();
        for (number, layer) in layer_of.iter().enumerate() {
            if let Some(layer) = layer {
                let place = &mut filled[usize::from(*layer)];
                configurations[*place] = number as u32;
                *place += 1;
            }
        }
        Layers {
            configurations,
            starts,
        }
    }
}
