import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { remaining, showAmount } from '../model/amounts.ts'
import type { LeastPlan } from '../model/least-plan.ts'
import { showPrice } from '../model/price.ts'

/** Returns a text about the nodes and the cost that the plan of lowest cost would save, or why that is unknown. */
export const planText = (plan: LeastPlan | undefined, t: Translate, isLoading: boolean): string => {
  if (plan === undefined) return t('leastPlanUnknown', { why: t(isLoading ? 'loading' : 'notKnown') })
  switch (plan.kind) {
    case 'tooMany':
      return t('leastPlanUnknown', { why: t('tooManyPods', { pods: plan.pods.toLocaleString() }) })
    case 'unplaced':
      return t('leastPlanUnplaced', { count: plan.pods })
    case 'none':
      return t('leastPlanNone')
    case 'known': {
      const { now, planned } = plan
      const counts = { now: now.nodes, planned: planned.nodes }
      if (now.cost === undefined || planned.cost === undefined) return t('leastPlanUnpriced', counts)
      if (planned.cost >= now.cost) return t('leastPlanFreesNothing')
      return t('leastPlanFrees', {
        ...counts,
        cpu: showAmount('cpu', remaining(now.allocatable.cpu, planned.allocatable.cpu)),
        memory: showAmount('memory', remaining(now.allocatable.memory, planned.allocatable.memory)),
        cost: showPrice(now.cost - planned.cost),
      })
    }
  }
}

/** Shows the nodes that the plan of lowest cost has in a NodePool, and their cost. */
export const PlannedText = ({ plan, pool }: { readonly plan: LeastPlan | undefined; readonly pool: string }) => {
  const t = useT()
  if (plan?.kind !== 'known') return <span>{t('notKnown')}</span>
  // A static pool is not part of the plan.
  const planned = plan.byPool.get(pool)?.planned
  if (planned === undefined) return <span>–</span>
  const nodes = t('nodesCount', { count: planned.nodes })
  return <span>{planned.cost === undefined ? nodes : `${nodes}, ${showPrice(planned.cost)}`}</span>
}
