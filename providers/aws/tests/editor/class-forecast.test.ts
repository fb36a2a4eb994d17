import { type KubeObject, karpenterKinds, kinds, type NodePool, type ResourceKind } from '@kerf/apis'
import { type EC2NodeClass, ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { classChange } from '../../../../packages/dashboard/plugin/src/model/class-change.ts'
import { classForecast } from '../../../../packages/dashboard/plugin/src/model/class-forecast.ts'
import { claimsCost } from '../../../../packages/dashboard/plugin/src/model/price.ts'
import { EditedCluster } from '../../../../tests/integration/editor/edited-cluster.ts'
import { budget, deployment } from '../../../../tests/integration/editor/forecast-edits.ts'
import { startFakeAwsStory } from '../kerf-on-fake-aws.ts'
import { nodePool } from '../node-pool.ts'

type Spec = EC2NodeClass['spec']

const GROUP = 'karpenter.k8s.aws'
const KIND = 'EC2NodeClass'
const LAUNCHED = 90_000

const kindOf = ({ kind }: KubeObject): ResourceKind => {
  const all: readonly ResourceKind[] = [karpenterKinds.NodePool, kinds.Deployment, kinds.PodDisruptionBudget]
  const found = all.find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`no ${kind} is created here`)
  return found
}

/** Starts Kerf with an in-memory AWS. */
const start = async (seed: number): Promise<EditedCluster> => {
  const story = await startFakeAwsStory(seed)
  return new EditedCluster({
    ...{ clock: story.clock, client: story.client, answer: story.answer, stop: story.close },
    apply: async (objects) => {
      for (const object of objects) await story.client.create(kindOf(object), object)
    },
  })
}

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] } as const
const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '100%' }] } as const

const objects = (): readonly KubeObject[] => {
  const pool = nodePool({ disruption })
  const { template } = pool.spec
  const { requirements = [] } = template.spec
  const spec = { ...template.spec, requirements: [...requirements.filter(({ key }) => key !== onDemand.key), onDemand] }
  const onDemandPool: NodePool = { ...pool, spec: { ...pool.spec, template: { ...template, spec } } }
  return [
    onDemandPool,
    deployment('web', 4, '700m'),
    deployment('single', 1, '1500m'),
    budget('single', { minAvailable: 1 }),
    deployment('guarded', 1, '1500m', {}, { 'karpenter.sh/do-not-disrupt': 'true' }),
    deployment('pair', 2, '1100m'),
    budget('pair', { maxUnavailable: 1 }),
  ]
}

/** Edits, each with whether the editor can forecast the resulting nodes and cost. */
const edits: Readonly<Record<string, readonly [edit: Partial<Spec>, isForecast: boolean]>> = {
  tags: [{ tags: { team: 'shop' } }, true],
  'user data': [{ userData: '#!/bin/sh' }, true],
  'metadata options': [{ metadataOptions: { httpTokens: 'optional', httpPutResponseHopLimit: 2 } }, true],
  'detailed monitoring': [{ detailedMonitoring: true }, true],
  'public addresses': [{ associatePublicIPAddress: true }, true],
  context: [{ context: 'fleet' }, true],
  'a larger disk': [
    { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '200Gi', volumeType: 'gp3' } }] },
    false,
  ],
  'the number of pods': [{ kubelet: { maxPods: 20 } }, false],
  'tags and the number of pods': [{ tags: { team: 'shop' }, kubelet: { maxPods: 20 } }, false],
  'an equal selector': [{ subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }] }, false],
}
const cases = Object.entries(edits).map(
  ([what, [edit, isForecast]], place) => [what, edit, isForecast, place + 1] as const,
)

test.each(sampled(cases, 2, 'forecasts of edits of EC2NodeClasses'))(
  'an edit of %s: the controller does what the forecast says',
  async (_what, edit, isForecast, seed) => {
    const edited = await start(seed)
    try {
      await edited.apply(...objects())
      await edited.settle(LAUNCHED)
      const { instanceTypes, vocabulary, prices } = await edited.instanceTypes()
      const found = await edited.objects()
      const before = await edited.get(ec2NodeClassKind, 'default')
      const after: EC2NodeClass = { ...before, spec: { ...before.spec, ...edit } }
      const change = classChange(before, after, GROUP, KIND, found.claims)
      const edition = { group: GROUP, kind: KIND, before, after, change }
      const forecast = classForecast(edition, found, instanceTypes, vocabulary, undefined, prices)

      await edited.store(after, ec2NodeClassKind)
      await edited.settle()
      const { claims } = await edited.objects()
      expect(change.drifting.map(({ claim }) => claim).sort()).toEqual(edited.drifted())
      expect(forecast !== undefined).toBe(isForecast)
      if (forecast === undefined) return
      expect(forecast.nodes?.after).toBe(claims.length)
      expect(forecast.kept.after).toBe(edited.stillDrifted().length)
      expect(forecast.kept.after).toBeGreaterThan(1)
      const cost = claimsCost(claims, prices)
      expect(cost.unknown).toBe(0)
      expect(Math.abs((forecast.cost?.after ?? 0) - cost.total) / cost.total).toBeLessThan(0.02)
    } finally {
      await edited.stop()
    }
  },
)
