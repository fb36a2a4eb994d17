import { type NodePool, policyKinds, targetsPool } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'

const hasTaint = ({ spec }: NodePool): boolean =>
  (spec.template.spec.taints ?? []).some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')

export const pool015: DoctorCheck = {
  id: 'POOL-015',
  group: 'pools',
  severity: 'warning',
  title: 'Node roles that any pod can choose',
  why: 'If NodePools have different node roles, anyone who can create pods can select the more powerful role with a nodeSelector. A taint on the NodePool, and a NodePoolPolicy whose fence refuses its toleration in other namespaces, prevent this.',
  reads: ['NodePool'],
  examine({ nodePools, objects }) {
    const classes = new Map(
      objects
        .of(ec2NodeClassKind)
        .map((each) => [each.metadata.name, each.spec.role ?? each.spec.instanceProfile ?? '']),
    )
    const roles = nodePools.flatMap((pool) => {
      const { kind, name } = pool.spec.template.spec.nodeClassRef
      const role = kind === 'EC2NodeClass' ? classes.get(name) : undefined
      return role === undefined ? [] : [{ pool, role }]
    })
    const differ = new Set(roles.map(({ role }) => role)).size > 1
    const open = differ ? roles.filter(({ pool }) => !hasTaint(pool)) : []
    // If all NodePools without a taint use the same role, a pod without a toleration can only get that role.
    const isOne = new Set(open.map(({ role }) => role)).size < 2
    const policies = objects.of(policyKinds.NodePoolPolicy).filter(({ spec }) => spec.access !== undefined)
    const unguarded = differ
      ? roles.filter(({ pool }) => hasTaint(pool) && !policies.some((policy) => targetsPool(policy, pool)))
      : []
    if (isOne && unguarded.length > 0)
      return {
        kind: 'found',
        severity: 'information',
        objects: unguarded.map(({ pool }) => `NodePool ${pool.metadata.name}`),
        seen: 'taints separate NodePools with different roles, but any pod can tolerate these taints',
        remedy: `say in a NodePoolPolicy which namespaces may use them, and apply the output of kerf policy fence`,
      }
    return foundAny(
      isOne ? [] : open.map(({ pool }) => `NodePool ${pool.metadata.name}`),
      {
        seen: `their nodes have different roles (${[...new Set(open.map(({ role }) => role))].join(', ')}), and any pod can choose them`,
        remedy:
          'set a taint on each NodePool except one, say in a NodePoolPolicy which namespaces may use these NodePools, and apply the output of kerf policy fence',
      },
      'taints and NodePoolPolicies separate NodePools with different roles',
    )
  },
}
