import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import { type BudgetRow, budgetRows } from '../model/budgets.ts'
import { type Say, useWords } from '../words/use-words.ts'
import { relativeTime } from './show-time.tsx'
import { useNow } from './use-now.ts'

/** Whether a budget is open, and until or from when. */
export const budgetState = (row: BudgetRow, now: number, say: Say): string => {
  const time = row.changesAt === undefined ? '' : relativeTime(row.changesAt, now)
  switch (row.state) {
    case 'always':
      return say('always')
    case 'active':
      return time === '' ? say('activeForever') : say('active', { time })
    case 'waiting':
      return time === '' ? say('waitingForever') : say('waiting', { time })
    case 'broken':
      return say('broken', { problem: row.problem ?? '' })
  }
}

/** A row for each budget: whether it applies now, what it lets go and how much of that is used. */
export const BudgetsSection = ({
  pool,
  claims,
}: {
  readonly pool: AnyObject
  readonly claims: readonly AnyObject[]
}) => {
  const say = useWords()
  const now = useNow(10_000)
  const rows = budgetRows(
    pool.jsonData,
    claims.map(({ jsonData }) => jsonData),
    now,
  )
  return (
    <SectionBox title={say('budgets')}>
      <SimpleTable
        emptyMessage={say('none')}
        columns={[
          { label: say('budget'), getter: ({ nodes }: BudgetRow) => nodes },
          { label: say('reasons'), getter: ({ reasons }: BudgetRow) => reasons?.join(', ') ?? say('everyReason') },
          {
            label: say('schedule'),
            getter: ({ schedule, duration }: BudgetRow) =>
              schedule === undefined ? say('always') : say('scheduleFor', { schedule, duration: duration ?? '' }),
          },
          { label: say('status'), getter: (row: BudgetRow) => budgetState(row, now, say) },
          { label: say('allowed'), getter: ({ allowed }: BudgetRow) => allowed },
          { label: say('inUse'), getter: ({ used }: BudgetRow) => used },
        ]}
        data={[...rows]}
      />
    </SectionBox>
  )
}
