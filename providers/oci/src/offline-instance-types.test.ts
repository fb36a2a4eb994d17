import { labels } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ociVocabulary } from './labels.ts'
import { communityNodeClassDescriptor } from './node-class/community-descriptor.ts'
import { oracleNodeClassDescriptor } from './node-class/oracle-descriptor.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'
import { recognisedNodes } from './recognised-nodes.ts'
import { offlineRegions, offlineZones, regionOfObjects } from './regions.ts'

const open = async (region: string) => {
  if (offlineInstanceTypes.regions === undefined) throw new Error('no regions')
  return await offlineInstanceTypes.regions.open(region)
}

describe('offline instance types', () => {
  test.each(['us-phoenix-1', 'eu-frankfurt-1', 'sa-saopaulo-1'])(
    '%s: every label, and prices of the table',
    async (region) => {
      const types = (await open(region)).types()
      expect(types.length).toBeGreaterThan(100)
      for (const { name, requirements } of types) {
        const keys = new Set(requirements.map(({ key }) => key))
        expect(
          ociVocabulary.wellKnown.filter((label) => !keys.has(label)),
          name,
        ).toEqual([])
      }
      const small = types.find(({ name }) => name === 'VM.Standard.E5.Flex.2o.16g.1_1b')
      expect(small?.offerings.filter((each) => each.price === 0.092)).toHaveLength(offlineZones(region)?.length ?? 0)
      expect(small?.offerings.map((each) => small && offeringCoordinates(small, each).zone)).toEqual(
        offlineZones(region),
      )
    },
  )

  test('a class determines the sizes, and a class with a problem has no types', async () => {
    const offer = await open('us-phoenix-1')
    const { example: oracle } = oracleNodeClassDescriptor
    const { types, problems, notLookedAt } = offer.forNodeClass(oracle)
    expect(problems).toEqual([])
    expect(types.filter(({ name }) => name.startsWith('VM.Standard.E4')).map(({ name }) => name)).toEqual([
      'VM.Standard.E4.Flex.2o.16g.1_1b',
    ])
    expect(notLookedAt.join()).toMatch(/taints/)
    const bad = { ...oracle, spec: { ...oracle.spec, preBootstrapInitScript: 'echo hello' } }
    expect(offer.forNodeClass(bad)).toMatchObject({ types: [], problems: [expect.stringMatching(/base64/)] })
    const { example } = communityNodeClassDescriptor
    expect(offer.forNodeClass(example).types.length).toBeGreaterThan(100)
  })

  test('the zones of a region are its availability domains', () => {
    expect(offlineZones('us-phoenix-1')).toEqual(['PHX-AD-1', 'PHX-AD-2', 'PHX-AD-3'])
    expect(offlineZones('ap-tokyo-1')).toEqual(['AP-TOKYO-1-AD-1'])
  })

  test('an unknown region is an error', async () => {
    await expect(open('us-nowhere-1')).rejects.toThrow(/us-nowhere-1/)
    expect(offlineRegions).toContain(offlineInstanceTypes.regions?.usual)
  })
})

describe('the region of a cluster', () => {
  const { example } = communityNodeClassDescriptor
  test.each([
    ['the label of a node', node('a', { labels: { [labels.region]: 'eu-frankfurt-1' } }), 'eu-frankfurt-1'],
    ['the OCID of the network', example, 'us-phoenix-1'],
    [
      'an OCID with the name of the region',
      { ...example, spec: { ...example.spec, vcnId: 'ocid1.vcn.oc1.eu-zurich-1.aaaa' } },
      'eu-zurich-1',
    ],
  ])('%s names it', (_, object, region) => {
    expect(regionOfObjects([object])?.region).toBe(region)
  })
})

test('nodes of Oracle Cloud are recognised with and without a scheme, and preemptible nodes of OKE are spot nodes', () => {
  expect(
    ['ocid1.instance.oc1.phx.a', 'oci://ocid1.instance.oc1.phx.a', 'other:///a', 'ocid1.subnet.oc1.phx.a'].map(
      recognisedNodes.isProviderId,
    ),
  ).toEqual([true, true, false, false])
  expect(recognisedNodes.capacityTypeOf({ 'oci.oraclecloud.com/oke-is-preemptible': 'true' })).toBe('spot')
  expect(recognisedNodes.capacityTypeOf({})).toBeUndefined()
  expect(recognisedNodes.capacityTypeOf({ [labels.capacityType]: 'preemptible' })).toBe('preemptible')
})
