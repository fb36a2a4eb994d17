import type { Translate } from '../locales/translate.ts'
import { grouped } from '../model/amounts.ts'
import type { LeastCost } from '../model/least-cost.ts'
import { type Cost, showPrice } from '../model/price.ts'

/** Returns text for the cost. An unknown cost is never shown as $0. */
export const costText = (cost: Cost | undefined, t: Translate, isLoading = false): string => {
  if (cost === undefined) return t(isLoading ? 'loading' : 'notKnown')
  if (cost.instances > 0 && cost.unknown === cost.instances) return t('notKnown')
  return cost.unknown === 0 ? showPrice(cost.total) : t('atLeast', { cost: showPrice(cost.total) })
}

const HOURS_OF_A_MONTH = 730

/** Returns the cost per month, or a note on how many nodes the cost excludes. */
export const costNote = (cost: Cost | undefined, t: Translate): string => {
  if (cost === undefined) return ''
  return cost.unknown === 0
    ? t('perMonth', { cost: `$${grouped.format(Math.round(cost.total * HOURS_OF_A_MONTH))}` })
    : t('costUnknown', { count: cost.unknown })
}

export const leastText = (least: LeastCost | undefined, t: Translate, isLoading = false): string => {
  if (least === undefined) return t(isLoading ? 'loading' : 'notKnown')
  return least.kind === 'known' ? showPrice(least.cost) : t('notKnown')
}

/**
 * Returns a text about how far the cost is above the lowest possible cost, or about why that is unknown. If other instance types may be
 * cheaper, the text says so instead of calling the value a lower bound.
 */
export const leastNote = (least: LeastCost | undefined, cost: Cost | undefined, t: Translate): string => {
  if (least?.kind === 'unpriced') return t('typesUnpriced', { count: least.types })
  if (least?.kind === 'tooMany') return t('tooManyPods', { pods: least.pods.toLocaleString() })
  if (least?.kind === 'starting') return t('kerfStarting')
  const isOfSeenTypes = least?.kind === 'known' && least.isOfSeenTypes === true
  if (least?.kind !== 'known' || least.cost === 0 || cost === undefined || cost.unknown > 0)
    return t(isOfSeenTypes ? 'seenBoundHelp' : 'lowerBoundHelp')
  const above = t('aboveBound', { percent: Math.max(0, Math.round((cost.total / least.cost - 1) * 100)) })
  return isOfSeenTypes ? `${above}; ${t('seenBound')}` : above
}
