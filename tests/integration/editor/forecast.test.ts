import { type KubeObject, karpenterKinds } from '@kerf/apis'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { type ChangeEffect, poolChange } from '../../../packages/dashboard/plugin/src/model/pool-change.ts'
import { claimsCost } from '../../../packages/dashboard/plugin/src/model/price.ts'
import { EditedCluster } from './edited-cluster.ts'
import { cluster, edits, type Situation, situations, withSpec } from './forecast-edits.ts'

const cases = situations.flatMap((situation) =>
  Object.entries(edits).map(([what, edit], place) => ({ situation, what, edit, seed: place + 1 })),
)

test('80 edits', () => expect(cases).toHaveLength(80))

/** Enough for launches. Drift takes longer, because the controller checks each NodeClaim every few minutes. */
const LAUNCHED = 90_000

const names = (objects: readonly unknown[]): readonly string[] =>
  (objects as readonly KubeObject[]).map(({ metadata }) => metadata.name ?? '').sort()

const countPending = (pods: readonly unknown[]): number =>
  (pods as readonly { readonly spec: { readonly nodeName?: string } }[]).filter(
    ({ spec }) => spec.nodeName === undefined,
  ).length

const prepare = async (edited: EditedCluster, { before, objects }: Situation): Promise<void> => {
  await edited.apply(...cluster)
  await edited.settle(LAUNCHED)
  await edited.store(withSpec(await edited.get(karpenterKinds.NodePool, 'edited'), before), karpenterKinds.NodePool)
  await edited.settle()
  await edited.apply(...objects)
  await edited.settle(LAUNCHED)
}

const roundedTo = (share: number, expected: number, actual: number): number =>
  Math.abs(actual - expected) <= share * expected ? expected : actual

test.each(sampled(cases, 2, 'forecasts of edits').map((each) => [each.situation.name, each.what, each] as const))(
  '%s, %s: the controller does what the forecast says',
  async (_name, _what, { situation, edit, seed }) => {
    const edited = await EditedCluster.start(seed)
    try {
      await prepare(edited, situation)
      const driftedEarlier = new Set(edited.drifted())
      const objects = await edited.objects()
      const after = withSpec(await edited.get(karpenterKinds.NodePool, 'edited'), { ...edit, ...situation.with })
      const { instanceTypes, vocabulary, prices } = await edited.instanceTypes()
      const said: ChangeEffect = poolChange(after, objects, instanceTypes, vocabulary, undefined, prices)

      await edited.store(after, karpenterKinds.NodePool)
      await edited.settle()
      const end = await edited.objects()
      const existed = new Set(names(objects.claims))
      const drifting = edited.drifted().filter((name) => existed.has(name) && !driftedEarlier.has(name))
      const cost = claimsCost(end.claims, prices).total
      expect({
        drifting: said.drifting.map(({ claim }) => claim).sort(),
        nodes: said.nodes?.after,
        kept: said.kept.after,
        pending: said.pending.after,
        cost: roundedTo(0.02, cost, said.cost?.after ?? Number.NaN),
      }).toEqual({
        drifting,
        nodes: end.claims.length,
        kept: edited.stillDrifted().length,
        pending: countPending(end.pods),
        cost,
      })
    } finally {
      await edited.stop()
    }
  },
)
