// What the operator's catalogue offers: plugins to install, and newer versions of those that are.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import type { Installed, Source } from './installed.ts';

interface Offer {
  name: string;
  version: string;
  title: string;
  description: string;
}

interface Offers {
  // The setting because of which nothing is asked.
  off?: string;
  problem?: string;
  plugins?: readonly Offer[];
}

interface OfferListProps {
  installed: readonly Installed[];
  onInstall: (source: Source) => void;
}

export function OfferList({ installed, onInstall }: OfferListProps) {
  const { api } = useAdmin();
  const answer = useSignal<Offers | null>(null);

  useEffect(() => {
    const refused = (error: unknown): Offers => ({ problem: `${error}` });
    void api.get<Offers>('api/plugins/offers').then(
      (offers) => {
        answer.value = offers;
      },
      (error) => {
        answer.value = refused(error);
      },
    );
  }, []);

  const { off, problem, plugins = [] } = answer.value ?? {};
  const isThere = ({ name, version }: Offer): boolean =>
    installed.some((plugin) => plugin.name === name && plugin.version === version);
  const offered = plugins.filter((offer) => !isThere(offer));
  if (off === 'plugins.catalogue') return <p class="hint">{say('plugins.offers.none')}</p>;
  // The catalogue below says so.
  if (off) return null;
  return (
    <>
      {problem && (
        <NoticeBox tone="warn" icon="alert">
          {say('plugins.problem')} <span lang="en">{problem}</span>
        </NoticeBox>
      )}
      {offered.length > 0 && (
        <>
          <h3>{say('plugins.offers')}</h3>
          <ul class="features">
            {offered.map((offer) => (
              <li key={`${offer.name} ${offer.version}`} class="feature">
                <strong dir="auto">
                  {offer.title} <span class="hint">{offer.version}</span>
                </strong>
                <Button
                  icon="plus"
                  onClick={() => onInstall({ name: offer.name, version: offer.version })}
                >
                  {say('plugins.offers.install')}
                </Button>
                <p class="feature-about" dir="auto">
                  {offer.description}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
