import type { KeyView } from '../../../../contracts/governance/keys.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { useNow } from '../../ui/Time.tsx';
import { aspectOf } from './model.ts';

export function State({ of }: { of: Pick<KeyView, 'state' | 'expires_at'> }) {
  const { is, word } = aspectOf(of, useNow(60));
  return <Aspect is={is}>{word}</Aspect>;
}
