import { useLanguage, useT } from '../locales/use-t.ts'
import type { DriftHold } from '../model/drift-holds.ts'
import type { Readable } from '../model/reported.ts'
import { holdText } from './reported-blocker-text.ts'
import { ClaimChip } from './status-chip.tsx'

/**
 * Shows the status chip of a NodeClaim. If the NodeClaim has drifted and something blocks its replacement, the chip
 * says so, and the tooltip says what blocks it.
 */
export const DriftChip = ({
  claim,
  hold,
  readable,
}: {
  readonly claim: unknown
  readonly hold: DriftHold | undefined
  readonly readable: Readable
}) => {
  const t = useT()
  const language = useLanguage()
  return hold === undefined ? (
    <ClaimChip claim={claim} />
  ) : (
    <ClaimChip claim={claim} held={holdText(hold, readable, language, t)} />
  )
}
