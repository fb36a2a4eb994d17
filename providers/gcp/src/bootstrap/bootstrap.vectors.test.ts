import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { typeCapacity, typeOverhead } from '../instance-type/capacity.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import { instanceBody } from '../launch/instance-body.ts'
import { type BootstrapCase, bootstrapCases } from '../testing/bootstrap-cases.ts'
import { gceNodeClass } from '../testing/gce-node-class.ts'
import { gpusOfType } from '../type-facts.ts'
import { instanceMetadata } from './instance-metadata.ts'
import { parseKubeEnv } from './kube-env.ts'
import { nodePlan } from './node-plan.ts'
import { otherBinaries } from './server-binary.ts'

type Fields = Readonly<Record<string, unknown>>

/** The metadata and the insert body that upstream at 417f047b created for a case of `bootstrap-cases.ts`. */
interface Recorded {
  readonly metadata: Readonly<Record<string, string>>
  readonly body: Fields
}

const recorded: readonly Recorded[] = readFileSync(new URL('bootstrap.vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const ZEROS: readonly unknown[] = [0, '', '0', '0s', null]
const CLUSTER_ID = '0123456789abcdef'.repeat(4)

const own = ({ source, spec, facts, zone, isSpot, arePrivateNodes }: BootstrapCase) => {
  const traits = classTraits({})
  const { kubeReserved = {} } = typeOverhead(facts, traits, typeCapacity(facts, traits, 0.07))
  const plan = nodePlan(gceNodeClass('general', { spec }), {
    ...{ project: 'demo', zone, nodePool: 'default', facts, isSpot, kubeReserved },
  })
  const others = otherBinaries(parseKubeEnv(source['kube-env'] ?? ''), facts.arch, 'v0')
  const binaries =
    others === undefined ? undefined : { url: others.url, hash: `hash-of-${new URL(others.hashUrl).pathname}` }
  const metadata = instanceMetadata(source, plan, binaries)
  const body = instanceBody({
    ...{ name: 'karpenter-a-1', project: 'demo', zone, facts, isSpot, spec, metadata, maxPods: plan.maxPods },
    owner: {
      ...{ nodePool: 'default', nodeClass: 'general', cluster: 'demo', location: 'us-central1' },
      clusterId: CLUSTER_ID,
    },
    cluster: {
      ...{ id: CLUSTER_ID, zones: [zone], podRange: 'pods', arePrivateNodes, releaseChannel: undefined, version: '' },
      network: 'projects/demo/global/networks/default',
      subnetwork: 'projects/demo/regions/us-central1/subnetworks/default',
    },
    image: 'projects/gke-node-images/global/images/one',
    serviceAccount: spec.serviceAccount ?? '1-compute@developer.gserviceaccount.com',
  })
  return { metadata, body: JSON.parse(JSON.stringify(body)) as Fields }
}

const pairs = bootstrapCases().map((each, index) => ({
  ...each,
  ours: own(each),
  theirs: recorded[index] as Recorded,
}))

test('30 nodes were recorded', () => {
  expect(recorded).toHaveLength(30)
  expect(pairs).toHaveLength(30)
})

describe('the metadata of an instance', () => {
  test('has the same items as upstream', () => {
    const keys = (metadata: Fields) => Object.keys(metadata).toSorted()
    expect(pairs.map(({ ours }) => keys(ours.metadata))).toEqual(pairs.map(({ theirs }) => keys(theirs.metadata)))
  })

  test('equals upstream’s byte for byte, except for the kubelet configuration', () => {
    const textsOf = ({ metadata: { 'kubelet-config': _, ...rest } }: Pick<Recorded, 'metadata'>) => rest
    expect(pairs.map(({ ours }) => textsOf(ours))).toEqual(pairs.map(({ theirs }) => textsOf(theirs)))
  })

  /** Returns the fields without zeros. Upstream writes zeros for fields that the source does not have. */
  const withoutZeros = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const kept = Object.entries(value)
      .map(([key, each]) => [key, withoutZeros(each)] as const)
      .filter(([, each]) => !ZEROS.includes(each))
      .filter(([, each]) => typeof each !== 'object' || Object.keys(each ?? {}).length > 0)
    return Object.fromEntries(kept)
  }

  test('has the same configuration of the kubelet, apart from the zeros that upstream adds', () => {
    const read = ({ metadata }: Pick<Recorded, 'metadata'>, { facts, spec }: BootstrapCase) => {
      const config: unknown = parse(metadata['kubelet-config'] ?? '')
      // For instance types with bundled SSDs, Kerf and upstream use different sizes of ephemeral storage.
      if (facts.localSsdGiB === 0 || spec.kubeletConfiguration?.kubeReserved?.['ephemeral-storage'] !== undefined)
        return withoutZeros(config)
      const { kubeReserved, ...rest } = config as { readonly kubeReserved: Fields }
      const { 'ephemeral-storage': _, ...reserved } = kubeReserved
      return withoutZeros({ ...rest, kubeReserved: reserved })
    }
    expect(pairs.map((each) => read(each.ours, each))).toEqual(pairs.map((each) => read(each.theirs, each)))
  })
})

describe('the body of the insert', () => {
  test('has the same network, account, labels, tags and security', () => {
    const parts = ({
      body: { disks: _disks, metadata: _metadata, name: _name, machineType: _type, scheduling: _, ...rest },
    }: {
      readonly body: Fields
    }) => rest
    expect(pairs.map(({ ours }) => parts(ours))).toEqual(pairs.map(({ theirs }) => parts(theirs)))
  })

  test('has the same scheduling, except for machines that cannot migrate', () => {
    const others = pairs.filter(
      ({ facts }) => !/-metal$|^h4d-|^z3-/.test(facts.name) || gpusOfType(facts) !== undefined,
    )
    expect(others.length).toBeGreaterThan(20)
    expect(others.map(({ ours }) => ours.body['scheduling'])).toEqual(
      others.map(({ theirs }) => theirs.body['scheduling']),
    )
  })

  test('has the same disks, apart from the device names of disks without an image', () => {
    const disksIn = ({ body }: Pick<Recorded, 'body'>) =>
      (body['disks'] as readonly Fields[]).map(({ boot = false, deviceName, ...rest }) => ({
        boot,
        // Upstream gives this name to every disk without an image.
        ...(deviceName === 'gke--disk' || deviceName === undefined ? {} : { deviceName }),
        ...rest,
      }))
    expect(pairs.map(({ ours }) => disksIn(ours))).toEqual(pairs.map(({ theirs }) => disksIn(theirs)))
  })
})
