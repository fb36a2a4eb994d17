import { labels } from '@kerf/apis'
import { VirtualClock } from '@kerf/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { imageForType } from '../images/image-choice.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import { instanceTypesForClass } from '../instance-type/instance-types.ts'
import { gcpLabels } from '../label-names.ts'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { knownTypes } from '../tables/known-types.ts'
import { fakeApi, loadSdk } from '../testing/fake-gcp/connect.ts'
import { FakeGcp } from '../testing/fake-gcp/fake-gcp.ts'
import { CLUSTER_ID, NETWORK, POD_RANGE, PROJECT, SUBNETWORK } from '../testing/fake-gcp/names.ts'
import { TEST_IMAGE } from '../testing/instance-request.ts'
import { instanceBody } from './instance-body.ts'
import { podPrefix } from './network-interfaces.ts'

const never = new AbortController().signal
const ZONE = 'us-central1-a'
const IMAGE = `projects/${TEST_IMAGE.project}/global/images/${TEST_IMAGE.name}`
const ID = '11111111-2222-8333-8444-555555555555'

beforeAll(loadSdk)

const factsOf = (name: string) => {
  const facts = knownTypes.get(name)
  if (facts === undefined) throw new Error(`there is no ${name}`)
  return facts
}

interface Change {
  readonly type?: string
  readonly isSpot?: boolean
  readonly spec?: Partial<GCENodeClassSpec>
  readonly arePrivateNodes?: boolean
}

const bodyOf = ({ type = 'n2-standard-4', isSpot = false, spec = {}, arePrivateNodes = false }: Change = {}) =>
  instanceBody({
    ...{ name: 'karpenter-a', project: PROJECT, zone: ZONE, facts: factsOf(type), isSpot, spec },
    owner: {
      nodePool: 'general',
      nodeClass: 'default',
      cluster: 'demo',
      location: 'us-central1',
      clusterId: CLUSTER_ID,
    },
    cluster: {
      ...{ id: CLUSTER_ID, zones: [ZONE], network: NETWORK, subnetwork: SUBNETWORK, podRange: POD_RANGE },
      ...{ arePrivateNodes, releaseChannel: undefined, version: '1.35.1-gke.1' },
    },
    ...{ image: IMAGE, serviceAccount: 'nodes@demo.iam.gserviceaccount.com', maxPods: 110 },
    metadata: { 'kube-env': 'A: b', 'cluster-name': 'demo', 'startup-script': '' },
  })

const local: NonNullable<GCENodeClassSpec['disks']>[number] = { category: 'local-ssd', sizeGiB: 375 }

const accepted: readonly (readonly [string, Change])[] = [
  ['with the defaults of a class', {}],
  ['of a spot instance', { isSpot: true }],
  ['with GPUs', { type: 'g2-standard-8' }],
  ['on Arm, whose family attaches only hyperdisks', { type: 'c4a-standard-4' }],
  ['with a confidential type', { spec: { confidentialInstanceType: 'SEV' } }],
  ['with local SSDs', { spec: { disks: [local, { boot: true, sizeGiB: 50 }, local] } }],
  [
    'with labels, tags, metadata and a shielded boot',
    {
      spec: { labels: { team: 'a' }, networkTags: ['web'], shieldedInstanceConfig: { enableSecureBoot: false } },
    },
  ],
]

test.each(accepted)('Compute Engine accepts the body %s', async (_, change) => {
  const gcp = new FakeGcp(new VirtualClock())
  gcp.offer.images.push(TEST_IMAGE)
  await fakeApi(gcp).compute.insertInstance(ZONE, bodyOf(change), ID, never)
  expect(gcp.instances.all()).toHaveLength(1)
})

describe('disks', () => {
  const disksOf = (change: Change) => bodyOf(change).disks ?? []
  const typeOf = (category: string) => `projects/${PROJECT}/zones/${ZONE}/diskTypes/${category}`

  test('a class without disks gets a boot disk that its family can attach', () => {
    expect(disksOf({})).toEqual([
      {
        autoDelete: true,
        boot: true,
        initializeParams: { diskType: typeOf('pd-balanced'), diskSizeGb: '100', sourceImage: IMAGE },
      },
    ])
    expect(disksOf({ type: 'c4-standard-8' })[0]?.initializeParams?.diskType).toBe(typeOf('hyperdisk-balanced'))
    expect(disksOf({ type: 'c4a-standard-4' })[0]?.initializeParams?.architecture).toBe('ARM64')
  })

  test('the boot disk is the first one, and every field of a disk is sent', () => {
    const kmsKeyName = 'projects/p/locations/l/keyRings/r/cryptoKeys/k'
    const cache = {
      secondaryBootImage: 'projects/p/global/images/cache',
      sizeGiB: 20,
      category: 'pd-ssd',
      kmsKeyName,
    } as const
    const boot = {
      boot: true,
      category: 'hyperdisk-balanced',
      provisionedIOPS: 3000,
      provisionedThroughput: 140,
    } as const
    expect(disksOf({ spec: { disks: [cache, boot, local] } })).toEqual([
      {
        autoDelete: true,
        boot: true,
        initializeParams: {
          diskType: typeOf('hyperdisk-balanced'),
          diskSizeGb: '100',
          sourceImage: IMAGE,
          provisionedIops: '3000',
          provisionedThroughput: '140',
        },
      },
      {
        autoDelete: true,
        boot: false,
        deviceName: 'gke-cache-disk',
        initializeParams: {
          diskType: typeOf('pd-ssd'),
          diskSizeGb: '20',
          sourceImage: 'projects/p/global/images/cache',
        },
        diskEncryptionKey: { kmsKeyName },
      },
      { type: 'SCRATCH', interface: 'NVME', autoDelete: true, initializeParams: { diskType: typeOf('local-ssd') } },
    ])
  })
})

