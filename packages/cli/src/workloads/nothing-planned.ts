import type { Pod } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import type { Manifest } from '../manifests/manifest.ts'
import { isPod, objectNamespace } from './workload.ts'

/** Maximum number of objects that a text lists. */
const NAMED = 5

const isGated = (pod: Pod): boolean => (pod.spec.schedulingGates ?? []).length > 0

/** Returns a line about pods with scheduling gates. Kerf plans nothing for them until the gates are removed. */
export const gatedPods = (manifests: readonly Manifest[]): string | undefined => {
  const gated = manifests
    .map(({ object }) => object)
    .filter(isPod)
    .filter((pod) => (pod.spec.nodeName ?? '') === '' && isGated(pod))
  const [first] = gated
  if (first === undefined) return undefined
  const gates = [...new Set(gated.flatMap(({ spec }) => (spec.schedulingGates ?? []).map(({ name }) => name)))]
  const more = gated.length === 1 ? ' waits' : ` and ${gated.length - 1} more wait`
  return `not planned: Pod ${objectNamespace(first)}/${first.metadata.name}${more} for the scheduling gate${gates.length === 1 ? '' : 's'} ${gates.slice(0, NAMED).join(', ')}`
}

/** Returns a line with the remedy if there is no NodePool, because nothing can be launched. Returns undefined if there is a NodePool. */
export const withoutPool = (manifests: readonly Manifest[]): string | undefined =>
  manifests.some(({ object }) => object.kind === 'NodePool')
    ? undefined
    : 'there is no NodePool, so no node can be launched: add one with -f NODEPOOL.yaml; examples/quickstart/nodepool.yaml of Kerf’s repository is one to begin with'

const countedKinds = (manifests: readonly Manifest[]): string => {
  const counts = new Map<string, number>()
  for (const { object } of manifests) counts.set(object.kind, (counts.get(object.kind) ?? 0) + 1)
  const parts = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => (count === 1 ? `1 ${kind}` : `${count} of kind ${kind}`))
  return parts.length === 0 ? 'no objects' : parts.join(', ')
}

/**
 * Returns the error for files that contain no pods to plan and no running pods. The error lists what the files contain. Without this error,
 * Kerf would print the misleading text "No new node is needed".
 */
export const nothingPlanned = (manifests: readonly Manifest[], idle: readonly string[]): UsageError | undefined => {
  const pods = manifests.map(({ object }) => object).filter(isPod)
  if (pods.some((pod) => !isGated(pod) || (pod.spec.nodeName ?? '') !== '')) return undefined
  const gated = gatedPods(manifests)
  const more = idle.length > NAMED ? ` and ${idle.length - NAMED} more` : ''
  const seen = [
    ...(gated === undefined ? [] : [gated.replace(/^not planned: /, '')]),
    ...(idle.length === 0 ? [] : [`${idle.slice(0, NAMED).join(', ')}${more}`]),
  ]
  return new UsageError(
    seen.length > 0
      ? `nothing to plan: ${seen.join('; ')}`
      : `nothing to plan: the files contain no pods and no workloads that create pods, but ${countedKinds(manifests)}; add the pods or their Deployment, StatefulSet or Job with -f`,
  )
}
