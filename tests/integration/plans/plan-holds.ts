import type { Node, Pod } from '@kerf/apis'
import type { TestCluster } from '@kerf/control-plane/testing'
import type { Decision } from '@kerf/controllers'
import { expect } from 'vitest'
import { emptied } from '../story/story-cluster.ts'
import { isDaemonPod, KerfOnCluster } from './kerf-on-cluster.ts'
import { HOLD, loadScenario } from './scenario-on-cluster.ts'

/**
 * How long nominations must stay unchanged, in milliseconds. This is longer than Kerf waits before it writes a removed nomination again,
 * and longer than kube-scheduler waits before it retries a pod.
 */
const NAMED_FOR = 4_000

const podKey = (pod: Pod): string => `${pod.metadata.namespace}/${pod.metadata.name}`
/** Returns the group of a pod. Pods of the same template form a group, because plans and kube-scheduler treat them as equal. */
const groupOf = (key: string): string => key.slice(0, key.lastIndexOf('-'))
const isBound = (pod: Pod): boolean => (pod.spec.nodeName ?? '') !== ''
const nominatedNode = (pod: Pod): string => pod.status?.nominatedNodeName ?? ''
const isRefused = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ reason }) => reason === 'Unschedulable') ?? false
const isRegistered = (node: Node): boolean => node.metadata.labels?.['karpenter.sh/registered'] === 'true'
const isHeld = (node: Node): boolean => node.spec.taints?.some(({ key }) => key === HOLD.key) ?? false
/**
 * A decision with one of these reasons does not belong to the plan. The first pass may run before the controller marks NodePools as ready,
 * and then plans nothing.
 */
const POOLS_NOT_READY = new Set(['nodepool.none', 'nodepool.not-ready'])
const isOfPlan = (decision: Decision): boolean =>
  decision.kind !== 'refuse' || !decision.reasons.some(({ code }) => POOLS_NOT_READY.has(code))
const podsOf = (decision: Decision): readonly string[] => (decision.kind === 'refuse' ? [decision.pod] : decision.pods)

const workloadOf = async (kerf: KerfOnCluster): Promise<readonly Pod[]> =>
  (await kerf.pods()).filter((pod) => !isDaemonPod(pod))

/** Removes the hold taint from the nodes, so that kube-scheduler can bind pods to them. */
const open = async (kerf: KerfOnCluster, nodes: readonly Node[]): Promise<void> => {
  const names = new Set(nodes.map(({ metadata }) => metadata.name))
  await kerf.until('the nodes are open', async () => {
    const held = (await kerf.nodes()).filter((node) => names.has(node.metadata.name) && isHeld(node))
    await Promise.all(held.map((node) => kerf.untaint(node, HOLD)))
    return held.length === 0
  })
}

/**
 * Returns a text with the nominated node of each pod. If kube-scheduler fails to schedule a pod, the text changes, because the failure
 * removes the pod's nomination for some seconds.
 */
const namesOf = async (kerf: KerfOnCluster): Promise<string> =>
  (await workloadOf(kerf)).map((pod) => `${podKey(pod)} ${nominatedNode(pod)}`).join('\n')

/**
 * When kube-scheduler is idle, removes the hold taint from a node. Waits until the pods that are nominated for the node are bound. If
 * kube-scheduler were still trying one of these pods, its failure would remove the pod's nomination, and another pod might take the
 * capacity.
 */
const openForItsPods = async (kerf: KerfOnCluster, node: Node): Promise<void> => {
  const { name } = node.metadata
  await kerf.steady(`kube-scheduler rests before ${name} opens`, NAMED_FOR, () => namesOf(kerf))
  await open(kerf, [node])
  await kerf.until(`the pods of ${name} are bound`, async () =>
    (await workloadOf(kerf)).every((pod) => isBound(pod) || nominatedNode(pod) !== name),
  )
}

/** Waits until each planned pod is bound or nominated. */
const untilNominated = (kerf: KerfOnCluster, planned: ReadonlySet<string>, before: string): Promise<void> =>
  kerf.until(`the pods are nominated before ${before} opens`, async () =>
    (await workloadOf(kerf)).every((pod) => isBound(pod) || !planned.has(podKey(pod)) || nominatedNode(pod) !== ''),
  )

