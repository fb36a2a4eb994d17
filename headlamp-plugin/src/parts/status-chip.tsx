import { StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Tooltip } from '@mui/material'
import { useT } from '../locales/use-t.ts'
import type { Tone } from '../model/status.ts'
import { claimFlags, claimStatus, readyStatus } from '../model/status.ts'

/** A state as text and colour; the controller's own message on hover and for screen readers. */
const Chip = ({ text, tone, detail }: { readonly text: string; readonly tone: Tone; readonly detail: string }) => {
  const chip = (
    <span>
      <StatusLabel status={tone} tabIndex={detail === '' ? undefined : 0}>
        {text}
      </StatusLabel>
    </span>
  )
  return detail === '' ? chip : <Tooltip title={detail}>{chip}</Tooltip>
}

export const ReadyChip = ({ object, root }: { readonly object: unknown; readonly root?: string }) => {
  const t = useT()
  const { code, tone, detail } = readyStatus(object, root)
  return <Chip text={t(`status.${code}`)} tone={tone} detail={detail} />
}

/** A claim's step and what else is true of it. */
export const ClaimChips = ({ claim }: { readonly claim: unknown }) => {
  const t = useT()
  const { code, tone, detail } = claimStatus(claim)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
      <Chip text={t(`status.${code}`)} tone={tone} detail={detail} />
      {claimFlags(claim).map((each) => (
        <Chip key={each.flag} text={t(`flag.${each.flag}`)} tone={each.tone} detail={each.detail} />
      ))}
    </Box>
  )
}
