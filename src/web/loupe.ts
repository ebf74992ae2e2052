// The loupe: the same place of a picture in the original and in what was sent, so that a loss is seen and not told.

const share = 0.14; // of the width, so much is shown

/** A picture with all its pixels. */
export function wholeAddress(address: string): string {
  return address.replace(/edge=\d+/, 'edge=0');
}

/** How many of its pixels the loupe shows. */
function tellSize(source: string, loupe: HTMLElement, note: HTMLElement): void {
  const whole = new Image();
  whole.addEventListener('load', () => {
    const width = whole.naturalWidth * share;
    const height = width * (loupe.clientHeight / Math.max(1, loupe.clientWidth));
    note.textContent = `${Math.round(width)}×${Math.round(height)} px of it`;
  });
  whole.src = source;
}

/** Below each picture of a pair stands a loupe that follows the pointer in both; the arrow keys move it, too. */
export function followLoupe(root: HTMLElement): () => void {
  const over: (() => void)[] = [];
  for (const row of root.querySelectorAll<HTMLElement>('.pair.attention')) {
    const images = [...row.querySelectorAll('img')];
    if (images.length < 2) continue;
    const loupes = images.map((image) => {
      const loupe = document.createElement('div');
      loupe.className = 'loupe';
      loupe.tabIndex = 0;
      loupe.setAttribute('role', 'img');
      loupe.setAttribute('aria-label', `A part of ${image.alt}, enlarged. Arrow keys move it.`);
      loupe.style.backgroundImage = `url("${wholeAddress(image.src)}")`;
      loupe.style.backgroundSize = `${100 / share}% auto`;
      const note = document.createElement('figcaption');
      image.closest('figure')?.append(loupe, note);
      tellSize(wholeAddress(image.src), loupe, note);
      return loupe;
    });
    let [x, y] = [0.1, 0.1];
    const show = (): void => {
      for (const loupe of loupes) loupe.style.backgroundPosition = `${x * 100}% ${y * 100}%`;
    };
    const onMove = (event: PointerEvent): void => {
      const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
      x = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      y = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
      show();
    };
    const onKey = (event: KeyboardEvent): void => {
      const step = { ArrowLeft: [-0.05, 0], ArrowRight: [0.05, 0], ArrowUp: [0, -0.05], ArrowDown: [0, 0.05] }[
        event.key
      ];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      x = Math.min(1, Math.max(0, x + (step[0] ?? 0)));
      y = Math.min(1, Math.max(0, y + (step[1] ?? 0)));
      show();
    };
    for (const image of images) image.addEventListener('pointermove', onMove);
    for (const loupe of loupes) loupe.addEventListener('keydown', onKey);
    over.push(() => {
      for (const image of images) image.removeEventListener('pointermove', onMove);
    });
    show();
  }
  return () => {
    for (const end of over) end();
  };
}
