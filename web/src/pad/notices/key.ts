// The key for deleting a pad that this browser has made: kept here, to be found in the menu.

import { effect } from '@preact/signals';
import { deletionKeyOf, forgetDeletionKey, keepDeletionKey } from '../../prefs/deletionKeys.ts';
import { recentKept } from '../../prefs/recent.ts';
import type { Frame } from '../frame.ts';

export function keepKey({ live, boot, deletionKey }: Frame): void {
  effect(() => {
    const state = live.state.value;
    if (state.kind === 'stopped' && state.reason === 'deleted') forgetDeletionKey(boot.padId);
  });
  effect(() => {
    const given = live.info.value?.deletionToken;
    if (given && boot.recentPads && recentKept()) keepDeletionKey(boot.padId, given);
    deletionKey.value = given ?? deletionKeyOf(boot.padId);
  });
}
