import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import { classProblems } from '../../node-class/class-problems.ts'
import { proxmoxNodeClassKind } from '../../node-class/proxmox-node-class.ts'
import { proxmoxPools } from './proxmox-pools.ts'

export const pool040: DoctorCheck = {
  id: 'POOL-040',
  group: 'pools',
  severity: 'critical',
  title: 'ProxmoxNodeClasses that can launch nothing',
  why: 'The CRD accepts tags, names of security groups and durations that Proxmox or the kubelet refuses. Kerf launches nothing with such a class.',
  reads: ['NodePool'],
  examine(audit) {
    const names = new Set(proxmoxPools(audit).map(({ spec }) => spec.template.spec.nodeClassRef.name))
    const classes = audit.objects.of(proxmoxNodeClassKind).filter(({ metadata }) => names.has(metadata.name))
    if (classes.length < names.size) return undecided('not every ProxmoxNodeClass of the NodePools was read')
    const wrong = classes.filter((nodeClass) => classProblems(nodeClass).length > 0)
    return foundAny(
      wrong.map(objectName),
      {
        seen: wrong.flatMap(classProblems).slice(0, 1).join(''),
        remedy: 'correct the field that the message names',
      },
      classes.length === 0
        ? 'no NodePool has a ProxmoxNodeClass'
        : 'Proxmox accepts the fields of every ProxmoxNodeClass',
    )
  },
}
