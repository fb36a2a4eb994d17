import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { type BudgetRow, budgetRows } from '../model/budgets.ts'
import { relativeTime } from './show-time.tsx'
import { useNow } from './use-now.ts'

/** Whether a budget is open, and until or from when. */
export const budgetState = (row: BudgetRow, now: number, t: Translate): string => {
  const time = row.changesAt === undefined ? '' : relativeTime(row.changesAt, now)
  switch (row.state) {
    case 'always':
      return t('always')
    case 'active':
      return time === '' ? t('activeForever') : t('active', { time })
    case 'inactive':
      return time === '' ? t('inactiveForever') : t('inactive', { time })
    case 'invalid':
      return t('invalid', { problem: row.problem ?? '' })
  }
}

/** A row for each budget: whether it applies now, how many nodes it allows and how many of these are used. */
export const BudgetsSection = ({
  pool,
  claims,
}: {
  readonly pool: AnyObject
  readonly claims: readonly AnyObject[]
}) => {
  const t = useT()
  const now = useNow(10_000)
  const rows = budgetRows(
    pool.jsonData,
    claims.map(({ jsonData }) => jsonData),
    now,
  )
  return (
    <SectionBox title={t('budgets')}>
      <SimpleTable
        emptyMessage={t('none')}
        columns={[
          { label: t('budget'), getter: ({ nodes }: BudgetRow) => nodes },
          { label: t('reasons'), getter: ({ reasons }: BudgetRow) => reasons?.join(', ') ?? t('everyReason') },
          {
            label: t('schedule'),
            getter: ({ schedule, duration }: BudgetRow) =>
              schedule === undefined ? t('always') : t('scheduleFor', { schedule, duration: duration ?? '' }),
          },
          { label: t('status'), getter: (row: BudgetRow) => budgetState(row, now, t) },
          { label: t('allowed'), getter: ({ allowed }: BudgetRow) => allowed },
          { label: t('inUse'), getter: ({ used }: BudgetRow) => used },
        ]}
        data={[...rows]}
      />
    </SectionBox>
  )
}
