// The bar above the text while the view follows somebody.
//
// Invariant: screen readers announce the beginning and the end, once.

import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../../a11y/announcer.ts';
import { t } from '../../i18n/text.ts';
import { tint } from '../../theme/colour.ts';
import { Button } from '../../ui/button.tsx';
import { Avatar } from '../avatars.tsx';
import { useFrame } from '../frame.ts';
import { nameOf } from '../guests.ts';
import type { Person } from '../live.ts';

// Somebody whose connection is made again is away for a moment.
const AWAY_MS = 2_000;

export function FollowBar() {
  const { live, toast } = useFrame();
  const id = live.following.value;
  const known = useRef<Person | null>(null);
  const hasLeft = useRef(false);
  const here = live.people.value.find((person) => person.id === id);
  known.current = here ?? known.current;
  const person = known.current;
  const name = person ? nameOf(person) : '';
  const isHere = here !== undefined;

  useEffect(() => {
    if (isHere) return;
    const timer = setTimeout(() => {
      hasLeft.current = true;
      toast({ text: t('people.followLeft', { name }) });
      live.follow(null);
    }, AWAY_MS);
    return () => clearTimeout(timer);
  }, [isHere]);

  useEffect(() => {
    announce(t('people.following', { name }));
    return () => {
      if (!hasLeft.current) announce(t('people.followEnded', { name }));
    };
  }, []);

  if (!person) return null;
  return (
    <div class="follow-bar" ref={tint(person.colour)}>
      <Avatar person={person} />
      <span class="follow-name">{t('people.following', { name })}</span>
      <Button onClick={() => live.follow(null)}>{t('people.stopFollowing')}</Button>
    </div>
  );
}
