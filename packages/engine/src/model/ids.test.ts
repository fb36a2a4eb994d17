import { expectTypeOf, test } from 'vitest'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { ExistingNodes } from '../nodes/existing-nodes.ts'
import type { ClaimTable } from '../packing/claim-table.ts'
import type { ColumnId, ResourceTable } from '../resources/resource-table.ts'
import type { HostCounts } from '../topology/host-counts.ts'
import {
  type ClaimId,
  type ConstraintsId,
  type HostId,
  hostOfClaim,
  hostOfNode,
  type NodeId,
  type RequirementsId,
  type TolerationsId,
} from './ids.ts'

test('an id of one kind is not accepted as an id of another', () => {
  expectTypeOf<ClaimConstraintsTable['join']>().parameters.toEqualTypeOf<[ConstraintsId, RequirementsId]>()
  expectTypeOf<ConstraintsId>().not.toExtend<RequirementsId>()
  expectTypeOf<RequirementsId>().not.toExtend<TolerationsId>()
  expectTypeOf<ClaimId>().not.toExtend<NodeId>()
  expectTypeOf<NodeId>().not.toExtend<HostId>()
  expectTypeOf<ClaimId>().not.toExtend<HostId>()
  expectTypeOf<ColumnId>().not.toExtend<ClaimId>()
  expectTypeOf<number>().not.toExtend<ConstraintsId>()
  // Each kind of id is accepted where a plain number is expected, for example as an index.
  expectTypeOf<ConstraintsId>().toExtend<number>()
})

test('swapping the numbers of a node, a claim, a host or a column does not compile', () => {
  type Swaps = (claims: ClaimTable, nodes: ExistingNodes, hosts: HostCounts, table: ResourceTable) => void
  const swaps = (node: NodeId, claim: ClaimId, column: ColumnId): Swaps => {
    return (claims, nodes, hosts, table) => {
      // @ts-expect-error a node is not a claim
      claims.constraintsOf(node)
      // @ts-expect-error a plain number is not a claim
      claims.retire(claim + 1)
      // @ts-expect-error a claim is not a node
      nodes.pods.get(claim)
      // @ts-expect-error a claim becomes a host only with `hostOfClaim`
      hosts.get(claim)
      // @ts-expect-error a node becomes a host only with `hostOfNode`
      hosts.get(node)
      // @ts-expect-error `hostOfNode` does not accept a claim
      hosts.add(hostOfNode(claim), 1)
      // @ts-expect-error `hostOfClaim` does not accept a node
      hosts.add(hostOfClaim(5, node), 1)
      // @ts-expect-error a column is not a claim
      table.amountOf(claim, 1)
      claims.constraintsOf(claim)
      hosts.add(hostOfNode(node), 1)
      hosts.add(hostOfClaim(5, claim), 1)
      table.amountOf(column, 1)
    }
  }
  expectTypeOf(swaps).returns.toEqualTypeOf<Swaps>()
})
