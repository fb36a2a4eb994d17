import type { Node, Pod } from '@kerf/apis'
import { resetCluster } from '@kerf/control-plane'
import type { TestCluster } from '@kerf/control-plane/testing'
import type { Decision } from '@kerf/controllers'
import { expect } from 'vitest'
import { Deadline } from './deadline.ts'
import { isDaemonPod, KerfOnCluster } from './kerf-on-cluster.ts'
import { HOLD, loadScenario } from './scenario-on-cluster.ts'

/** Longer than Kerf waits before it tells a pod again that has lost its node's name; milliseconds. */
const NAMED_FOR = 4_000

const keyOf = (pod: Pod): string => `${pod.metadata.namespace}/${pod.metadata.name}`
/** Pods made from one template, which no plan and no scheduler can tell apart. */
const groupOf = (key: string): string => key.slice(0, key.lastIndexOf('-'))
const isBound = (pod: Pod): boolean => (pod.spec.nodeName ?? '') !== ''
const isRefused = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ reason }) => reason === 'Unschedulable') ?? false
const isRegistered = (node: Node): boolean => node.metadata.labels?.['karpenter.sh/registered'] === 'true'
const isHeld = (node: Node): boolean => node.spec.taints?.some(({ key }) => key === HOLD.key) ?? false
const podsOf = (decision: Decision): readonly string[] => (decision.kind === 'refuse' ? [decision.pod] : decision.pods)

/** A scenario's objects on a real control plane, Kerf with the KWOK provider, and kube-scheduler, which keeps to Kerf's plan. */
export const runPlanHolds = async (cluster: TestCluster, name: string): Promise<void> => {
  await resetCluster(cluster)
  const { loaded, manifests, catalogue } = await loadScenario(name)
  const kerf = await KerfOnCluster.open(cluster.kubeconfig, catalogue)
  const deadline = new Deadline(240_000)
  const workload = async (): Promise<readonly Pod[]> => (await kerf.pods()).filter((pod) => !isDaemonPod(pod))
  try {
    await kerf.install()
    await kerf.apply(manifests)
    // All of them wait before Kerf begins, so that one pass decides on all.
    await deadline.until(
      'kube-scheduler has looked at every pod',
      async () => (await workload()).filter(isRefused).length >= loaded.pending.length,
    )
    kerf.start()
    await deadline.until(
      'Kerf has decided on every pod',
      async () => new Set(kerf.decisions.flatMap(podsOf)).size >= loaded.pending.length,
    )
    const plan = [...kerf.decisions]
    const launches = plan.filter(({ kind }) => kind === 'launch')
    const planned = launches.flatMap(podsOf).sort()
    await deadline.until(
      `the ${launches.length} planned nodes are registered`,
      async () => (await kerf.nodes()).filter(isRegistered).length >= launches.length,
    )
    // Whose turn it is not is not told; each of the others is, also again after kube-scheduler's attempts in vain.
    await deadline.steady('kube-scheduler knows the plan', NAMED_FOR, async () =>
      (await workload()).map((pod) => `${keyOf(pod)} ${pod.status?.nominatedNodeName ?? ''}`).join('\n'),
    )
    await deadline.until(
      `the ${planned.length} pods that the plan placed are bound`,
      async () => {
        await Promise.all((await kerf.nodes()).filter(isHeld).map((node) => kerf.untaint(node, HOLD)))
        return (await workload()).filter(isBound).length >= planned.length
      },
      async () =>
        `Waiting: ${(await workload())
          .filter((pod) => !isBound(pod))
          .map(keyOf)
          .join(', ')}`,
    )
    const bound = (await workload()).filter(isBound).map(keyOf)
    expect(bound.map(groupOf).sort()).toEqual(planned.map(groupOf).sort())
    const claims = await kerf.claims()
    expect(claims.map(({ metadata }) => metadata.name).sort()).toEqual(
      launches.map((launch) => (launch.kind === 'launch' ? launch.nodeClaim : '')).sort(),
    )
    const nodes = claims.map((claim) => claim.status?.nodeName)
    for (const pod of (await workload()).filter(isBound)) expect(nodes).toContain(pod.spec.nodeName)
  } finally {
    await kerf.close()
  }
}
