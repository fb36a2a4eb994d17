import { kinds } from '@kerf/apis'
import { sampled } from '@kerf/testing'
import { testOneIn } from '@kerf/testing/sampled-test'
import { expect, test } from 'vitest'
import { IMAGE, TAG_NAMESPACE } from '../src/testing/fake-oci/names.ts'
import { story } from './kerf-on-fake-oci.ts'

const testSome = testOneIn(3, 'bad input on Oracle Cloud')

type Story = Awaited<ReturnType<typeof story>>
type OracleSpec = NonNullable<Parameters<typeof story>[0]>['oracle']

const idsOf = ({ living }: Story): readonly string[] => living().map(({ id }) => id)

const scale = async ({ client }: Story, replicas: number): Promise<void> =>
  void (await client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  ))

/**
 * Asserts that the fault prevents new launches, that a condition or an event gives the reason, that running pods and their instances stay,
 * and that Kerf recovers.
 */
const hinders = async (
  made: Story,
  { begin, end, says }: { readonly begin: () => unknown; readonly end: () => unknown; readonly says: RegExp },
): Promise<void> => {
  await made.runs(3)
  const before = idsOf(made)
  await begin()
  await scale(made, 12)
  await made.pass(240)
  expect(`${await made.launches()}\n${await made.events()}`).toMatch(says)
  expect(idsOf(made)).toEqual(before)
  expect(await made.run()).toBeGreaterThanOrEqual(3)
  await end()
  await made.runs(12, 3_600)
  expect(idsOf(made)).toEqual(expect.arrayContaining([...before]))
  await made.leavesNothing()
}

const refusal = (message: string) => ({ refusal: { status: 400, code: 'InvalidParameter', message } }) as const

testSome('a deleted key', async () => {
  const made = await story()
  await hinders(made, {
    begin: () => made.cloud.keys.clear(),
    end: () => made.cloud.restoreKey(),
    says: /CredentialsRefused: .*NotAuthenticated.*check the authentication method/,
  })
})

testSome('a quota of zero', async () => {
  const made = await story()
  const { ocpuQuota } = made.account
  await hinders(made, {
    begin: () => {
      made.account.ocpuQuota = 0
    },
    end: () => {
      made.account.ocpuQuota = ocpuQuota
    },
    says: /quotas were exceeded.*raise the quota of the compartment/,
  })
})

testSome('a full subnet', async () => {
  const made = await story()
  const { subnets } = made.account
  await hinders(made, {
    begin: () => {
      made.account.subnets = subnets.map((subnet) => ({ ...subnet, free: 0 }))
    },
    end: () => {
      made.account.subnets = subnets
    },
    says: /no subnet with free addresses.*free addresses of the subnet, or select a larger one/,
  })
})

testSome('a volume that the shapes do not support', async () => {
  const made = await story()
  await hinders(made, {
    begin: () => made.cloud.fail('LaunchInstance', refusal('bootVolumeVpusPerGB 120 is not supported for this shape')),
    end: () => made.cloud.recover(),
    says: /LaunchConfigurationInvalid: .*bootVolumeVpusPerGB 120 is not supported.*correct the field/s,
  })
})

testSome('launches that never end: Kerf gives up the NodeClaims, and their instances are terminated', async () => {
  const made = await story()
  await made.runs(3)
  const before = idsOf(made)
  const { account } = made
  const { onLaunched } = account
  account.onLaunched = () => undefined
  account.options.startsFor = 24 * 3_600_000
  await scale(made, 12)
  await made.until('launches', async () => idsOf(made).length > before.length)
  const stuck = idsOf(made).filter((id) => !before.includes(id))
  // A node has fifteen minutes to register.
  await made.pass(1_200)
  expect(idsOf(made).filter((id) => stuck.includes(id))).toEqual([])
  expect(await made.run()).toBeGreaterThanOrEqual(3)
  account.onLaunched = onLaunched
  account.options.startsFor = 1_000
  await made.runs(12, 3_600)
  await made.leavesNothing()
})

const NONE = 'ocid1.compartment.oc1..none'
const imageConfig = { imageType: 'OKEImage', imageFilter: { osFilter: 'Windows', osVersionFilter: '8' } }

/** Classes that Oracle Cloud refuses: what is wrong, the condition that says it, the fields, and the message. */
const classMistakes: readonly (readonly [string, string, NonNullable<OracleSpec>, RegExp])[] = [
  [
    'a compartment that does not exist',
    'NodeCompartment',
    { nodeCompartmentId: NONE },
    /^False NodeCompartmentResolveFailure: the compartment "\S+none" does not exist, or no policy/,
  ],
  [
    'an image filter that matches nothing',
    'Image',
    { volumeConfig: { bootVolumeConfig: { imageConfig } } },
    /^False ImageResolveFailure: there is no image of Windows 8/,
  ],
  [
    'a tag that Oracle Cloud does not accept',
    'ValidationSucceeded',
    { freeformTags: { 'team name': 'web' } },
    /^False Invalid: spec\.freeformTags: the key "team name" must have/,
  ],
]

test.each(sampled(classMistakes, 1, 'mistakes in classes of Oracle Cloud'))(
  '%s: the condition %s says it, another NodePool goes on, and an edit repairs it',
  async (_, type, oracle, says) => {
    const made = await story({ oracle, hasOtherPool: true })
    await made.runs(3)
    expect(await made.condition(type)).toMatch(says)
    // The instances have the tags of the OciNodeClass.
    expect(made.living().filter(({ details }) => details.definedTags?.[TAG_NAMESPACE] === undefined)).toEqual([])
    await made.editClass({
      nodeCompartmentId: null,
      freeformTags: null,
      volumeConfig: { bootVolumeConfig: { imageConfig: { imageFilter: null, imageId: IMAGE, imageType: 'OKEImage' } } },
    })
    await made.until('a class that is ready', async () => /^True /.test(await made.condition('Ready')))
    await made.leavesNothing()
  },
)

testSome('a tag namespace that does not exist is reported at the launch, and an edit repairs it', async () => {
  const made = await story({ oracle: { definedTags: { ops: { owner: 'web' } } } })
  await made.pass(240)
  expect(await made.launches()).toMatch(/LaunchConfigurationInvalid: .*TagDefinition ops\.owner does not exist/)
  expect(made.living()).toEqual([])
  await made.editClass({ definedTags: null })
  await made.runs(3, 1_800)
  await made.leavesNothing()
})
