import { type Namespace, type Pod, toleratesTaints } from '@kerf/apis'
import { accessRefusal } from '@kerf/engine'
import { stringify } from 'yaml'
import { loadCluster } from '../plan/load-cluster.ts'
import { podName } from '../plan/plan-document.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { counted } from '../terminal/amounts.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { EXEMPT_NAMESPACES, type FencedPool, fence, fencedPools } from './fence.ts'
import { nodePoolsIn, type PolicyOptions } from './policy-options.ts'

/** The maximum number of pods that a note lists. */
const SHOWN = 5

export interface FenceOptions extends Omit<PolicyOptions, 'output'> {
  readonly exemptNamespace?: readonly string[]
}

/** Returns the pods of the cluster that the fence would refuse if they were created again. */
const refusedPods = (
  { access, taints }: FencedPool,
  pods: readonly Pod[],
  namespaces: readonly Namespace[],
  exempt: readonly string[],
): readonly Pod[] => {
  const byName = new Map(namespaces.map(({ metadata }) => [metadata.name, { labels: metadata.labels }]))
  return pods.filter(
    (pod) =>
      !exempt.includes(pod.metadata.namespace ?? 'default') &&
      toleratesTaints(taints, pod.spec.tolerations) &&
      accessRefusal(access, pod, (name) => byName.get(name)) !== undefined,
  )
}

/**
 * Runs `kerf policy fence`: prints the admission policies that keep other pods off the NodePools with an `access` section. Returns 3 if a
 * NodePool has no taint and therefore no fence, 0 otherwise. Changes nothing.
 */
export const runPolicyFence = async (options: FenceOptions, streams: PlanStreams): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const { manifests, snapshot, poolPolicies, notes } = await loadCluster(options, streams.env, (line) =>
    progress.show(line),
  )
  progress.clear()
  const warn = (line: string): unknown => streams.stderr.write(`${line}\n`)
  for (const note of notes) warn(note)
  const pools = nodePoolsIn(manifests)
  const pods = manifests.flatMap(({ object }) => (object.kind === 'Pod' ? [object as Pod] : []))
  const exempt = options.exemptNamespace ?? EXEMPT_NAMESPACES
  const restricted = fencedPools(poolPolicies, pools)
  const documents: object[] = []
  for (const each of restricted) {
    const { name } = each.pool.metadata
    if (each.taints.length === 0) {
      warn(`NodePool ${name}: no fence, because its template has no taint with the effect NoSchedule or NoExecute`)
      continue
    }
    documents.push(...fence(each, pools, exempt))
    const refused = refusedPods(each, pods, snapshot.namespaces, exempt)
    if (refused.length === 0) continue
    const names = refused.slice(0, SHOWN).map(podName).join(', ')
    warn(
      `NodePool ${name}: ${counted(refused.length, 'running or waiting pod')} could not be created again, because of the fence: ${names}. Exempt a namespace with --exempt-namespace.`,
    )
  }
  if (restricted.length === 0) warn('no fence: no NodePoolPolicy with an access section applies to a NodePool')
  streams.stdout.write(documents.map((each) => `---\n${stringify(each, { lineWidth: 0 })}`).join(''))
  return restricted.some(({ taints }) => taints.length === 0) ? 3 : 0
}
