import { toleratesTaints } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

/** DaemonSets without which a node has no network, no volumes or no services. */
const AGENTS = /^(aws-node|cilium|calico-node|kube-proxy|weave-net|canal|azure-cns|.*-csi-node(-linux)?|csi-.*-node)$/

export const pool010: Check = {
  id: 'POOL-010',
  group: 'pools',
  severity: 'critical',
  title: 'Taints that the agents of a node do not tolerate',
  why: 'Without the DaemonSets of network and volumes a node never becomes ready, or its pods never start.',
  reads: ['NodePool', 'DaemonSet'],
  examine({ nodePools, daemonSets }) {
    const agents = daemonSets.filter(({ metadata }) => AGENTS.test(metadata.name))
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
      'the agents of the nodes tolerate the taints of each NodePool',
    )
  },
}
