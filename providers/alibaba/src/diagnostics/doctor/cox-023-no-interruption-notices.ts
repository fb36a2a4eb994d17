import { capacityTypes, labels, type NodePool } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, inOrder, objectName } from '@kerf/provider-kit/doctor'
import { ecsNodeClassKind } from '../../node-class/ecs-node-class.ts'

/** Returns whether the NodePool may launch spot instances. It may if it has no requirement for the capacity type. */
const mayLaunchSpot = ({ spec }: NodePool): boolean => {
  const { nodeClassRef, requirements = [] } = spec.template.spec
  if (nodeClassRef.group !== ecsNodeClassKind.group) return false
  return requirements
    .filter(({ key }) => key === labels.capacityType)
    .every(({ operator, values = [] }) =>
      operator === 'In'
        ? values.includes(capacityTypes.spot)
        : operator !== 'NotIn' || !values.includes(capacityTypes.spot),
    )
}

export const cox023: DoctorCheck = {
  id: 'COX-023',
  group: 'coexistence',
  severity: 'warning',
  title: 'Spot nodes on Alibaba Cloud without notices of their interruption',
  why: 'ECS announces the release of a spot instance only to the instance. ACK’s component ack-node-problem-detector reads the notice and sets the InstanceExpired condition of the Node, to which Kerf reacts. Without the component, pods of a released instance stop without a warning, and their replacement starts late.',
  reads: ['NodePool', 'DaemonSet'],
  examine({ nodePools, daemonSets }) {
    const pools = nodePools.filter(mayLaunchSpot)
    if (daemonSets.some(({ metadata }) => /node-problem-detector/.test(metadata.name)))
      return inOrder('a node problem detector runs on the nodes')
    return foundAny(
      pools.map(objectName),
      {
        seen: 'they may launch spot instances, and no DaemonSet node-problem-detector runs',
        remedy: 'install the component ack-node-problem-detector in the console of ACK, under Add-ons',
      },
      'no NodePool launches spot instances of Alibaba Cloud',
    )
  },
}
