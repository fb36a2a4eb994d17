import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import { bizflyNodeClassKind } from '../../node-class/bizfly-node-class.ts'
import { classProblems } from '../../node-class/class-problems.ts'
import { bizflyPools } from './bizfly-pools.ts'

export const pool031: DoctorCheck = {
  id: 'POOL-031',
  group: 'pools',
  severity: 'critical',
  title: 'BizflyCloudNodeClasses that can launch nothing',
  why: 'The CRD accepts a class without zones, categories, disk types, network plans or VPC networks, but a server needs all of them.',
  reads: ['NodePool'],
  examine(audit) {
    const names = new Set(bizflyPools(audit).map(({ spec }) => spec.template.spec.nodeClassRef.name))
    const classes = audit.objects.of(bizflyNodeClassKind).filter(({ metadata }) => names.has(metadata.name))
    if (classes.length < names.size) return undecided('not every BizflyCloudNodeClass of the NodePools was read')
    const wrong = classes.filter((nodeClass) => classProblems(nodeClass).length > 0)
    return foundAny(
      wrong.map(objectName),
      {
        seen: wrong.flatMap(classProblems).slice(0, 1).join(''),
        remedy: 'correct the fields that the InstanceReady condition of the class names',
      },
      classes.length === 0 ? 'no NodePool has a BizflyCloudNodeClass' : 'each has all that a server needs',
    )
  },
}
