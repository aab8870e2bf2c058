// Dragging a man with the mouse instead of choosing two points. A drag by touch scrolls the page.

interface Calls {
  /** Whether the man on a point can be dragged. */
  movable(name: string): boolean;
  /** The drag begins. */
  lift(name: string): void;
  /** The man follows the mouse, in the units of the drawing. */
  carry(x: number, y: number): void;
  /** The man is dropped on a point, or elsewhere. */
  drop(name: string | null): void;
}

const SLACK = 6;

export function draggable(svg: SVGSVGElement, calls: Calls): void {
  let held: { name: string; x: number; y: number; lifted: boolean } | null = null;

  const spotAt = (event: PointerEvent): string | null =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGElement>('.spot')?.dataset.point ?? null;

  const move = (event: PointerEvent) => {
    if (!held) return;
    if (!held.lifted) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
      held.lifted = true;
      calls.lift(held.name);
    }
    const matrix = svg.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    calls.carry(x, y);
  };

  const end = (event: PointerEvent) => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    const was = held;
    held = null;
    if (!was?.lifted) return;
    const over = event.type === 'pointerup' ? spotAt(event) : null;
    calls.drop(over === was.name ? null : over);
  };

  svg.addEventListener('pointerdown', (event) => {
    const name = spotAt(event);
    if (event.pointerType !== 'mouse' || event.button !== 0 || name === null || !calls.movable(name)) return;
    held = { name, x: event.clientX, y: event.clientY, lifted: false };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  });
}
