import type { KubeObject } from '@kerf/apis'
import { node, nodePool, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { offlineRegions, regionOfObjects, regionOfZone } from './regions.ts'
import { REGION_OFFERS } from './tables/generated/region-offers.ts'
import { readRegionOffers } from './tables/region-offers.ts'
import { ec2NodeClass } from './testing/ec2-node-class.ts'

test('the regions are those of the table', () => {
  expect([...readRegionOffers(REGION_OFFERS).keys()]).toEqual(offlineRegions)
})

test.each([
  ['eu-west-1a', 'eu-west-1'],
  ['eu-west-1', 'eu-west-1'],
  ['us-west-2-lax-1a', 'us-west-2'],
  ['us-gov-west-1b', 'us-gov-west-1'],
  ['us-central1-a', undefined],
  ['eastus-1', undefined],
  ['test-zone-a', undefined],
  ['production', undefined],
])('%s is in region %s', (text, region) => {
  expect(regionOfZone(text)).toBe(region)
})

const poolIn = (...zones: readonly string[]): KubeObject =>
  nodePool('pool', { requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [...zones] }] })
const nodeIn = (name: string, zone: string): KubeObject =>
  node(name, { labels: { 'topology.kubernetes.io/zone': zone, 'topology.kubernetes.io/region': zone.slice(0, -1) } })
const volumeIn = (zone: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'volume' },
    spec: {
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'topology.ebs.csi.aws.com/zone', operator: 'In', values: [zone] }] },
          ],
        },
      },
    },
  }) as KubeObject

test('running objects take precedence over desired ones, and those over volumes', () => {
  expect(regionOfObjects([])).toBeUndefined()
  expect(regionOfObjects([volumeIn('eu-north-1a')])).toEqual({
    region: 'eu-north-1',
    saidBy: 'PersistentVolume volume',
    others: [],
  })
  expect(regionOfObjects([volumeIn('eu-north-1a'), poolIn('eu-west-1a', 'eu-west-1b')])?.region).toBe('eu-west-1')
  expect(regionOfObjects([poolIn('eu-west-1a'), nodeIn('node', 'sa-east-1c')])?.saidBy).toBe('Node node')
})

test('of several regions, the one that most objects name', () => {
  const nodes = [nodeIn('a', 'us-west-2a'), nodeIn('b', 'eu-west-1b'), nodeIn('c', 'eu-west-1c')]
  expect(regionOfObjects(nodes)).toEqual({ region: 'eu-west-1', saidBy: 'Node b', others: ['us-west-2'] })
  expect(regionOfObjects([...nodes, nodeIn('d', 'us-west-2b'), nodeIn('e', 'us-west-2c')])?.region).toBe('us-west-2')
})

test('objects with a lower priority neither define a region nor count for it', () => {
  const volume = volumeIn('sa-east-1a')
  const [one, two] = [nodeIn('a', 'us-west-2a'), nodeIn('b', 'us-west-2b')]
  expect(regionOfObjects([volume, nodeIn('c', 'sa-east-1c')])?.saidBy).toBe('Node c')
  const many = [nodeIn('c', 'sa-east-1c'), volume, volume, one, two]
  expect(regionOfObjects(many)).toEqual({ region: 'us-west-2', saidBy: 'Node a', others: ['sa-east-1'] })
  expect(regionOfObjects([volumeIn('eu-west-1a'), one])?.others).toEqual([])
})

test('node classes count by their subnets and ARNs, pods and workloads by their scheduling constraints, not by other fields', () => {
  const subnets = ec2NodeClass('default', { status: { subnets: [{ id: 'subnet-1', zone: 'ap-south-1b' }] } })
  expect(regionOfObjects([subnets])?.region).toBe('ap-south-1')
  const context = ec2NodeClass('default', {
    spec: { tags: { stack: 'arn:aws:cloudformation:eu-south-2:123456789012:stack/x' } },
  })
  expect(regionOfObjects([context])?.region).toBe('eu-south-2')
  const selecting = pod('web', { spec: { nodeSelector: { 'topology.kubernetes.io/zone': 'ca-west-1a' } } })
  expect(regionOfObjects([selecting])?.region).toBe('ca-west-1')
  const job = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: {
      jobTemplate: {
        spec: { template: { spec: { nodeSelector: { 'topology.kubernetes.io/region': 'il-central-1' } } } },
      },
    },
  } as KubeObject
  expect(regionOfObjects([job])?.region).toBe('il-central-1')
  const speaking = pod('bucket', {
    metadata: { annotations: { bucket: 'us-west-2' }, labels: { region: 'us-west-2' } },
  })
  expect(regionOfObjects([speaking])).toBeUndefined()
})
