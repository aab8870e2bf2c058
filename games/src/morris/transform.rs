//! A position upside down, in a mirror, or with the colours exchanged.

use super::Morris;
use super::board::GridPoint;
use super::position::Position;
use crate::error::Problem;
use crate::notation::Notation;
use crate::transform::Transform;

/// The position as the transform shows it.
pub(super) fn transformed(
    game: &Morris,
    position: &Position,
    by: Transform,
) -> Result<Position, Problem> {
    if by == Transform::Swap {
        let turn = position.turn.other();
        // White places first, so not every placing position can arise with the colours exchanged.
        return game.legal(&game.setup(&Position { turn, ..*position }));
    }
    let images = game.images_of_points(by);
    let mut symmetries = game.board.symmetries().iter();
    let symmetry = symmetries.find(|symmetry| Some(symmetry.images()) == images.as_deref());
    let symmetry = symmetry.ok_or_else(|| by.not_in(&game.rules.id))?;
    Ok(position.carried(symmetry))
}

impl Morris {
    /// Returns the image of each point; `None` if one has no point there.
    fn images_of_points(&self, by: Transform) -> Option<Vec<u8>> {
        let places = || (0..self.board.points()).map(|point| self.board.place(point as u8));
        // The drawing need not start in the first row or column.
        let both_ends =
            |of: fn(GridPoint) -> u8| Some(places().map(of).min()? + places().map(of).max()?);
        let rows = both_ends(|place| place.row)?;
        let columns = both_ends(|place| place.column)?;
        let image = |GridPoint { row, column }| match by {
            Transform::Flip => GridPoint {
                row: rows - row,
                column,
            },
            Transform::Mirror => GridPoint {
                row,
                column: columns - column,
            },
            Transform::Swap => GridPoint { row, column },
        };
        places()
            .map(|place| self.board.point_at(image(place)))
            .collect()
    }
}
