// Says below a field that its text is too long, as soon as it is. A browser alone says it only when the
// form is sent.
//
// Invariant: nothing is cut, and nothing that is too long is sent.

export function watchLength(field: HTMLInputElement): void {
  const hint = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  const { title: tooLong } = field;
  const usual = hint?.textContent ?? '';
  // The browser shows it as a tip, too, when there is nothing to say.
  field.title = '';
  hint?.setAttribute('aria-live', 'polite');
  const look = (): void => {
    // The pattern counts characters, the server units of UTF-16.
    const { longest = Infinity } = field.dataset;
    const isTooLong = field.validity.patternMismatch || field.value.length > Number(longest);
    field.setCustomValidity(isTooLong ? tooLong : '');
    field.setAttribute('aria-invalid', String(isTooLong));
    if (!hint) return;
    const text = isTooLong ? tooLong : usual;
    // A live region is read aloud on every write.
    if (hint.textContent !== text) hint.textContent = text;
    hint.classList.toggle('wrong', isTooLong);
  };
  field.addEventListener('input', look);
  // Also what the browser has kept from an earlier visit.
  look();
}
