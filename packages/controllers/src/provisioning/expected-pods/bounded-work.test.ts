import { expect, test } from 'vitest'
import type { ControllerSettings } from '../../deps.ts'
import { createDeployment } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { slowOwners } from '../../testing/slow-owners.ts'

const start = harnessPerTest()

/**
 * Returns how many objects and passes a Deployment causes in ten minutes. Its pods fit on no node, and its controller takes six seconds to
 * create each pod.
 */
const unschedulable = async (planExpectedPods: ControllerSettings['planExpectedPods']) => {
  const owners = await slowOwners(start, { settings: { planExpectedPods } })
  const { harness } = owners
  owners.delay = 6_000
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
