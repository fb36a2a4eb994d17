import { labels, type NodePool, type Pod } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

/** Returns the topology keys that a pod requires, without those that it only prefers. */
const requiredTopologyKeys = ({ spec }: Pod): readonly string[] => {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  return [
    ...(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway'),
  ].map(({ topologyKey }) => topologyKey)
}

const poolKeys = ({ spec: { template } }: NodePool): readonly string[] => [
  ...Object.keys(template.metadata?.labels ?? {}),
  ...template.spec.requirements.map(({ key }) => key),
]

export const wl014: Check = {
  id: 'WL-014',
  group: 'workloads',
  severity: 'warning',
  title: 'Topology keys that no node and no NodePool has',
  why: 'Required pod affinity and DoNotSchedule topology spread by a label that no node has keep a pod pending forever. Required pod anti-affinity by such a label has no effect, because a node without the label has no domain. Usually the key is misspelled.',
  reads: ['NodePool', 'Node'],
  examine({ workloads, nodes, nodePools, vocabulary, typesOf }) {
    const known = new Set([
      labels.hostname,
      ...vocabulary.wellKnown,
      ...nodes.flatMap(({ metadata }) => Object.keys(metadata.labels ?? {})),
      ...nodePools.flatMap(poolKeys),
      ...nodePools.flatMap((pool) =>
        (typesOf(pool) ?? []).flatMap(({ requirements }) => requirements.map(({ key }) => key)),
      ),
    ])
    const unknown = new Set<string>()
    const found = workloads.filter(({ pod }) => {
      const own = requiredTopologyKeys(pod).filter((key) => !known.has(key) && !known.has(vocabulary.normalize(key)))
      for (const key of own) unknown.add(key)
      return own.length > 0
    })
    return foundAny(
      found.map(nameOfWorkload),
      {
        seen: `they use a topologyKey that no node and no NodePool has: ${[...unknown].sort().join(', ')}`,
        remedy: `correct topologyKey, for example to ${labels.hostname} or ${labels.zone}, or set the label on the NodePool (spec.template.metadata.labels)`,
      },
      'every required topologyKey is a label of a node or of a NodePool',
    )
  },
}
