import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { nameOfWorkload } from '../workload.ts'

export const pool003: Check = {
  id: 'POOL-003',
  group: 'pools',
  severity: 'warning',
  title: 'NodePools of equal weight for the same pods',
  why: 'NodePools should be mutually exclusive or have weights. If several NodePools with the same weight match a pod, the order of their names decides.',
  reads: ['NodePool'],
  examine({ nodePools, workloads, serving }) {
    const weights = new Map(nodePools.map(({ metadata, spec }) => [metadata.name, spec.weight ?? 0]))
    const pairs = new Map<string, string>()
    for (const workload of workloads) {
      const pools = serving.poolsFor(workload)
      for (const one of pools)
        for (const other of pools)
          if (one < other && weights.get(one) === weights.get(other))
            pairs.set(`${one} and ${other}`, pairs.get(`${one} and ${other}`) ?? nameOfWorkload(workload))
    }
    const names = new Set([...pairs.keys()].flatMap((pair) => pair.split(' and ')))
    return foundAny(
      [...names].map((name) => `NodePool ${name}`),
      {
        seen: [...pairs].map(([pair, workload]) => `${pair} both match ${workload}`).join('; '),
        remedy: 'give the preferred NodePool a higher spec.weight, or taint one of them',
      },
      'no two NodePools of equal weight match the same workload',
    )
  },
}
