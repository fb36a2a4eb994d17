import { StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Tooltip } from '@mui/material'
import type { Status, Tone } from '../model/status.ts'
import { claimMarks, claimStatus, readyStatus } from '../model/status.ts'
import type { Word } from '../words/en.ts'
import { useWords } from '../words/use-words.ts'

/** A state in words and colour; the controller's own words on hover and for screen readers. */
const Chip = ({ word, tone, detail }: { readonly word: Word; readonly tone: Tone; readonly detail: string }) => {
  const say = useWords()
  const chip = (
    <span>
      <StatusLabel status={tone} tabIndex={detail === '' ? undefined : 0}>
        {say(word)}
      </StatusLabel>
    </span>
  )
  return detail === '' ? chip : <Tooltip title={detail}>{chip}</Tooltip>
}

export const ReadyChip = ({ object, root }: { readonly object: unknown; readonly root?: string }) => {
  const { code, tone, detail }: Status<string> = readyStatus(object, root)
  return <Chip word={`status.${code}` as Word} tone={tone} detail={detail} />
}

/** A claim's step and what else is true of it. */
export const ClaimChips = ({ claim }: { readonly claim: unknown }) => {
  const { code, tone, detail } = claimStatus(claim)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
      <Chip word={`status.${code}`} tone={tone} detail={detail} />
      {claimMarks(claim).map((each) => (
        <Chip key={each.mark} word={`mark.${each.mark}`} tone={each.tone} detail={each.detail} />
      ))}
    </Box>
  )
}
