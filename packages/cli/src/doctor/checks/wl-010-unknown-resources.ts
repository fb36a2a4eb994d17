import { karpenterKinds } from '@kerf/apis'
import { foundAny, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload, type Workload } from '../workload.ts'

/** Resources that every node has, or that the kubelet adds. */
const COMMON: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods'])

/** Returns the resources that a pod requests and that only some nodes have. */
const workloadExtended = ({ pod }: Workload): readonly string[] => {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
  const asked = containers.flatMap(({ resources }) => [
    ...Object.keys(resources?.requests ?? {}),
    ...Object.keys(resources?.limits ?? {}),
  ])
  return [...new Set(asked)].filter((name) => !COMMON.has(name) && !name.startsWith('hugepages-'))
}

export const wl010: Check = {
  id: 'WL-010',
  group: 'workloads',
  severity: 'warning',
  title: 'Extended resources that no node and no instance type has',
  why: 'Kerf launches a node for a resource only if an instance type of a NodePool has it. If a device plugin adds a resource later, add it with a NodeOverlay. Otherwise the pods stay pending with the reason that nothing is large enough.',
  reads: ['NodePool', 'Node'],
  examine({ workloads, nodes, nodePools, typesOf, objects }) {
    const asking = workloads.filter((workload) => workloadExtended(workload).length > 0)
    const known = new Set(nodes.flatMap(({ status }) => Object.keys(status?.capacity ?? {})))
    for (const overlay of objects.of(karpenterKinds.NodeOverlay))
      for (const name of Object.keys(overlay.spec.capacity ?? {})) known.add(name)
    const unknownPools: string[] = []
    for (const pool of nodePools) {
      const types = typesOf(pool)
      if (types === undefined) unknownPools.push(pool.metadata.name)
      for (const { capacity } of types ?? [])
        for (const [name, amount] of Object.entries(capacity)) if (amount > 0n) known.add(name)
    }
    const missing = asking.filter((workload) => workloadExtended(workload).some((name) => !known.has(name)))
    if (missing.length > 0 && unknownPools.length > 0)
      return undecided(`the instance types of ${unknownPools.join(', ')} are not known; see --instance-types`)
    const names = [...new Set(missing.flatMap(workloadExtended))].filter((name) => !known.has(name))
    return foundAny(
      missing.map(nameOfWorkload),
      {
        seen: `no node and no instance type has ${names.join(', ')}`,
        remedy: 'correct the name, or add the resource to instance types with a NodeOverlay (spec.capacity)',
      },
      asking.length === 0 ? 'no workload asks for an extended resource' : 'each extended resource is known',
    )
  },
}
