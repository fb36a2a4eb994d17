import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { PRICE_CONFIG_MAP } from '../pricing/price-memory.ts'
import { type AwsHarness, createAwsHarness, never } from '../testing/aws-harness.ts'

const lines = async ({ metrics }: AwsHarness): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith('karpenter_aws_price_'))

test('metrics report the source and age of the current prices, and prices from AWS are saved for the next start', async () => {
  const harness = await createAwsHarness()
  try {
    await harness.clock.advance(3_600_000)
    const told = await lines(harness)
    expect(told).toContain('karpenter_aws_price_age_seconds{kind="on-demand"} 3602')
    expect(told).toContain('karpenter_aws_price_age_seconds{kind="spot"} 3602')
    expect(told.filter((line) => line.includes('source="aws"')).map((line) => line.split(' ')[0])).toEqual([
      'karpenter_aws_price_source{kind="on-demand",source="aws"}',
      'karpenter_aws_price_source{kind="spot",source="aws"}',
    ])
    const kept = await harness.client.get(kinds.ConfigMap, { namespace: 'kube-system', name: PRICE_CONFIG_MAP })
    expect(Object.keys(JSON.parse(kept.data?.['us-east-1.json'] ?? '{}'))).toEqual(['onDemand', 'spot', 'readAt'])

    // The next process loads the saved prices when it starts, and reports that they are not current.
    harness.aws.pricing.faults.standing('getProducts', { code: 'AccessDenied', status: 403 })
    harness.aws.ec2.faults.standing('describeSpotPriceHistory', { code: 'RequestLimitExceeded', status: 503 })
    const next = harness.newProvider()
    await next.warmUp(never)
    expect(next.deps.prices.standing).toMatchObject({
      onDemand: { source: 'last-seen', readAt: Date.parse(JSON.parse(kept.data?.['us-east-1.json'] ?? '{}').readAt) },
      spot: { source: 'last-seen' },
    })
  } finally {
    harness.stop()
  }
})

test('if AWS returns no prices, the estimate is used, and the metrics report no age', async () => {
  const harness = await createAwsHarness({
    before: ({ ec2, pricing }) => {
      pricing.faults.standing('getProducts', { code: 'AccessDenied', status: 403 })
      ec2.faults.standing('describeSpotPriceHistory', { code: 'UnauthorizedOperation', status: 403 })
    },
  })
  try {
    const told = await lines(harness)
    expect(told.some((line) => line.startsWith('karpenter_aws_price_source{kind="on-demand",source="estimate"}'))).toBe(
      true,
    )
    expect(told.some((line) => line.startsWith('karpenter_aws_price_age_seconds'))).toBe(false)
    expect(harness.log.lines.some(({ message }) => message.startsWith('cannot read on-demand prices'))).toBe(true)
  } finally {
    harness.stop()
  }
})

test('in observe mode, prices are read but not saved', async () => {
  const harness = await createAwsHarness()
  try {
    const provider = harness.newProvider()
    const refresh = provider.controllers().find(({ name }) => name === 'providers.pricing')
    await harness.client.delete(kinds.ConfigMap, { namespace: 'kube-system', name: PRICE_CONFIG_MAP })
    await refresh?.observing?.reconcile('', never)
    expect(provider.deps.prices.standing).toMatchObject({ onDemand: { source: 'aws' }, spot: { source: 'aws' } })
    const kept = harness.client.get(kinds.ConfigMap, { namespace: 'kube-system', name: PRICE_CONFIG_MAP })
    await expect(kept).rejects.toThrow()
    await refresh?.reconcile('', never)
    expect(
      (await harness.client.get(kinds.ConfigMap, { namespace: 'kube-system', name: PRICE_CONFIG_MAP })).data,
    ).toBeDefined()
  } finally {
    harness.stop()
  }
})
