import { StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Tooltip } from '@mui/material'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import {
  CLAIM_CODES,
  CLAIM_FLAGS,
  type ClaimCode,
  type ClaimFlag,
  type ClaimSign,
  claimSigns,
  READY_CODES,
  type ReadyCode,
  readyStatus,
  type Tone,
} from '../model/status.ts'

/** Shows a state with text and colour, on one line. The details are available on hover, on focus, and to screen readers. */
export const Chip = ({
  text,
  tone,
  detail,
}: {
  readonly text: string
  readonly tone: Tone
  readonly detail: string
}) => {
  const chip = (
    <span style={{ whiteSpace: 'nowrap' }}>
      <StatusLabel status={tone} tabIndex={detail === '' ? undefined : 0}>
        {text}
      </StatusLabel>
    </span>
  )
  return detail === '' ? (
    chip
  ) : (
    <Tooltip title={<span style={{ whiteSpace: 'pre-line' }}>{detail}</span>}>{chip}</Tooltip>
  )
}

export const ReadyChip = ({ object, root }: { readonly object: unknown; readonly root?: string }) => {
  const t = useT()
  const { code, tone, detail } = readyStatus(object, root)
  return <Chip text={t(`status.${code}`)} tone={tone} detail={detail} />
}

const isStep = (code: string): code is ClaimCode => CLAIM_CODES.some((each) => each === code)
const isFlag = (code: string): code is ClaimFlag => CLAIM_FLAGS.some((each) => each === code)

/** Returns the text for the code of a `ClaimSign`. An unknown code, for example from an old link, is returned unchanged. */
export const signCodeText = (code: string, t: Translate): string =>
  isStep(code) ? t(`status.${code}`) : isFlag(code) ? t(`flag.${code}`) : code

const isReadyCode = (code: string): code is ReadyCode => READY_CODES.some((each) => each === code)

/** Returns the text for the code of a NodePool's status. An unknown code is returned unchanged. */
export const readyCodeText = (code: string, t: Translate): string => (isReadyCode(code) ? t(`status.${code}`) : code)

const signText = ({ code }: ClaimSign, t: Translate): string => signCodeText(code, t)

/**
 * Returns the text on a claim's chip: the most important fact. `isHeld` means that something keeps the node. If the claim has drifted, the
 * text then says that the node is blocked.
 */
export const claimText = (claim: unknown, t: Translate, isHeld = false): string => {
  const [first] = claimSigns(claim)
  return isHeld && first.code === 'Drifted' ? t('driftHeld') : signText(first, t)
}

/**
 * Shows the most important fact about a NodeClaim as a chip. Hovering shows the other facts. `held` says what keeps a drifted node.
 * If it is not empty, the chip says that the node is blocked.
 */
export const ClaimChip = ({ claim, held = '' }: { readonly claim: unknown; readonly held?: string }) => {
  const t = useT()
  const signs = claimSigns(claim)
  const [first, ...others] = signs
  const line = (sign: ClaimSign): string =>
    sign.detail === '' ? signText(sign, t) : `${signText(sign, t)}: ${sign.detail}`
  const isHeld = held !== '' && first.code === 'Drifted'
  const lines = [first, ...others].map(line)
  const detail = [
    ...(others.length === 0 && first.detail === '' && !isHeld ? [] : lines),
    ...(isHeld ? [t('heldBy', { what: held })] : []),
  ].join('\n')
  return <Chip text={claimText(claim, t, isHeld)} tone={first.tone} detail={detail} />
}
