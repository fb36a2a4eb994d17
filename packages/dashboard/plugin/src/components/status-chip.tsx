import { StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Tooltip } from '@mui/material'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import type { Tone } from '../model/status.ts'
import { type ClaimSign, claimSigns, readyStatus } from '../model/status.ts'

/** Shows a state with text and colour, on one line. Hover, focus and screen readers give the details. */
const Chip = ({ text, tone, detail }: { readonly text: string; readonly tone: Tone; readonly detail: string }) => {
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

const signText = ({ kind, code }: ClaimSign, t: Translate): string =>
  kind === 'step' ? t(`status.${code}`) : t(`flag.${code}`)

/**
 * Returns a code for the most important fact about a claim. The code does not depend on the language. The list
 * filters by it.
 */
export const signOf = (claim: unknown): string => claimSigns(claim)[0].code

/** Returns the text on a claim's chip. The list sorts by it. */
export const claimText = (claim: unknown, t: Translate): string => signText(claimSigns(claim)[0], t)

/** Shows the most important fact about a claim as a chip. Hovering shows the other facts. */
export const ClaimChip = ({ claim }: { readonly claim: unknown }) => {
  const t = useT()
  const signs = claimSigns(claim)
  const [first, ...others] = signs
  const line = (sign: ClaimSign): string =>
    sign.detail === '' ? signText(sign, t) : `${signText(sign, t)}: ${sign.detail}`
  const detail = others.length === 0 && first.detail === '' ? '' : [first, ...others].map(line).join('\n')
  return <Chip text={signText(first, t)} tone={first.tone} detail={detail} />
}
