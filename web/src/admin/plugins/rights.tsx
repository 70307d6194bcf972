// What a plugin does with its permissions, as a list.

import { say } from '../words.ts';
import { type Granted, meaning } from './installed.ts';

interface RightsProps {
  permissions: readonly Granted[];
  // Its code runs in browsers.
  browsers: boolean;
}

export function Rights({ permissions, browsers }: RightsProps) {
  if (permissions.length === 0 && !browsers) return null;
  return (
    <ul class="rights">
      {permissions.map(({ permission }) => (
        <li key={permission}>{meaning(permission)}</li>
      ))}
      {browsers && <li class="blocked">{say('plugins.may.browsers')}</li>}
    </ul>
  );
}
