// Colours as lightness and two opponents (CIE L*a*b*) in, sRGB out, in place. White is white whatever its light.

/** `signed` says whether the opponents are two's complement or counted from 128. */
export function labColours(signed: boolean): (pixels: Uint8Array, channels: number) => void {
  const opponent = (byte: number): number => (signed ? (byte << 24) >> 24 : byte - 128);
  return (pixels, channels) => {
    for (let at = 0; at + 2 < pixels.length; at += channels) {
      const lightness = ((pixels[at] ?? 0) * 100) / 255;
      const y = (lightness + 16) / 116;
      const x = 0.950_47 * linear(y + opponent(pixels[at + 1] ?? 0) / 500);
      const z = 1.088_83 * linear(y - opponent(pixels[at + 2] ?? 0) / 200);
      const light = linear(y);
      pixels[at] = level(3.2406 * x - 1.5372 * light - 0.4986 * z);
      pixels[at + 1] = level(-0.9689 * x + 1.8758 * light + 0.0415 * z);
      pixels[at + 2] = level(0.0557 * x - 0.204 * light + 1.057 * z);
    }
  };
}

function linear(root: number): number {
  return root > 6 / 29 ? root ** 3 : (root - 16 / 116) * 3 * (6 / 29) ** 2;
}

/** A share of the brightest as sRGB writes it. */
function level(share: number): number {
  const shown = share <= 0.003_130_8 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055;
  return Math.max(0, Math.min(255, Math.round(shown * 255)));
}
