import { expect, test } from 'vitest'
import type { ControllerSettings } from '../../deps.ts'
import { createDeployment, scaleDeployment } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { slowOwners } from '../../testing/slow-owners.ts'

const start = harnessPerTest()

test('an owner that flaps between 0 and 1,000 replicas, and creates some pods each time, does not launch its nodes again and again', async () => {
  const { harness } = await slowOwners(start, { registrationDelay: '30s' })
  await createDeployment(harness, 'web', 0, '60m')
  const launched: number[] = []
  for (let minute = 0; minute < 5; minute++) {
    const before = await harness.metric('karpenter_nodeclaims_created_total')
    await scaleDeployment(harness, 'web', 1_000)
    await harness.pass(2_000)
    await scaleDeployment(harness, 'web', 0)
    await harness.pass(58_000)
    launched.push((await harness.metric('karpenter_nodeclaims_created_total')) - before)
  }
  // All 1,000 pods need 16 nodes, and the 40 pods that exist before each scale-down need one.
  expect(launched[0]).toBeGreaterThanOrEqual(16)
  expect(launched.filter((count) => count > 1).length).toBeLessThanOrEqual(3)
})

/** Returns what a Deployment of pods that fit on no node causes in ten minutes. */
const unschedulable = async (planExpectedPods: ControllerSettings['planExpectedPods']) => {
  const { harness } = await slowOwners(start, { settings: { planExpectedPods } })
  await createDeployment(harness, 'huge', 100, '1000')
  await harness.pass(10 * 60_000)
  return {
    launched: await harness.metric('karpenter_nodeclaims_created_total'),
    passes: await harness.metric('karpenter_scheduler_scheduling_duration_seconds_count', {
      controller: 'provisioner',
    }),
    texts: harness.distinctMessages('FailedScheduling').length,
    missing: harness.messages('ExpectedPodsMissing').length,
  }
}

test('a template that fits on no node launches nothing, and causes at most twice as many passes as its pods do', async () => {
  const off = await unschedulable('off')
  const on = await unschedulable('on')
  expect(on.launched).toBe(0)
  expect(on.passes).toBeLessThanOrEqual(2 * off.passes)
  expect(on.texts).toBe(off.texts)
  expect(on.missing).toBe(0)
})
