import { findCondition, isConditionTrue, karpenterKinds, type Node, type Pod, parseResources, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const isOver = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '')
const cpuOf = (pods: readonly Pod[]): bigint =>
  pods.reduce(
    (sum, { spec }) =>
      sum +
      spec.containers.reduce((each, { resources }) => each + (parseResources(resources?.requests)['cpu'] ?? 0n), 0n),
    0n,
  )

/** While a replacement is on its way, no node is let go whose pods would have no place without it. */
export const replacementsFirst: MakeInvariant = (world, report) => {
  const since = new Map<string, number>()
  const isOpen = (node: Node): boolean =>
    node.metadata.deletionTimestamp === undefined &&
    node.spec.unschedulable !== true &&
    !node.spec.taints?.some(({ key }) => key === taints.disrupted.key)
  return {
    name: 'replacements-first',
    step: () => {
      for (const { metadata, spec } of world.nodes()) {
        const name = metadata.name ?? ''
        if (!spec.taints?.some(({ key }) => key === taints.disrupted.key)) since.delete(name)
        else if (!since.has(name)) since.set(name, world.clock.now())
      }
      return []
    },
    acts: ({ verb, kind, ref }) => {
      if (verb !== 'delete' || kind?.kind !== karpenterKinds.NodeClaim.kind || world.hadTwo) return
      const claims = world.claims()
      const claim = claims.find(({ metadata }) => metadata.name === ref?.name)
      const reason = claim === undefined ? undefined : findCondition(claim, 'DisruptionReason')
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || reason?.status !== 'True') return
      const nodeName = claim.status?.nodeName ?? ''
      const marked = since.get(nodeName) ?? world.clock.now()
      const onTheWay = claims.some(
        (each) =>
          !isConditionTrue(each, 'Initialized') && Date.parse(each.metadata.creationTimestamp ?? '') + 1_000 > marked,
      )
      if (!onTheWay) return
      const pods = world.pods().filter((pod) => !isOver(pod))
      const mine = pods.filter(({ spec }) => spec.nodeName === nodeName)
      const ready = new Set(
        claims.flatMap((each) => (isConditionTrue(each, 'Initialized') ? [each.status?.nodeName] : [])),
      )
      const free = world
        .nodes()
        .filter((node) => isOpen(node) && ready.has(node.metadata.name))
        .reduce((sum, node) => {
          const used = cpuOf(pods.filter(({ spec }) => spec.nodeName === node.metadata.name))
          return sum + (parseResources(node.status?.allocatable)['cpu'] ?? 0n) - used
        }, 0n)
      if (cpuOf(mine) > free) report(`node ${nodeName} is let go before there is room for its ${mine.length} pods`)
    },
  }
}
