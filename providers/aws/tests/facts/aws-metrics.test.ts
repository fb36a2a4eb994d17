import { karpenterKinds } from '@kerf/apis'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awsMetrics, awsSdkMetrics, conditionMetricsFor } from '../../../../tests/integration/facts/metrics.ts'
import { expectedOf, familiesOf } from '../../../../tests/integration/facts/registered-metrics.ts'
import { parseMetrics } from '../../../../tests/integration/story/metrics-text.ts'
import { sdkMeter } from '../../src/api/sdk-clients.ts'
import { type FakeAwsStory, startFakeAwsStory } from '../kerf-on-fake-aws.ts'
import { nodePool } from '../node-pool.ts'

/** Kerf’s own metrics about the source of its prices. */
const OWN = ['karpenter_aws_price_age_seconds', 'karpenter_aws_price_source']

let story: FakeAwsStory
beforeAll(async () => {
  story = await startFakeAwsStory(1)
  await story.client.create(karpenterKinds.NodePool, nodePool())
  await story.pass(30)
})
afterAll(() => story.close())

test.each([...awsMetrics, ...conditionMetricsFor('ec2nodeclass', 'karpenter_k8s_aws_ec2nodeclass')])(
  '$name is published as dashboards expect it',
  (fact) => {
    expect(familiesOf(story.metrics)[fact.name]).toEqual(expectedOf(fact))
  },
)

test('the provider publishes no other metrics under these names', () => {
  const known = new Set([...awsMetrics.map(({ name }) => name), ...OWN])
  const names = Object.keys(familiesOf(story.metrics)).filter((name) =>
    /^karpenter_(interruption|ec2|aws|cloudprovider_(instance|batcher))/.test(name),
  )
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('the condition of a node class is in its own families and in the older ones', async () => {
  const samples = parseMetrics(await story.metrics.text())
  const ready = (family: string) =>
    samples.filter(({ name, labels }) => name === family && labels['type'] === 'Ready' && labels['name'] === 'default')
  expect(ready('operator_ec2nodeclass_status_condition_count').map(({ labels }) => labels['status'])).toEqual(['True'])
  const older = ready('operator_status_condition_count').map(({ labels }) => labels['kind'])
  expect(older).toContain('EC2NodeClass')
})

test('the meters of the AWS SDK have their names', () => {
  const metrics = new PrometheusMetrics()
  sdkMeter({ clock: new VirtualClock(), metrics })
  expect(Object.keys(familiesOf(metrics)).sort()).toEqual([...awsSdkMetrics].sort())
})
