import type { PolicyEffect } from '../../../../contracts/governance/policy.ts';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { celPieces } from '../../ui/cel.ts';

const looks: Record<PolicyEffect, AspectName> = { allow: 'clear', ask: 'caution', deny: 'stop' };
export const Effect = ({ is }: { is: PolicyEffect }) => <Aspect is={looks[is]}>{is}</Aspect>;

/** An expression, to be read. */
export const Cel = ({ text }: { text: string }) => (
  <code className="font-mono text-xs whitespace-pre-wrap">
    {celPieces(text).map((piece, i) => (
      <span key={i} className={piece.className}>
        {piece.text}
      </span>
    ))}
  </code>
);