/**
 * How the test opens nodes to kube-scheduler, by removing the hold taint. When a node opens, kube-scheduler also tries pods that are
 * planned for other nodes, fails, and removes their nominations. Kerf writes them again within seconds.
 * - `one by one`: a node opens only after Kerf has written all nominations again. Kerf then adds no node to the plan, however fast the
 *   machine is.
 * - `together`: for pods with constraints on other pods. kube-scheduler refuses such a pod, and removes its nomination, until the other
 *   pods are bound. In the meantime, it may bind another pod to the refused pod's capacity, and the refused pod then needs another node.
 *   This depends on the order in which kube-scheduler tries pods, so nodes for displaced pods may be added to the plan, but no others.
 */
export type Opening = 'one by one' | 'together'

/** Returns a text for one pod of a group on a node. */
const place = (group: string, node: string): string => `${group} on ${node}`

/** Returns how many planned pods are not bound to their planned node. Pods of the same group are interchangeable. */
const countDisplaced = (bound: readonly Pod[], planned: readonly string[]): number => {
  const open = bound.map((pod) => place(groupOf(podKey(pod)), pod.spec.nodeName ?? ''))
  return planned.filter((wanted) => {
    const index = open.indexOf(wanted)
    if (index >= 0) open.splice(index, 1)
    return index < 0
  }).length
}

/**
 * Applies a scenario to a real control plane with Kerf, the KWOK provider and kube-scheduler. Asserts that kube-scheduler binds the pods as
 * Kerf planned.
 */
export const runPlanHolds = async (cluster: TestCluster, name: string, opening: Opening): Promise<void> => {
  await emptied(cluster)
  const { loaded, manifests, catalogue } = await loadScenario(name)
  const kerf = await KerfOnCluster.open(cluster.kubeconfig, catalogue)
  const workload = () => workloadOf(kerf)
  try {
    await kerf.install()
    await kerf.apply(manifests)
    // All pods must be pending before Kerf starts, so that one pass plans them all.
    await kerf.until(
      'kube-scheduler has looked at every pod',
      async () => (await workload()).filter(isRefused).length >= loaded.pending.length,
    )
    kerf.start()
    await kerf.until(
      'Kerf has decided on every pod',
      async () => new Set(kerf.decisions.filter(isOfPlan).flatMap(podsOf)).size >= loaded.pending.length,
    )
    const plan = kerf.decisions.filter(isOfPlan)
    const launches = plan.filter((decision) => decision.kind === 'launch')
    const planned = launches.flatMap(podsOf).sort()
    await kerf.until(
      `the ${launches.length} planned nodes are registered`,
      async () => (await kerf.nodes()).filter(isRegistered).length >= launches.length,
    )
    // Kerf does not nominate all pods at once, and after failed attempts of kube-scheduler it writes removed nominations again.
    await kerf.steady('kube-scheduler knows the plan', NAMED_FOR, () => namesOf(kerf))
    const held = (await kerf.nodes()).filter(isHeld)
    switch (opening) {
      case 'one by one':
        for (const node of held) {
          await untilNominated(kerf, new Set(planned), node.metadata.name)
          await openForItsPods(kerf, node)
        }
        break
      case 'together':
        await open(kerf, held)
        break
    }
    await kerf.until(
      `the ${planned.length} pods that the plan placed are bound`,
      async () => {
        // Nodes that Kerf added later are not part of the plan. Open them too, so that the test ends soon.
        await Promise.all((await kerf.nodes()).filter(isHeld).map((node) => kerf.untaint(node, HOLD)))
        return (await workload()).filter(isBound).length >= planned.length
      },
      async () =>
        `Waiting: ${(await workload())
          .filter((pod) => !isBound(pod))
          .map(podKey)
          .join(', ')}`,
    )
    const bound = (await workload()).filter(isBound)
    expect(bound.map((pod) => groupOf(podKey(pod))).sort()).toEqual(planned.map(groupOf).sort())
    const claims = await kerf.claims()
    const nodeNames = new Map(claims.map(({ metadata, status }) => [metadata.name, status?.nodeName ?? '']))
    const places = launches.flatMap(({ nodeClaim, pods }) =>
      pods.map((pod) => place(groupOf(pod), nodeNames.get(nodeClaim) ?? '')),
    )
    const displaced = opening === 'one by one' ? 0 : countDisplaced(bound, places)
    const added = new Set(nodeNames.keys()).difference(new Set(launches.map(({ nodeClaim }) => nodeClaim)))
    expect(claims.length - added.size).toBe(launches.length)
    expect(added.size, `added to the plan: ${[...added].join(', ')}`).toBeLessThanOrEqual(displaced)
    for (const pod of bound) expect([...nodeNames.values()]).toContain(pod.spec.nodeName)
  } finally {
    await kerf.close()
  }
}
