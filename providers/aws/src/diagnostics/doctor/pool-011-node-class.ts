import type { NodePool } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import { type EC2NodeClass, ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'

const poolClass = ({ spec }: NodePool): string | undefined => {
  const { kind, name } = spec.template.spec.nodeClassRef
  return kind === 'EC2NodeClass' ? name : undefined
}

/** Returns true if the controller has checked the node class and found no subnet, no security group or no image. */
const resolvesToNothing = ({ status }: EC2NodeClass): boolean =>
  status?.conditions !== undefined &&
  [status.subnets, status.securityGroups, status.amis].some((found) => (found ?? []).length === 0)

const isFloating = ({ spec }: EC2NodeClass): boolean =>
  (spec.amiSelectorTerms ?? []).some(({ alias }) => alias?.endsWith('@latest') === true)

export const pool011: DoctorCheck = {
  id: 'POOL-011',
  group: 'pools',
  severity: 'critical',
  title: 'Node classes without subnets, security groups or images, or with an image that is not pinned',
  why: 'Without a subnet, a security group or an image, the NodePool launches nothing. With an alias @latest, nodes drift to every new image: when AWS publishes one, all nodes are replaced, also in production.',
  reads: ['NodePool'],
  examine({ nodePools, objects }) {
    const wanted = new Set(nodePools.map(poolClass).filter((name) => name !== undefined))
    const classes = objects.of(ec2NodeClassKind).filter(({ metadata }) => wanted.has(metadata.name))
    if (classes.length < wanted.size) return undecided('not every EC2NodeClass of the NodePools was read')
    const empty = classes.filter(resolvesToNothing)
    if (empty.length > 0)
      return foundAny(
        empty.map(objectName),
        {
          seen: 'its selector terms match no subnet, no security group or no image',
          remedy: `kubectl describe ec2nodeclass ${empty[0]?.metadata.name ?? ''} shows which, in its conditions`,
        },
        '',
      )
    return foundAny(
      classes.filter(isFloating).map(objectName),
      {
        severity: 'warning',
        seen: 'amiSelectorTerms has an alias @latest',
        remedy:
          'pin the current version (status.amis), for example alias: al2023@v20260801, and update it when you choose',
      },
      wanted.size === 0 ? 'no NodePool has an EC2NodeClass' : 'each has subnets, security groups and a pinned image',
    )
  },
}
