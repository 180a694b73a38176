// Pieces that scenes are drawn of.

import { short, type } from "../dom.js";

/** An arrow with an outline in the colour of the card, so that it is seen on anything. */
export function arrow(context, x1, y1, x2, y2, colour, width = 3, halo = null) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 2) return;
  const head = Math.min(4 * width, 0.6 * length);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - head * ux, y2 - head * uy];
  const trace = () => {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(bx, by);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(bx - 0.5 * head * uy, by + 0.5 * head * ux);
    context.lineTo(bx + 0.5 * head * uy, by - 0.5 * head * ux);
    context.closePath();
  };
  context.lineCap = "round";
  context.lineJoin = "round";
  if (halo) {
    context.strokeStyle = halo;
    context.lineWidth = width + 3;
    trace();
    context.stroke();
  }
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  trace();
  context.fill();
}

export function spring(context, x1, x2, y, colour, height = 9, turns = 7, y2 = y) {
  const length = Math.hypot(x2 - x1, y2 - y);
  const angle = Math.atan2(y2 - y, x2 - x1);
  const lead = Math.min(14, 0.12 * length);
  context.save();
  context.translate(x1, y);
  context.rotate(angle);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(lead, 0);
  const step = (length - 2 * lead) / (2 * turns);
  for (let i = 0; i < 2 * turns; i += 1) context.lineTo(lead + (i + 0.5) * step, i % 2 ? height : -height);
  context.lineTo(length - lead, 0);
  context.lineTo(length, 0);
  context.stroke();
  context.restore();
}

/** The arrow through a spring that says that it is not linear. */
export function slanted(context, x, y, size, colour) {
  arrow(context, x - size, y + size, x + size, y - size, colour, 1.5);
}

export function dashpot(context, x1, x2, y, colour, y2 = y) {
  const length = Math.hypot(x2 - x1, y2 - y);
  const middle = 0.5 * length;
  context.save();
  context.translate(x1, y);
  context.rotate(Math.atan2(y2 - y, x2 - x1));
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(middle - 12, 0);
  context.moveTo(middle + 8, -7);
  context.lineTo(middle - 12, -7);
  context.lineTo(middle - 12, 7);
  context.lineTo(middle + 8, 7);
  context.moveTo(middle, -5);
  context.lineTo(middle, 5);
  context.moveTo(middle, 0);
  context.lineTo(length, 0);
  context.stroke();
  context.restore();
}

/** A line with hatching on one side. */
export function hatched(context, x1, y1, x2, y2, colour, faint, side = 1, shift = 0) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!(length > 0)) return;
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

/** A block with a little depth: a lighter top and a soft shadow. */
export function block(context, x, y, width, height, radius, fill, isFlat = false) {
  context.save();
  if (!isFlat) {
    context.shadowColor = "rgb(0 0 0 / 28%)";
    context.shadowBlur = 8;
    context.shadowOffsetY = 2;
  }
  context.fillStyle = fill;
  box(context, x, y, width, height, radius);
  context.fill();
  context.restore();
  if (isFlat) return;
  const shade = context.createLinearGradient(0, y, 0, y + height);
  shade.addColorStop(0, "rgb(255 255 255 / 22%)");
  shade.addColorStop(0.45, "rgb(255 255 255 / 0%)");
  shade.addColorStop(1, "rgb(0 0 0 / 12%)");
  context.fillStyle = shade;
  box(context, x, y, width, height, radius);
  context.fill();
}

/** Text at a place; with a halo it can be read on anything. */
export function label(context, text, x, y, colour, align = "center", size = 13, halo = null) {
  context.font = `${size * type()}px system-ui, sans-serif`;
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

/** The largest of 1, 2, 5 times a power of ten that is at most `size`. */
export function roundBelow(size) {
  const ten = 10 ** Math.floor(Math.log10(size));
  return ten * ([5, 2, 1].find((k) => k * ten <= size * (1 + 1e-9)) ?? 1);
}

/** A ruler of a round length in the scale of the picture. */
export function ruler(context, x, y, scale, unit, colour, most = 120, halo = null) {
  const length = roundBelow(most / scale);
  const pixels = length * scale;
  if (!(pixels > 4)) return;
  context.strokeStyle = colour.muted;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 4);
  context.lineTo(x, y + 4);
  context.moveTo(x, y);
  context.lineTo(x + pixels, y);
  context.moveTo(x + pixels, y - 4);
  context.lineTo(x + pixels, y + 4);
  context.stroke();
  label(context, `${short(length, 3)} ${unit}`, x + pixels + 8, y, colour.muted, "left", 12, halo);
}
