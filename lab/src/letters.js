// Bytes as letters of a page: five letters for four bytes, a sixteenth less than base64 takes. None of them can end a script element, or
// look like an address.

const FIRST = 40; // "("
const LESS = 60 - FIRST; // "<", which "}" stands for
const COLON = 58 - FIRST; // ":", which "~" stands for
const LETTERS = Array.from({ length: 85 }, (_, digit) => String.fromCharCode(FIRST + digit));
LETTERS[LESS] = "}";
LETTERS[COLON] = "~";

/** The number of bytes that were added to fill the last four, and the letters. */
export function toLetters(bytes) {
  const added = (4 - (bytes.length % 4)) % 4;
  const letters = [String(added)];
  for (let i = 0; i < bytes.length; i += 4) {
    let number = 0;
    for (let k = 0; k < 4; k += 1) number = number * 256 + (bytes[i + k] ?? 0);
    let five = "";
    for (let k = 0; k < 5; k += 1) {
      five = LETTERS[number % 85] + five;
      number = Math.floor(number / 85);
    }
    letters.push(five);
  }
  return letters.join("");
}

export function fromLetters(text) {
  const bytes = new Uint8Array(((text.length - 1) / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 1, at = 0; i < text.length; i += 5, at += 4) {
    let number = 0;
    for (let k = i; k < i + 5; k += 1) {
      const code = text.charCodeAt(k);
      number = number * 85 + (code === 125 ? LESS : code === 126 ? COLON : code - FIRST);
    }
    view.setUint32(at, number);
  }
  return bytes.subarray(0, bytes.length - Number(text[0]));
}
