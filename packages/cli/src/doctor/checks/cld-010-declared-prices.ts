import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  findCondition,
  type Milliseconds,
  parseTime,
  policyKinds,
} from '@kerf/apis'
import { inOrder, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const DAY: Milliseconds = 86_400_000
/** The age in days from which declared prices are reported as old. `kerf policy lint` uses the same age. */
const MOST_DAYS = 90

export const cld010: Check = {
  id: 'CLD-010',
  group: 'cloud',
  severity: 'warning',
  title: 'Declared prices that are refused or old',
  why: 'While the source of the price book is refused or cannot be read, the prices that Kerf read last stay in force. Nothing else shows that they become old, and Kerf then chooses instance types by outdated prices.',
  reads: ['NodePool'],
  examine(audit) {
    const { objects, now } = audit
    const unread = audit.unread(policyKinds.ClusterPolicy.kind)
    if (unread !== undefined) return undecided(unread)
    const policy = objects.of(policyKinds.ClusterPolicy).find(({ metadata }) => metadata.name === CLUSTER_POLICY) as
      | ClusterPolicy
      | undefined
    if (policy?.spec.priceBook === undefined) return inOrder('the ClusterPolicy has no price book')
    const { prices = [], source = '' } = policy.status?.priceBook ?? {}
    const accepted = findCondition(policy, 'Accepted')
    if (accepted?.status === 'False' && accepted.message?.includes('spec.priceBook') === true)
      return {
        kind: 'found',
        objects: [objectName(policy)],
        seen: accepted.message,
        remedy: 'correct the prices; Kerf reads them every minute',
      }
    if (prices.length === 0) return undecided('Kerf has not read the declared prices yet')
    const days = (asOf: string): number => Math.floor((now - (parseTime(asOf) ?? now)) / DAY)
    const ages = prices.map(({ asOf }) => days(asOf))
    const old = prices.filter(({ asOf }) => days(asOf) > MOST_DAYS)
    const summary = `${prices.length} prices from ${source}, the oldest is ${Math.max(...ages)} days old`
    if (old.length === 0) return inOrder(summary)
    const names = [...new Set(old.map(({ instanceType }) => instanceType))]
    return {
      kind: 'found',
      objects: [objectName(policy)],
      seen: `${summary}; older than ${MOST_DAYS} days: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`,
      remedy: 'check the prices, and set asOf to today',
    }
  },
}