describe('network interfaces', () => {
  const interfacesOf = (change: Change) => bodyOf(change).networkInterfaces ?? []

  test.each([
    [8, 28],
    [9, 27],
    [16, 27],
    [17, 26],
    [32, 26],
    [33, 25],
    [64, 25],
    [65, 24],
    [128, 24],
    [129, 23],
    [0, 28],
  ])('%s pods get a range of the prefix length %s', (maxPods, prefix) => {
    expect(podPrefix(maxPods)).toBe(prefix)
  })

  test('the class overrides subnetwork and range of the cluster', () => {
    const nat = [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }]
    const aliasIpRanges = [{ ipCidrRange: '/24', subnetworkRangeName: POD_RANGE }]
    expect(interfacesOf({})).toEqual([{ network: NETWORK, subnetwork: SUBNETWORK, aliasIpRanges, accessConfigs: nat }])
    const networkConfig = {
      subnetwork: 'other',
      additionalNetworkInterfaces: [{ network: 'n', subnetwork: 's' }, { subnetwork: 't' }],
    }
    expect(interfacesOf({ spec: { networkConfig, subnetRangeName: 'mine' } })).toEqual([
      {
        network: NETWORK,
        subnetwork: 'other',
        aliasIpRanges: [{ ...aliasIpRanges[0], subnetworkRangeName: 'mine' }],
        accessConfigs: nat,
      },
      { network: 'n', subnetwork: 's', accessConfigs: nat },
      { network: NETWORK, subnetwork: 't', accessConfigs: nat },
    ])
  })

  test.each([
    [true, undefined, true],
    [false, undefined, false],
    [true, false, false],
    [false, true, true],
  ])('private nodes of the cluster %s and of the class %s: %s', (arePrivateNodes, enablePrivateNodes, isPrivate) => {
    const spec = enablePrivateNodes === undefined ? {} : { networkConfig: { enablePrivateNodes } }
    expect(interfacesOf({ arePrivateNodes, spec })[0]?.accessConfigs).toHaveLength(isPrivate ? 0 : 1)
  })
})

test.each([
  ['n2-standard-4', false, {}],
  [
    'n2-standard-4',
    true,
    {
      onHostMaintenance: 'TERMINATE',
      provisioningModel: 'SPOT',
      preemptible: true,
      automaticRestart: false,
      instanceTerminationAction: 'DELETE',
    },
  ],
  ['g2-standard-8', false, { onHostMaintenance: 'TERMINATE' }],
  ['c4-standard-288-metal', false, { onHostMaintenance: 'TERMINATE' }],
  ['h4d-standard-192', false, { onHostMaintenance: 'TERMINATE' }],
  ['z3-highmem-176-standardlssd', false, { onHostMaintenance: 'TERMINATE' }],
  ['z3-highmem-14-standardlssd', false, {}],
])('%s, spot %s, is scheduled with %j', (type, isSpot, scheduling) => {
  expect(bodyOf({ type, isSpot }).scheduling).toEqual(scheduling)
})

test('metadata is sorted, and empty values are sent', () => {
  expect(bodyOf().metadata?.items).toEqual([
    { key: 'cluster-name', value: 'demo' },
    { key: 'kube-env', value: 'A: b' },
    { key: 'startup-script', value: '' },
  ])
})

test('the image is the first one that the type can boot', () => {
  const arch = (value: string) => ({ key: labels.arch, operator: 'In', values: [value] })
  const gpus = (operator: string) => ({ key: gcpLabels.gpuCount, operator })
  const images = [
    { sourceImage: 'cos-amd64', requirements: [arch('amd64'), gpus('DoesNotExist')] },
    { sourceImage: 'cos-arm64', requirements: [arch('arm64'), gpus('DoesNotExist')] },
    { sourceImage: 'cos-gpu', requirements: [arch('amd64'), gpus('Exists')] },
  ]
  const market = { region: 'us-central1', zones: () => [ZONE], price: () => 1, isAvailable: () => true }
  const imageOf = (name: string, among = images) => {
    const [type] = instanceTypesForClass([factsOf(name)], classTraits({}), market, 0.07)
    return type === undefined ? 'no type' : imageForType(among, type)
  }
  expect(imageOf('n2-standard-4')).toBe('cos-amd64')
  expect(imageOf('c4a-standard-4')).toBe('cos-arm64')
  expect(imageOf('g2-standard-8')).toBe('cos-gpu')
  expect(imageOf('g2-standard-8', images.slice(0, 2))).toBeUndefined()
  expect(imageOf('n2-standard-4', [{ sourceImage: 'odd', requirements: [gpus('Sometimes')] }])).toBeUndefined()
})
