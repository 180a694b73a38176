// Many degrees of freedom, or those of a beam or plate: each a bar from its place at rest, joined by a line.

import { colours, short } from "../dom.js";
import { label } from "./draw.js";

const FREE = 46;

export class FieldScene {
  show(scenario, motion) {
    this.scenario = scenario;
    this.motion = motion;
    const most = motion.largest("position");
    this.reach = most > 0 ? most : 1;
    this.numbers = motion.kind("position").map(({ index }, i) => index ?? i);
  }

  get description() {
    return `${this.numbers.length} degrees of freedom, displaced from rest`;
  }

  draw(context, width, height, t) {
    const colour = colours();
    const place = this.motion.locate(t);
    const n = this.numbers.length;
    const px = (i) => FREE + ((width - 2 * FREE) * (i + 0.5)) / n;
    const middle = 0.52 * height;
    const scale = (0.38 * height) / this.reach;
    const y = (i) => middle - scale * this.motion.value("position", place, i);
    context.strokeStyle = colour.faint;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(FREE / 2, middle);
    context.lineTo(width - FREE / 2, middle);
    context.stroke();
    context.strokeStyle = colour.slide;
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    context.beginPath();
    for (let i = 0; i < n; i += 1) context.lineTo(px(i), y(i));
    context.stroke();
    const isSparse = n <= 60;
    for (let i = 0; i < n && isSparse; i += 1) {
      const contacts = this.motion.contacts.map(({ direction }, c) => [direction, c]).filter(([direction]) => direction[this.numbers[i]]);
      const sticks = contacts.length > 0 && contacts.every(([, c]) => this.motion.sticks(c, t));
      context.strokeStyle = colour.faint;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(px(i), middle);
      context.lineTo(px(i), y(i));
      context.stroke();
      context.fillStyle = contacts.length === 0 ? colour.muted : sticks ? colour.stick : colour.slide;
      context.beginPath();
      context.arc(px(i), y(i), contacts.length ? 7 : 4, 0, 2 * Math.PI);
      context.fill();
      if (n <= 24) label(context, String(this.numbers[i]), px(i), height - 14, colour.muted, "center", 11);
    }
    label(context, `largest ${short(this.reach, 3)}`, 14, 18, colour.muted, "left", 12);
  }

  pointer() {
    return false;
  }

  legend(colour) {
    return [["contact slides", colour.slide], ["contact sticks", colour.stick]];
  }
}
