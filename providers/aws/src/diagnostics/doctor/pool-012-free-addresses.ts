import { tryParseQuantity } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { accountRecords, ofCloud, text } from './account-documents.ts'

const ONE = 1_000_000_000n

export const pool012: DoctorCheck = {
  id: 'POOL-012',
  group: 'pools',
  severity: 'warning',
  title: 'Subnets with fewer free addresses than the NodePool may need',
  why: 'Every node needs an address, and with the VPC CNI every pod too. If a subnet has no free address, launches fail and pods stay in ContainerCreating. The limits of the NodePool determine how much it can grow.',
  reads: ['NodePool', ofCloud('Subnets')],
  examine(audit) {
    const { nodePools, objects, cloud, managedNodes, typesOf, pods } = audit
    const free = new Map(
      accountRecords(cloud, 'Subnets').map((each) => [
        text(each['SubnetId']),
        Number(each['AvailableIpAddressCount'] ?? 0),
      ]),
    )
    const perNode =
      1 + Math.ceil(pods.filter(({ spec }) => spec.nodeName !== undefined).length / Math.max(1, audit.nodes.length))
    const short = nodePools.flatMap((pool) => {
      const { name } = pool.metadata
      const ref = pool.spec.template.spec.nodeClassRef
      const node = objects
        .of(ec2NodeClassKind)
        .find(({ metadata }) => ref.kind === 'EC2NodeClass' && metadata.name === ref.name)
      const ids = (node?.status?.subnets ?? []).map(({ id }) => id).filter((id) => free.has(id))
      if (ids.length === 0) return []
      const there = managedNodes.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === name).length
      const limits = pool.spec.limits ?? {}
      // Nodes of the largest instance type use up the CPU limit with the smallest number of nodes.
      const largest = (typesOf(pool) ?? []).reduce(
        (most, { capacity }) => ((capacity['cpu'] ?? 0n) > most ? (capacity['cpu'] ?? 0n) : most),
        ONE,
      )
      const byCpu = tryParseQuantity(limits['cpu'] ?? '')
      const most =
        limits['nodes'] === undefined
          ? byCpu === undefined
            ? undefined
            : Number(byCpu / largest)
          : Number(limits['nodes'])
      const needed = most === undefined ? perNode : Math.max(0, most - there) * perNode
      const total = ids.reduce((sum, id) => sum + (free.get(id) ?? 0), 0)
      return total >= needed ? [] : [{ name, total, needed, ids }]
    })
    return foundAny(
      short.map(({ name }) => `NodePool ${name}`),
      {
        seen: short
          .map(
            ({ name, total, needed, ids }) =>
              `${name}: ${total} free addresses in ${ids.join(', ')}; its limits allow nodes and pods that need ${needed}`,
          )
          .join('; '),
        remedy: 'add subnets with the tags that the node class selects, or lower spec.limits of the NodePool',
      },
      'the subnets have addresses for everything that the limits allow',
    )
  },
}
