import type { KubeObject } from '@kerf/apis'
import type { AuditedCluster, DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import { communityProblems, oracleProblems } from '../../node-class/class-problems.ts'
import { communityNodeClassKind } from '../../node-class/community-node-class.ts'
import { oracleNodeClassKind } from '../../node-class/oracle-node-class.ts'
import { poolsOfUpstream } from './oci-pools.ts'

/** The defaults of two controller settings. `kerf doctor` cannot read the actual values. */
const USUAL_TAG_NAMESPACE = 'oke-karpenter-ns'
const USUAL_IP_COUNT = 32

const namedClasses = (audit: AuditedCluster, upstream: 'community' | 'oracle'): ReadonlySet<string> =>
  new Set(poolsOfUpstream(audit, upstream).map(({ spec }) => spec.template.spec.nodeClassRef.name))

interface Examined {
  readonly object: KubeObject
  readonly problems: readonly string[]
}

const examined = (audit: AuditedCluster): readonly Examined[] => {
  const [community, oracle] = [namedClasses(audit, 'community'), namedClasses(audit, 'oracle')]
  return [
    ...audit.objects
      .of(communityNodeClassKind)
      .filter(({ metadata }) => community.has(metadata.name))
      .map((object) => ({ object, problems: communityProblems(object, USUAL_TAG_NAMESPACE) })),
    ...audit.objects
      .of(oracleNodeClassKind)
      .filter(({ metadata }) => oracle.has(metadata.name))
      .map((object) => ({ object, problems: oracleProblems(object, USUAL_IP_COUNT) })),
  ]
}

export const pool052: DoctorCheck = {
  id: 'POOL-052',
  group: 'pools',
  severity: 'critical',
  title: 'Node classes of Oracle Cloud that can launch nothing',
  why: 'The CRDs of both kinds accept values that Oracle Cloud or the kubelet refuses, such as a boot volume of 10 GB, or a script that is not base64.',
  reads: ['NodePool'],
  examine(audit) {
    const classes = examined(audit)
    const wanted = namedClasses(audit, 'community').size + namedClasses(audit, 'oracle').size
    if (classes.length < wanted) return undecided('not every node class of the NodePools was read')
    const wrong = classes.filter(({ problems }) => problems.length > 0)
    return foundAny(
      wrong.map(({ object }) => objectName(object)),
      {
        seen: wrong
          .flatMap(({ problems }) => problems.slice(0, 1))
          .slice(0, 1)
          .join(''),
        remedy: 'correct the fields that the ValidationSucceeded condition of the class names',
      },
      wanted === 0 ? 'no NodePool has a node class of Oracle Cloud' : 'every node class has values that can be used',
    )
  },
}
