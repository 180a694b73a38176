// Pieces that scenes are drawn of.

export function arrow(context, x1, y1, x2, y2, colour, width = 3) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 2) return;
  const head = Math.min(11, 0.6 * length);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - head * ux, y2 - head * uy];
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(bx, by);
  context.stroke();
  context.beginPath();
  context.moveTo(x2, y2);
  context.lineTo(bx - 0.5 * head * uy, by + 0.5 * head * ux);
  context.lineTo(bx + 0.5 * head * uy, by - 0.5 * head * ux);
  context.closePath();
  context.fill();
}

export function spring(context, x1, x2, y, colour, height = 9, turns = 7) {
  const lead = Math.min(14, 0.12 * Math.abs(x2 - x1));
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  context.moveTo(x1, y);
  context.lineTo(x1 + lead, y);
  const step = (x2 - x1 - 2 * lead) / (2 * turns);
  for (let i = 0; i < 2 * turns; i += 1) context.lineTo(x1 + lead + (i + 0.5) * step, y + (i % 2 ? height : -height));
  context.lineTo(x2 - lead, y);
  context.lineTo(x2, y);
  context.stroke();
}

export function dashpot(context, x1, x2, y, colour) {
  const middle = x1 + 0.5 * (x2 - x1);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x1, y);
  context.lineTo(middle - 12, y);
  context.moveTo(middle + 8, y - 8);
  context.lineTo(middle - 12, y - 8);
  context.lineTo(middle - 12, y + 8);
  context.lineTo(middle + 8, y + 8);
  context.moveTo(middle, y - 6);
  context.lineTo(middle, y + 6);
  context.moveTo(middle, y);
  context.lineTo(x2, y);
  context.stroke();
}

/** A line with hatching on one side. */
export function hatched(context, x1, y1, x2, y2, colour, faint, side = 1, shift = 0) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  context.lineWidth = 1.5;
  context.strokeStyle = faint;
  context.beginPath();
  const step = 12;
  for (let s = ((shift % step) + step) % step; s < length; s += step) {
    const [x, y] = [x1 + s * ux, y1 + s * uy];
    context.moveTo(x, y);
    context.lineTo(x + side * (-8 * uy) - 8 * ux, y + side * 8 * ux - 8 * uy);
  }
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

export function box(context, x, y, width, height, radius) {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

/** Words at a place; with a halo they can be read on anything. */
export function label(context, text, x, y, colour, align = "center", size = 13, halo = null) {
  context.font = `${size}px system-ui, sans-serif`;
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = "middle";
  if (halo) {
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = halo;
    context.strokeText(text, x, y);
  }
  context.fillText(text, x, y);
}
