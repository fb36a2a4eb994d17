import { Box, LinearProgress, Typography } from '@mui/material'
import { useT } from '../locales/use-t.ts'
import { showAmount, type Usage } from '../model/amounts.ts'

/** What is used of a limit, as a bar with its text. Without a limit there is only the text. */
export const UsageBar = ({ usage }: { readonly usage: Usage }) => {
  const t = useT()
  const used = showAmount(usage.resource, usage.used)
  if (usage.limit === undefined || usage.share === undefined) return <span>{used}</span>
  const text = t('limit', { used, limit: showAmount(usage.resource, usage.limit) })
  const color = usage.share >= 1 ? 'error' : usage.share >= 0.8 ? 'warning' : 'primary'
  return (
    <Box sx={{ minWidth: 90 }}>
      <LinearProgress
        variant="determinate"
        color={color}
        value={Math.min(1, usage.share) * 100}
        aria-label={`${usage.resource}: ${text}`}
        sx={{ height: 6, borderRadius: 3 }}
      />
      <Typography variant="caption">{text}</Typography>
    </Box>
  )
}
