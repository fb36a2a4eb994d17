import { labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import { createAwsHarness, never } from '../testing/aws-harness.ts'

/**
 * The metric's reasons are those of conditions and events, not EC2's codes (`providers/aws/docs/spec/aws.md#errors`,
 * `providers/aws/docs/spec/aws-controllers.md#aws-metrics`).
 */
test.each([
  ['InsufficientInstanceCapacity', 'LaunchFailed'],
  ['VcpuLimitExceeded', 'VCPULimitExceeded'],
  ['MaxFleetCountExceeded', 'FleetQuotaExceeded'],
])('a launch that fails with %s is counted as %s', async (code, reason) => {
  const harness = await createAwsHarness()
  try {
    harness.aws.ec2.shortage = code
    harness.aws.ec2.stockOuts.push({})
    const claim = await harness.claim('a', {
      requirements: [
        { key: labels.instanceType, operator: 'In', values: ['m5.large'] },
        { key: labels.zone, operator: 'In', values: ['us-east-1b'] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ],
    })
    await expect(harness.provider.create(claim, never)).rejects.toThrow()
    expect(await harness.metrics.text()).toContain(
      `karpenter_cloudprovider_instance_launch_failures_total{zone="us-east-1b",zone_id="use1-az2",capacity_type="on-demand",reason="${reason}"} 1`,
    )
  } finally {
    harness.stop()
  }
})

test('a failed termination is counted with the id of its zone', async () => {
  const harness = await createAwsHarness()
  try {
    const claim = await harness.claim('a', {
      requirements: [{ key: labels.zone, operator: 'In', values: ['us-east-1b'] }],
    })
    const { providerID } = await harness.provider.create(claim, never)
    harness.aws.ec2.faults.standing('terminateInstances', { code: 'OperationNotPermitted' })
    await expect(
      harness.provider.delete({ ...claim, status: { ...claim.status, providerID } }, never),
    ).rejects.toThrow()
    expect(await harness.metrics.text()).toContain(
      'karpenter_cloudprovider_instance_termination_failures_total{zone="us-east-1b",zone_id="use1-az2"} 1',
    )
  } finally {
    harness.stop()
  }
})
