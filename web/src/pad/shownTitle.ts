// What a pad is called on its pages.
//
// Invariant: a random address is shown to nobody as a title. It says nothing, and looks like an error.

import { t } from '../i18n/text.ts';
import type { Boot } from './boot.ts';

// They go to and fro between capitals, small letters and digits: all but two of a thousand do.
const RANDOM =
  /^(?:r\.)?(?=.*[a-z])(?=(?:.*?(?=[a-z][A-Z\d]|[A-Z][A-Z\d]|\d[a-zA-Z]).){4})[a-zA-Z\d]{16}$/;

// Null if all that the pad has is a random address.
export function chosenTitle({ padId, title: first }: TitledBoot, now?: string): string | null {
  const title = now || first;
  return title === padId && RANDOM.test(title) ? null : title;
}

export const shownTitle = (boot: TitledBoot, now?: string) =>
  chosenTitle(boot, now) ?? t('header.untitled');

type TitledBoot = Pick<Boot, 'padId' | 'title'>;
