import { isConditionTrue, karpenterKinds, type Pod, parseQuantity, toWhole } from '@kerf/apis'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

const isDone = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '')

/**
 * Pods whose nodes are being launched are planned again every ten seconds. If an instance came out smaller than planned,
 * another packing may need one more (seed 1134 when this was written). A second node for every pod would be twice as many.
 */
const REPACKED = 1 / 3
const MOST_BUFFERED = 4
/**
 * How old the state may be that Kerf decides on: a consolidation starts 15 s after its plan, and a watch may lag by 30 s. Kerf
 * may have planned for a pod that ended since then.
 */
const KNOWN_AFTER = 30_000

/**
 * No pod is planned twice: the claims that are being launched are planned for no more pods than were pending since the
 * oldest of them was created. A pod that came later may have taken the capacity of a planned pod, so it counts twice.
 */
export const onePlanPerPod: MakeInvariant = (environment, report) => {
  const lastWanted = new Map<string, number>()
  const firstWanted = new Map<string, number>()
  /** Pods that run on nodes that are kept, and since when pods that ended there have been missing. */
  const settled = new Map<string, { readonly nodeName: string; readonly missingSince: number | undefined }>()
  /** When Kerf asked for each claim. The claim may be younger, because a call may take long to arrive. */
  const askedAt = new Map<string, number>()
  const { objects } = environment.run
  const daemons = objects.filter(({ kind }) => kind === 'DaemonSet').length
  const buffered = objects.some(({ kind }) => kind === 'CapacityBuffer') ? MOST_BUFFERED : 0
  const note = (): void => {
    const now = environment.clock.monotonic()
    const leaving = new Set([
      ...environment
        .nodes()
        .filter(
          ({ metadata, spec }) =>
            metadata.deletionTimestamp !== undefined ||
            spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'),
        )
        .map(({ metadata }) => metadata.name),
      ...environment
        .claims()
        .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
        .map(({ status }) => status?.nodeName),
    ])
    const present = new Set(environment.nodes().map(({ metadata }) => metadata.name))
    const isGoing = (nodeName: string): boolean => leaving.has(nodeName) || !present.has(nodeName)
    const want = (uid: string): void => {
      lastWanted.set(uid, now)
      if (!firstWanted.has(uid)) firstWanted.set(uid, now)
    }
    const atWork = new Set<string>()
    for (const pod of environment.pods()) {
      const { nodeName } = pod.spec
      const uid = pod.metadata.uid ?? ''
      if (isDone(pod) || isOfDaemonSet(pod)) continue
      if (nodeName !== undefined && !isGoing(nodeName)) {
        atWork.add(uid)
        settled.set(uid, { nodeName, missingSince: undefined })
      } else {
        settled.delete(uid)
        want(uid)
      }
    }
    for (const [uid, { nodeName, missingSince = now }] of settled) {
      if (atWork.has(uid)) continue
      if (now - missingSince > KNOWN_AFTER) settled.delete(uid)
      else {
        settled.set(uid, { nodeName, missingSince })
        if (isGoing(nodeName)) want(uid)
      }
    }
  }
  return {
    name: 'one-plan-per-pod',
    always: () => {
      note()
      return []
    },
    begins: ({ verb, kind, ref }) => {
      if (verb === 'create' && kind?.kind === karpenterKinds.NodeClaim.kind)
        askedAt.set(ref?.name ?? '', environment.clock.monotonic())
    },
    acted: ({ verb, kind }) => {
      if (verb !== 'create' || kind?.kind !== karpenterKinds.NodeClaim.kind) return
      note()
      const underWay = environment
        .claims()
        .filter((claim) => claim.metadata.deletionTimestamp === undefined && !isConditionTrue(claim, 'Initialized'))
      if (environment.processes.overlaps.near(environment.clock.monotonic())) return
      if (underWay.some(({ metadata }) => environment.processes.overlaps.nearTime(metadata.creationTimestamp))) return
      // A claim's pods include its DaemonSet pods, which were not pending, and the replicas of a capacity buffer.
      const planned =
        underWay.reduce(
          (sum, { spec }) =>
            sum + Math.max(0, toWhole(parseQuantity(spec.resources?.requests?.['pods'] ?? 0)) - daemons),
          0,
        ) - buffered
      const oldest = Math.min(...underWay.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')))
      const madeAt = oldest - environment.clock.now() + environment.clock.monotonic()
      const since =
        Math.min(madeAt, ...underWay.map(({ metadata }) => askedAt.get(metadata.name ?? '') ?? madeAt)) - 1_000
      const wanted = [...lastWanted.values()].filter((at) => at >= since).length
      const late = [...firstWanted.values()].filter((at) => at >= since).length
      const isFirst = underWay.every(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') === oldest)
      if (planned > wanted + (isFirst ? 0 : late + wanted * REPACKED))
        report(`${underWay.length} claims are being launched for ${planned} pods, and only ${wanted} were pending`)
    },
  }
}
