import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

const HOSTNAME = 'kubernetes.io/hostname'
/** Minimum number of replicas for this check. A smaller number can be spread over existing nodes. */
const MANY = 10

export const wl008: Check = {
  id: 'WL-008',
  group: 'workloads',
  severity: 'information',
  title: 'Preferences that cost nodes',
  why: 'Preferred anti-affinity and ScheduleAnyway topology spread by host are treated as required first, so each pod gets its own node while the limits allow it. With --preference-policy=Ignore, Kerf does not consider them.',
  reads: ['NodePool'],
  examine({ workloads, serving }) {
    const spread = workloads.filter((workload) => {
      const { affinity, topologySpreadConstraints = [] } = workload.pod.spec
      const prefersOwnNode = (affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).some(
        ({ podAffinityTerm }) => podAffinityTerm.topologyKey === HOSTNAME,
      )
      const prefersSpread = topologySpreadConstraints.some(
        ({ topologyKey, whenUnsatisfiable, maxSkew }) =>
          topologyKey === HOSTNAME && whenUnsatisfiable === 'ScheduleAnyway' && maxSkew === 1,
      )
      return workload.replicas >= MANY && (prefersOwnNode || prefersSpread) && serving.poolsFor(workload).length > 0
    })
    return foundAny(
      spread.map(nameOfWorkload),
      {
        seen: 'they prefer a node for each pod',
        remedy:
          'see the cost with kerf plan --explain-cost; spread by zone instead, or start the controller with --preference-policy=Ignore',
      },
      'no large workload prefers a node for each of its pods',
    )
  },
}
