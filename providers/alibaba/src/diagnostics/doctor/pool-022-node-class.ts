import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import { usedClasses } from './used-classes.ts'

/** Returns whether the controller has checked the node class and found no vSwitches, security groups or images. */
const resolvesToNothing = ({ status }: ECSNodeClass): boolean =>
  status?.conditions !== undefined &&
  [status.vSwitches, status.securityGroups, status.images].some((found) => (found ?? []).length === 0)

export const pool022: DoctorCheck = {
  id: 'POOL-022',
  group: 'pools',
  severity: 'critical',
  title: 'ECSNodeClasses without vSwitches, security groups or images',
  why: 'Without a vSwitch, a security group or an image, the NodePool launches nothing.',
  reads: ['NodePool'],
  examine(audit) {
    const { classes, isComplete } = usedClasses(audit)
    if (!isComplete) return undecided('not every ECSNodeClass of the NodePools was read')
    const empty = classes.filter(resolvesToNothing)
    return foundAny(
      empty.map(objectName),
      {
        seen: 'its selector terms match no vSwitch, no security group or no image',
        remedy: `kubectl describe ecsnodeclass ${empty[0]?.metadata.name ?? ''} shows which, in its conditions`,
      },
      classes.length === 0 ? 'no NodePool has an ECSNodeClass' : 'each has vSwitches, security groups and images',
    )
  },
}
