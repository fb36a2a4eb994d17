import type { NodePool } from '@kerf/apis'
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
  why: 'When NodePools differ in the role of their nodes, whoever may create pods can choose the stronger role by a nodeSelector. A taint on the NodePool, with an admission policy for the toleration, keeps others away.',
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
    // One role without a taint is fine: it is for all other pods.
    const isOne = new Set(open.map(({ role }) => role)).size < 2
    return foundAny(
      isOne ? [] : open.map(({ pool }) => `NodePool ${pool.metadata.name}`),
      {
        seen: `their nodes have different roles (${[...new Set(open.map(({ role }) => role))].join(', ')}), and any pod can choose them`,
        remedy:
          'a taint on each NodePool but one, and a ValidatingAdmissionPolicy that allows its toleration in the namespaces concerned',
      },
      'NodePools with different roles are kept apart by taints',
    )
  },
}
