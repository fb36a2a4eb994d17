import { Box, Typography } from '@mui/material'
import { useT } from '../locales/use-t.ts'
import { showAmount, type Usage } from '../model/amounts.ts'

/** Shows how much of a limit is used, as a bar and as text. Without a limit, shows only the text. */
export const UsageBar = ({
  usage,
  color: fixed,
}: {
  readonly usage: Usage
  /** The colour of the bar. By default, the colour warns if the limit is nearly used up. */
  readonly color?: 'primary'
}) => {
  const t = useT()
  const used = showAmount(usage.resource, usage.used)
  if (usage.limit === undefined || usage.share === undefined) return <span>{used}</span>
  const text = t('limit', { used, limit: showAmount(usage.resource, usage.limit) })
  const color = fixed ?? (usage.share >= 1 ? 'error' : usage.share >= 0.8 ? 'warning' : 'primary')
  const percent = Math.min(1, usage.share) * 100
  return (
    <Box sx={{ minWidth: 80 }}>
      {/* The frame makes the unused share visible as well. */}
      <Box
        role="progressbar"
        aria-label={`${usage.resource}: ${text}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        sx={{ height: 10, border: 1, borderColor: 'text.secondary', borderRadius: 1, overflow: 'hidden' }}
      >
        <Box sx={{ width: `${percent}%`, height: '100%', bgcolor: `${color}.main` }} />
      </Box>
      <Typography variant="caption">{text}</Typography>
    </Box>
  )
}
