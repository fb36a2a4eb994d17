import { Box, type Theme } from '@mui/material'
import { memo, useMemo } from 'react'
import { routes } from '../cluster/classes.ts'
import { useAreCountsLoading, usePoolCounts } from '../cluster/use-objects.ts'
import { BudgetStrip } from '../components/budget-strip.tsx'
import { budgetNowText } from '../components/budgets-section.tsx'
import { PoolLink } from '../components/links.tsx'
import { More, MOST_ROWS, NameCell, Nothing, Panel, PanelList, PanelRow, WHOLE } from '../components/panel.tsx'
import { useT } from '../locales/use-t.ts'
import { type AllowancePeriod, allowancePeriods, type NetAllowance, netAllowances } from '../model/budgets.ts'
import { emptyKey } from '../model/list-state.ts'
import { objectName } from '../model/read.ts'

const DAY = 24 * 3_600_000
/**
 * Show closed budgets in bold and in red. The red depends on the theme, because no single red is readable on both light
 * and dark backgrounds.
 */
const CLOSED = {
  fontWeight: 'bold',
  color: ({ palette }: Theme) => (palette.mode === 'dark' ? '#ff9c9c' : palette.error.main),
}

/** The allowances of a NodePool's budgets. */
interface Strip {
  readonly pool: string
  readonly periods: readonly AllowancePeriod[]
  /** Undefined if the number of nodes is not known. */
  readonly net: readonly NetAllowance[] | undefined
  readonly total: number
}

interface BudgetRowsProps {
  readonly strips: readonly Strip[]
  readonly areKnown: boolean
  readonly isLoading: boolean
  readonly areCountsLoading: boolean
  readonly now: number
}

const BudgetRows = memo(({ strips, areKnown, isLoading, areCountsLoading, now }: BudgetRowsProps) => {
  const t = useT()
  return (
    <Panel title={t('budgetsOfDay')} to={routes.nodePools} toText={t('nodePools')}>
      {strips.length === 0 && <Nothing>{t(emptyKey(areKnown, isLoading))}</Nothing>}
      <PanelList>
        {strips.slice(0, MOST_ROWS).map(({ pool, periods, net, total }) => (
          <PanelRow key={pool} columns="minmax(3rem, 1fr) minmax(3rem, 1fr) minmax(4rem, 2.8fr)">
            <NameCell title={pool}>
              <PoolLink name={pool} />
            </NameCell>
            <BudgetStrip pool={pool} periods={periods} now={now} />
            <Box component="span">
              {net === undefined
                ? t(emptyKey(false, areCountsLoading))
                : net.map((each) => (
                    <Box
                      key={each.reasons.join()}
                      component="span"
                      sx={{
                        ...WHOLE,
                        display: 'block',
                        ...(each.allowed === 0 && total > 0 ? CLOSED : {}),
                      }}
                    >
                      {budgetNowText(each, net.length > 1, total, now, t)}
                    </Box>
                  ))}
            </Box>
          </PanelRow>
        ))}
      </PanelList>
      <More count={strips.length - MOST_ROWS} to={routes.nodePools} />
    </Panel>
  )
})

interface BudgetProps {
  readonly pools: readonly unknown[]
  readonly areKnown: boolean
  readonly isLoading: boolean
  readonly now: number
}

/** Shows, for each NodePool, how many disruptions its budgets allow in the next 24 hours, and how many nodes may be disrupted now. */
export const BudgetPanel = memo(({ pools, areKnown, isLoading, now }: BudgetProps) => {
  const counts = usePoolCounts()
  const areCountsLoading = useAreCountsLoading()
  // The panel's strips are computed again once a minute, not on each render.
  const minute = Math.floor(now / 60_000) * 60_000
  const strips = useMemo(
    () =>
      pools.map((pool): Strip => {
        const count = counts?.get(objectName(pool))
        const periods = allowancePeriods(pool, Math.max(1, count?.total ?? 1), minute, minute + DAY)
        return {
          pool: objectName(pool),
          periods,
          net: counts && netAllowances(pool, count ?? { total: 0, disrupting: 0 }, minute),
          total: count?.total ?? 0,
        }
      }),
    [pools, counts, minute],
  )
  return <BudgetRows {...{ strips, areKnown, isLoading, areCountsLoading, now }} />
})
