import { karpenterKinds } from '@kerf/apis'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  conditionMetricsFor,
  counter,
  DUR45,
  gauge,
  histogram,
  type MetricFact,
  SIZE,
} from '../../../../tests/integration/facts/metrics.ts'
import { expectedFact, metricFamilies } from '../../../../tests/integration/facts/registered-metrics.ts'
import { parseMetrics } from '../../../../tests/integration/story/metrics-text.ts'
import { sdkMeter } from '../../src/api/sdk-clients.ts'
import { type FakeAwsStory, startFakeAwsStory } from '../kerf-on-fake-aws.ts'
import { nodePool } from '../node-pool.ts'

/** The metrics in `docs/spec/metrics.md#aws-metrics`. */
const awsMetrics: readonly MetricFact[] = [
  gauge('cloudprovider_instance_type_offering_available', 'instance_type', 'capacity_type', 'zone'),
  gauge('cloudprovider_instance_type_offering_price_estimate', 'instance_type', 'capacity_type', 'zone'),
  gauge('cloudprovider_instance_type_cpu_cores', 'instance_type'),
  gauge('cloudprovider_instance_type_memory_bytes', 'instance_type'),
  counter('cloudprovider_instance_launch_failures_total', 'zone', 'zone_id', 'capacity_type', 'reason'),
  counter('cloudprovider_instance_termination_failures_total', 'zone', 'zone_id'),
  histogram('cloudprovider_batcher_batch_time_seconds', DUR45, 'batcher'),
  histogram('cloudprovider_batcher_batch_size', SIZE, 'batcher'),
  counter('interruption_received_messages_total', 'message_type'),
  counter('interruption_deleted_messages_total'),
  histogram('interruption_message_queue_duration_seconds', DUR45),
  counter('interruption_instance_status_unhealthy_total', 'category'),
  gauge('ec2nodeclasses_userdata_bytes', 'nodeclass'),
]

/** The names of the metrics about calls of the AWS SDK (`providers/aws/docs/spec/aws-controllers.md#aws-metrics`). */
const awsSdkMetrics = [
  'aws_sdk_go_request_total',
  'aws_sdk_go_request_attempt_total',
  'aws_sdk_go_request_retry_count',
  'aws_sdk_go_request_duration_seconds',
  'aws_sdk_go_request_attempt_duration_seconds',
] as const

/** Kerf's own metrics about the source of its prices. */
const OWN = ['karpenter_aws_price_age_seconds', 'karpenter_aws_price_source']

let story: FakeAwsStory
beforeAll(async () => {
  story = await startFakeAwsStory(1)
  await story.client.create(karpenterKinds.NodePool, nodePool())
  await story.pass(30)
})
afterAll(() => story.close())

test.each([...awsMetrics, ...conditionMetricsFor('ec2nodeclass', 'karpenter_k8s_aws_ec2nodeclass')])(
  '$name is published in the form that dashboards expect',
  (fact) => {
    expect(metricFamilies(story.metrics)[fact.name]).toEqual(expectedFact(fact))
  },
)

test('the provider publishes no other metrics under these names', () => {
  const known = new Set([...awsMetrics.map(({ name }) => name), ...OWN])
  const names = Object.keys(metricFamilies(story.metrics)).filter((name) =>
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
  expect(Object.keys(metricFamilies(metrics)).sort()).toEqual([...awsSdkMetrics].sort())
})
