import { karpenterKinds, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { sleep } from '@kerf/runtime'
import { isNightly, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { ControllerSettings } from '../../deps.ts'
import { createDeployment, type Harness, scaleDeployment } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { ONE_PER_NODE, type SlowOwners, slowOwners } from '../../testing/slow-owners.ts'

const start = harnessPerTest()

/** A CPU request with which nine pods fit on a node of the pool. */
const NINE_PER_NODE = '420m'
/** The nightly run creates ten times as many replicas under a quota. */
const SCALE = isNightly() ? 10 : 1
const MINUTE: Milliseconds = 60_000

/** Runs one scenario. Nodes take 30 seconds to join. Returns how many nodes were launched, how many remain, and how many ever had a pod. */
const run = async (
  planExpectedPods: ControllerSettings['planExpectedPods'],
  scenario: (owners: SlowOwners) => Promise<void>,
): Promise<{ readonly launched: number; readonly remaining: number; readonly used: number }> => {
  const owners = await slowOwners(start, { settings: { planExpectedPods }, registrationDelay: '30s' })
  const { harness } = owners
  await scenario(owners)
  await harness.pass(5 * MINUTE)
  const claims = (await harness.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return {
    launched: await harness.metric('karpenter_nodeclaims_created_total'),
    remaining: claims.length,
    used: claims.filter(({ status }) => status?.lastPodEventTime !== undefined).length,
  }
}

const countPods = async ({ admin }: Harness): Promise<number> => (await admin.list(kinds.Pod)).items.length

/**
 * Creates a quota on pods and keeps its status up to date until well after the last pod is created, as a real API server does after each
 * pod.
 */
const withQuota = async (owners: SlowOwners, hard: number): Promise<void> => {
  const { harness } = owners
  owners.admits = hard
  await harness.admin.create(kinds.ResourceQuota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'few', namespace: 'default' },
    spec: { hard: { pods: String(hard) } },
  })
  const status = async (): Promise<void> => {
    for (let step = 0; step < 200 * SCALE; step++) {
      const used = String(await countPods(harness))
      await harness.patch(
        kinds.ResourceQuota,
        'few',
        { status: { hard: { pods: String(hard) }, used: { pods: used } } },
        'status',
      )
      await sleep(harness.clock, 25)
    }
  }
  void status()
}

const runtimeClass: ResourceKind = kinds.RuntimeClass

const scenarios: readonly (readonly [string, number, (owners: SlowOwners) => Promise<void>])[] = [
  [
    `a quota for ${60 * SCALE} of ${100 * SCALE} replicas`,
    Math.ceil((60 * SCALE) / 9),
    async (owners) => {
      await withQuota(owners, 60 * SCALE)
      await createDeployment(owners.harness, 'web', 100 * SCALE, NINE_PER_NODE)
    },
  ],
  [
    'admission that doubles the requests',
    25,
    async ({ harness }) => {
      await harness.admin.create(runtimeClass, {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name: 'double' },
        handler: 'double',
        overhead: { podFixed: { cpu: NINE_PER_NODE } },
      } as never)
      await createDeployment(harness, 'web', 100, NINE_PER_NODE, { runtimeClassName: 'double' })
    },
  ],
  [
    'a rollout with maxSurge',
    9,
    async ({ harness }) => {
      await createDeployment(harness, 'web', 60, NINE_PER_NODE)
      await harness.pass(MINUTE)
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } }
      const template = { metadata: { labels: { version: '2' } } }
      await harness.patch(kinds.Deployment, 'web', { spec: { strategy, template } })
    },
  ],
  [
    'a Job that fails at once',
    1,
    async ({ harness }) => {
      await createDeployment(harness, 'first', 1, ONE_PER_NODE)
      await harness.pass(MINUTE)
      await scaleDeployment(harness, 'first', 0)
      await harness.pass(5_000)
      await harness.admin.create(kinds.Job, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'sums', namespace: 'default' },
        spec: {
          parallelism: 100,
          completions: 100,
          template: {
            metadata: { annotations: { 'sandbox.kerf.sh/run-for': '1s', 'sandbox.kerf.sh/exit-code': '1' } },
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: NINE_PER_NODE } } }],
            },
          },
        },
      } as never)
    },
  ],
  [
    'a drain of ten nodes',
    // The pods need ten nodes, and their replacements need ten other nodes. One node is launched ahead.
    21,
    async (owners) => {
      const { harness } = owners
      await createDeployment(harness, 'web', 90, NINE_PER_NODE)
      await harness.pass(2 * MINUTE)
      // From here on, the owners create replacements of evicted pods only after a delay.
      owners.delay = 1_000
      const claims = await harness.claims()
      expect(claims).toHaveLength(10)
      for (const { metadata } of claims) await harness.admin.delete(karpenterKinds.NodeClaim, { name: metadata.name })
    },
  ],
  [
    'a scale-down while pods are created',
    // The 40 pods that exist before the scale-down need five nodes.
    6,
    async ({ harness }) => {
      await createDeployment(harness, 'web', 100, NINE_PER_NODE)
      await harness.pass(2_000)
      await scaleDeployment(harness, 'web', 30)
    },
  ],
]

test.each(sampled(scenarios, 2, 'bounded purchases'))(
  '%s: not more than %i nodes are launched, and as many remain as if only pods that exist were planned',
  async (_, most, scenario) => {
    const off = await run('off', scenario)
    const on = await run('on', scenario)
    expect(on.launched).toBeLessThanOrEqual(most)
    expect(on.remaining).toBeLessThanOrEqual(off.remaining + 1)
    expect(on.used).toBe(on.remaining)
  },
)
