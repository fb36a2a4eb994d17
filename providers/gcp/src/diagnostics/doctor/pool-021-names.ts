import type { NodePool } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { ownerProblem } from '../../instances/instance-labels.ts'
import { instanceNameProblem } from '../../instances/instance-names.ts'
import { gcpPools } from './gcp-pools.ts'

/** The name of a NodeClaim is the name of its NodePool plus a suffix of this form. */
const SUFFIX = '-xxxxx'

const cannotLaunch = ({ metadata, spec }: NodePool): boolean =>
  ownerProblem({ nodePool: metadata.name, nodeClass: spec.template.spec.nodeClassRef.name }) !== undefined ||
  instanceNameProblem(`${metadata.name}${SUFFIX}`) !== undefined

export const pool021: DoctorCheck = {
  id: 'POOL-021',
  group: 'pools',
  severity: 'critical',
  title: 'NodePools whose names Compute Engine refuses',
  why: 'The names of the NodePool and of its GCENodeClass become labels of each instance, and the name of the NodeClaim becomes its name. Compute Engine accepts no dots in them, and at most 63 characters. Kubernetes accepts both, so Kerf refuses each launch of such a NodePool.',
  reads: ['NodePool'],
  examine: (audit) =>
    foundAny(
      gcpPools(audit).filter(cannotLaunch).map(objectName),
      {
        seen: 'the name of the NodePool or of its GCENodeClass has a dot, or the name of the NodePool has more than 47 characters',
        remedy: 'create the NodePool or the class again with another name',
      },
      'Compute Engine accepts the names of all NodePools with a GCENodeClass',
    ),
}
