import { labels, type NodeClaim } from '@kerf/apis'
import { InsufficientCapacityError } from '@kerf/provider-contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { communityLabels, type Dialect, oracleLabels } from './names.ts'
import { AVAILABILITY_DOMAINS, IMAGE, SUBNET } from './testing/fake-oci/names.ts'
import { createOciHarness, type OciHarness, type OciHarnessOptions } from './testing/oci-harness.ts'

const { signal } = new AbortController()
const dialects: readonly Dialect[] = ['community', 'oracle']

const harness = async (options: OciHarnessOptions = {}): Promise<OciHarness> => {
  const made = await createOciHarness(options)
  onTestFinished(() => {
    made.stop()
    expect(made.oci.problems).toEqual([])
  })
  return made
}

const launch = async (
  { provider, claim }: OciHarness,
  name: string,
  requirements: NodeClaim['spec']['requirements'] = [],
) => {
  const made = await claim(name, { requirements, requests: { cpu: '1', memory: '1Gi' } })
  return { claim: made, view: await provider.create(made, signal) }
}

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

describe.each(dialects)('an instance of the %s kind', (dialect) => {
  it('is launched with the cheapest offering, and listed, read and terminated', async () => {
    const made = await harness({ dialect })
    const { view } = await launch(made, 'a')
    const [instance] = made.account.instances.living()
    expect(instance?.details).toMatchObject({
      displayName: 'a',
      createVnicDetails: { subnetId: SUBNET },
      sourceDetails: { sourceType: 'image' },
      instanceOptions: { areLegacyImdsEndpointsDisabled: true },
    })
    expect(instance?.details.preemptibleInstanceConfig === undefined).toBe(dialect === 'oracle')
    expect(view).toMatchObject({ providerID: instance?.id, nodeClaimName: 'a', nodePool: 'default' })
    expect(view.labels[labels.zone]).toMatch(/^PHX-AD-\d$/)
    const { provider } = made
    expect((await provider.list(signal)).map(({ providerID }) => providerID)).toEqual([view.providerID])
    expect((await provider.get(view.providerID, signal)).providerID).toBe(view.providerID)
  })

  it('has its size in its labels and its capacity', async () => {
    const made = await harness({ dialect })
    const shape = dialect === 'community' ? communityLabels.shape : oracleLabels.shape
    const claim = await made.claim('a', {
      requirements: [is(shape, 'VM.Standard.E4.Flex')],
      requests: { cpu: '3', memory: '20Gi' },
    })
    if (dialect === 'oracle') {
      // The class has the size with 2 OCPUs and 16 GB, which is too small.
      await expect(made.provider.create(claim, signal)).rejects.toBeInstanceOf(InsufficientCapacityError)
      return
    }
    const view = await made.provider.create(claim, signal)
    expect(made.account.instances.living()[0]?.details.shapeConfig).toEqual({ ocpus: 2, memoryInGBs: 32 })
    expect(view.labels).toMatchObject({
      [labels.instanceType]: 'VM.Standard.E4.Flex',
      [communityLabels.cpu]: '4',
      [communityLabels.memory]: '32768',
    })
    expect(view.capacity).toMatchObject({ cpu: '4' })
  })

  it('is launched in another availability domain if one lacks hosts', async () => {
    const made = await harness({ dialect })
    made.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0] }]
    const { view } = await launch(made, 'a', [is(labels.capacityType, 'on-demand')])
    expect(view.labels[labels.zone]).not.toBe('PHX-AD-1')
  })

  it('is launched elsewhere if hosts are missing after the launch was accepted', async () => {
    const made = await harness({ dialect, startsFor: 3_000 })
    made.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0], isAfterwards: true }]
    const launching = launch(made, 'a', [is(labels.capacityType, 'on-demand')])
    await made.clock.advance(60_000)
    const { view } = await launching
    expect(view.labels[labels.zone]).not.toBe('PHX-AD-1')
    expect((await made.provider.list(signal)).length).toBe(1)
  })
})

it('keeps the image of the class of the architecture', async () => {
  const made = await harness({ dialect: 'community' })
  await launch(made, 'a', [is(labels.arch, 'amd64')])
  expect(made.account.instances.living()[0]?.details.sourceDetails.imageId).toBe(IMAGE)
})
