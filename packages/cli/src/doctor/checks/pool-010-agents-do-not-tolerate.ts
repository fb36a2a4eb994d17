import { toleratesTaints } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { providerChecks } from '../provider-checks.ts'

/** Matches the names of DaemonSets that give a node its network, its volumes or access to services, on any cloud. */
const AGENTS = /^(cilium|calico-node|kube-proxy|weave-net|canal|.*-csi-node(-linux)?|csi-.*-node)$/

const agentsOfClouds: ReadonlySet<string> = new Set(providerChecks.flatMap(({ nodeAgents = [] }) => nodeAgents))

const isAgent = (name: string): boolean => AGENTS.test(name) || agentsOfClouds.has(name)

export const pool010: Check = {
  id: 'POOL-010',
  group: 'pools',
  severity: 'critical',
  title: 'Taints that network and storage agents do not tolerate',
  why: 'Without its network and storage DaemonSets, a node never becomes ready or its pods never start.',
  reads: ['NodePool', 'DaemonSet'],
  examine({ nodePools, daemonSets }) {
    const agents = daemonSets.filter(({ metadata }) => isAgent(metadata.name))
    const found = nodePools.flatMap((pool) => {
      const taints = (pool.spec.template.spec.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule')
      const missing = agents.filter(({ spec }) => !toleratesTaints(taints, spec.template.spec.tolerations))
      return missing.length === 0 ? [] : [{ pool, missing }]
    })
    return foundAny(
      found.map(({ pool }) => objectName(pool)),
      {
        seen: found
          .map(
            ({ pool, missing }) =>
              `the taints of ${objectName(pool)} keep ${missing.map(objectName).join(', ')} off its nodes`,
          )
          .join('; '),
        remedy: 'let the DaemonSets tolerate everything: tolerations: [{operator: Exists}]',
      },
      'the network and storage agents tolerate the taints of each NodePool',
    )
  },
}
