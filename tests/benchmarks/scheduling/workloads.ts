import { largeClusters } from './large-clusters.ts'
import { manyWorkloads } from './many-workloads.ts'
import { upstreamMix } from './upstream-mix.ts'
import type { Workload } from './workload.ts'

/** Every scheduling workload, in the order of the output. */
export const workloads: readonly Workload[] = [...upstreamMix, ...largeClusters, ...manyWorkloads]

export const findWorkload = (name: string): Workload => {
  const found = workloads.find((workload) => workload.name === name)
  if (found === undefined)
    throw new RangeError(`no workload ${name}; there are ${workloads.map((workload) => workload.name).join(', ')}`)
  return found
}
