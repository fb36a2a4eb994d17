import { Box, useTheme } from '@mui/material'
import { useT } from '../locales/use-t.ts'
import type { AllowancePeriod } from '../model/budgets.ts'
import { momentText } from './show-time.tsx'

/** Shows a coloured strip of the disruptions that a pool's budgets allow in the next 24 hours. Red means that no node can be disrupted. */
export const BudgetStrip = ({
  pool,
  periods,
  now,
}: {
  readonly pool: string
  readonly periods: readonly AllowancePeriod[]
  readonly now: number
}) => {
  const t = useT()
  const { palette } = useTheme()
  const textOf = ({ from, until, allowed }: AllowancePeriod): string => {
    const what =
      allowed === undefined
        ? t('noLimit')
        : allowed === 0
        ? t('budget.freezeAlways')
        : t('budget.mostAlways', { nodes: allowed })
    return t('periodIs', { from: momentText(from, now), until: momentText(until, now), what })
  }
  return (
    <Box
      role="img"
      aria-label={`${pool}: ${periods.map(textOf).join('; ')}`}
      sx={{ display: 'flex', height: 14, borderRadius: 1, overflow: 'hidden', alignSelf: 'center' }}
    >
      {periods.map((period) => (
        <Box
          key={period.from}
          title={textOf(period)}
          sx={{
            flex: `${period.until - period.from} 0 0`,
            minWidth: 2,
            bgcolor:
              period.allowed === 0
                ? palette.error.main
                : period.allowed === undefined
                ? palette.success.main
                : palette.primary.main,
            opacity: period.allowed === 0 ? 1 : 0.55,
          }}
        />
      ))}
    </Box>
  )
}
