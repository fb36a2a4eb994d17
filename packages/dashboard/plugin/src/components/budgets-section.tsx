import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import { useAreCountsLoading, usePoolCounts } from '../cluster/use-objects.ts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { type BudgetRow, budgetRows, type NetAllowance, netAllowances } from '../model/budgets.ts'
import { emptyKey } from '../model/list-state.ts'
import { momentText, relativeTime } from './show-time.tsx'
import { useNow } from './use-now.ts'

/** Describes the effect of a budget, with the start and the end of its window. */
export const budgetText = (row: BudgetRow, now: number, t: Translate): string => {
  const { nodes, isFreeze, problem } = row
  const from = row.from === undefined ? undefined : momentText(row.from, now)
  const until = row.until === undefined ? '…' : momentText(row.until, now)
  switch (row.state) {
    case 'always':
      return isFreeze ? t('budget.freezeAlways') : t('budget.mostAlways', { nodes })
    case 'active':
      return isFreeze ? t('budget.freezeUntil', { until }) : t('budget.mostUntil', { nodes, until })
    case 'inactive':
      return isFreeze
        ? t('budget.freezeFrom', { from: from ?? '…', until })
        : t('budget.mostFrom', { nodes, from: from ?? '…', until })
    case 'invalid':
      return t('invalid', { problem: problem ?? '' })
  }
}

/** Returns a text with the number of nodes that may still be disrupted now. If the number is zero, the text says when this changes. */
export const leftText = ({ allowed, left, opensAt, error }: NetAllowance, now: number, t: Translate): string => {
  if (error !== undefined) return t('invalid', { problem: error })
  if (allowed === undefined || left === undefined) return t('noLimit')
  if (left > 0) return String(left)
  return opensAt === undefined ? '0' : t('noneUntil', { time: relativeTime(opensAt, now) })
}

/** Returns a complete sentence about how many nodes may be disrupted now. `byReason` is true if the limits differ by reason. */
export const budgetNowText = (
  net: NetAllowance,
  byReason: boolean,
  total: number,
  now: number,
  t: Translate,
): string => {
  const { reasons, allowed, disrupting, left, error } = net
  const sentence = (): string => {
    if (error !== undefined) return t('invalid', { problem: error })
    if (total === 0) return t('noNodes')
    if (allowed === undefined || left === undefined) return t('noLimit')
    if (allowed === 0)
      return net.opensAt === undefined ? t('closed') : t('closedUntil', { until: momentText(net.opensAt, now) })
    return left === 0 ? t('allGoing', { count: disrupting, allowed }) : t('nodesMayGo', { count: left })
  }
  return byReason && total > 0 ? `${reasons.join(', ')}: ${sentence()}` : sentence()
}

export const reasonsText = (reasons: readonly string[] | undefined, t: Translate): string =>
  reasons === undefined || reasons.length === 3 ? t('everyReason') : reasons.join(', ')

/** Shows, for each reason, how many disruptions all budgets together allow now. Also shows each budget as it is written. */
export const BudgetsSection = ({ pool }: { readonly pool: AnyObject }) => {
  const t = useT()
  const now = useNow(10_000)
  const counts = usePoolCounts()
  const areCountsLoading = useAreCountsLoading()
  const count = counts?.get(pool.getName()) ?? { total: 0, disrupting: 0 }
  const net = counts === undefined ? [] : netAllowances(pool.jsonData, count, now)
  return (
    <SectionBox title={t('budgets')}>
      <SimpleTable
        emptyMessage={t(emptyKey(false, areCountsLoading))}
        columns={[
          { label: t('reasons'), getter: ({ reasons }: NetAllowance) => reasonsText(reasons, t) },
          { label: t('mayGoNow'), getter: (row: NetAllowance) => leftText(row, now, t) },
          { label: t('allowedAtOnce'), getter: ({ allowed }: NetAllowance) => allowed ?? t('noLimit') },
          { label: t('goingNow'), getter: ({ disrupting }: NetAllowance) => disrupting },
        ]}
        data={[...net]}
      />
      <SimpleTable
        emptyMessage={t('none')}
        columns={[
          { label: t('budget'), getter: ({ nodes }: BudgetRow) => nodes },
          { label: t('reasons'), getter: ({ reasons }: BudgetRow) => reasonsText(reasons, t) },
          {
            label: t('schedule'),
            getter: ({ schedule, duration }: BudgetRow) =>
              schedule === undefined ? t('always') : t('scheduleFor', { schedule, duration: duration ?? '' }),
          },
          { label: t('whatItDoes'), getter: (row: BudgetRow) => budgetText(row, now, t) },
        ]}
        data={[...budgetRows(pool.jsonData, now)]}
      />
    </SectionBox>
  )
}
