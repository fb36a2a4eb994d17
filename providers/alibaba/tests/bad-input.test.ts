import { karpenterKinds } from '@kerf/apis'
import type { ECSNodeClassSpec } from '@kerf/provider-alibaba/node-class'
import { ACCESS_KEY } from '@kerf/provider-alibaba/testing'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { type Story, type StoryOptions, story } from './kerf-on-fake-alibaba.ts'

const LAUNCH = 'CreateAutoProvisioningGroup'
const REMEDY = 'check the RAM role of its service account \\(RRSA\\), or ALIBABA_CLOUD_ACCESS_KEY_ID'

/** A fault from the start, which keeps Kerf from launching anything. */
interface StartFault {
  readonly what: string
  readonly options: StoryOptions
  readonly end: (harness: Story) => unknown
  /** Matches the reason and the remedy, which a condition of the node class and an Event contain. */
  readonly says: RegExp
}

const startFaults: readonly StartFault[] = [
  {
    what: 'no credentials',
    options: { keys: undefined },
    end: ({ setKeys }) => setKeys(),
    says: new RegExp(`CredentialsRefused: .*unable to get credentials.*${REMEDY}`),
  },
  {
    what: 'a wrong secret',
    options: { keys: { accessKeyId: ACCESS_KEY.id, accessKeySecret: 'wrong' } },
    end: ({ setKeys }) => setKeys(),
    says: new RegExp(`CredentialsRefused: .*SignatureDoesNotMatch.*${REMEDY}`),
  },
  {
    what: 'an expired token',
    options: { keys: { accessKeyId: ACCESS_KEY.id, accessKeySecret: ACCESS_KEY.secret, securityToken: 'old' } },
    end: ({ setKeys }) => setKeys(),
    says: new RegExp(`CredentialsRefused: .*InvalidSecurityToken\\.Expired.*${REMEDY}`),
  },
  {
    what: 'a region that does not exist',
    options: { region: 'cn-atlantis' },
    end: ({ restart }) => restart(),
    says: /RegionNotFound: .*InvalidRegionId\.NotFound.*check REGION_ID/,
  },
]

describe.each(sampled(startFaults, 1, 'faults of Alibaba Cloud at the start'))('$what', ({ options, end, says }) => {
  test('a condition and an event tell the remedy, nothing is launched, and Kerf continues after the change', async () => {
    const harness = await story(options)
    await harness.pass(120)
    expect(await harness.condition('VSwitchesReady')).toMatch(new RegExp(`^Unknown ${says.source}`))
    expect(await harness.condition('Ready')).toMatch(/^Unknown/)
    expect(await harness.events()).toMatch(says)
    expect(harness.cloud.count(LAUNCH)).toBe(0)
    await end(harness)
    await harness.runs()
    await harness.leavesNothing()
  })
})

/** A mistake in a node class, which affects only the NodePools of this class. */
interface ClassMistake {
  readonly what: string
  readonly spec: Partial<ECSNodeClassSpec>
  readonly condition: string
  readonly says: RegExp
  readonly repaired: object
}

const classMistakes: readonly ClassMistake[] = [
  {
    what: 'an image selector that matches nothing',
    spec: { imageSelectorTerms: [{ id: 'm-none' }] },
    condition: 'ImagesReady',
    says: /ImagesNotFound: no image matches \{"id":"m-none"\}; correct spec\.imageSelectorTerms/,
    repaired: { imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3' }] },
  },
  {
    what: 'tags that ECS refuses',
    spec: { tags: { 'acs:team': 'web', url: 'https://example.com' } },
    condition: 'ValidationSucceeded',
    says: /NodeClassInvalid: spec\.tags: the key "acs:team" must not begin with "aliyun" or "acs:"; spec\.tags\[url\]: .*must not contain "http:\/\/"/,
    repaired: { tags: { 'acs:team': null, url: 'example.com' } },
  },
]

describe.each(sampled(classMistakes, 1, 'mistakes in classes of Alibaba Cloud'))(
  '$what',
  ({ spec, condition, says, repaired }) => {
    test('a condition and an event tell the remedy, other NodePools launch, and this one does after the change', async () => {
      const harness = await story({ spec })
      await harness.runsElsewhere()
      expect(await harness.run()).toBe(0)
      expect(await harness.condition(condition)).toMatch(says)
      expect(await harness.events()).toMatch(says)
      expect(harness.cloud.count(LAUNCH)).toBe(1)
      await harness.changeClass(repaired)
      await harness.runs()
      expect(await harness.condition(condition)).not.toMatch(says)
      await harness.leavesNothing()
    })
  },
)

/** The maximum number of launch attempts in four minutes during which no launch can succeed. */
const MOST_LAUNCHES = 30
const ALL_CPUS = { 'on-demand': 10_000, spot: 10_000 }

/** A fault that begins while nodes run. */
interface Hindrance {
  readonly what: string
  readonly begin: (harness: Story) => unknown
  readonly end: (harness: Story) => unknown
  readonly says: RegExp
  /** Changes for a second node class, whose launches succeed in spite of the fault. */
  readonly other?: Partial<ECSNodeClassSpec>
}

const hindrances: readonly Hindrance[] = [
  {
    what: 'keys that are deleted',
    begin: ({ cloud }) => cloud.keys.clear(),
    end: ({ cloud }) => cloud.keys.set(ACCESS_KEY.id, { secret: ACCESS_KEY.secret }),
    says: new RegExp(`CredentialsRefused: .*InvalidAccessKeyId\\.NotFound.*${REMEDY}`),
  },
  {
    what: 'a quota of zero',
    begin: ({ account }) => {
      account.quota = { 'on-demand': 0, spot: 0 }
    },
    end: ({ account }) => {
      account.quota = ALL_CPUS
    },
    says: /InsufficientCapacityError: .*QuotaExceed\.ElasticQuota; raise the quota of the account/,
  },
  {
    what: 'full vSwitches',
    begin: ({ account }) => {
      const [first, ...rest] = account.vSwitches
      if (first === undefined) return
      const free = { ...first, id: 'vsw-free', tags: {} }
      account.vSwitches = [...[first, ...rest].map((each) => ({ ...each, free: 0 })), free]
    },
    end: ({ account }) => {
      account.vSwitches = account.vSwitches.map((each) => ({ ...each, free: 250 }))
    },
    says: /InsufficientCapacityError: .*(?:IpNotEnough|no vSwitch with free addresses).*; free addresses of the vSwitches, add a vSwitch to/,
    other: { vSwitchSelectorTerms: [{ id: 'vsw-free' }] },
  },
  {
    what: 'instance types without the disk category',
    begin: ({ account }) => {
      account.noDisks = [{ category: 'cloud_essd' }]
    },
    end: ({ changeClass }) => changeClass({ systemDisk: { categories: ['cloud_essd', 'cloud_auto'] } }),
    says: /InsufficientCapacityError: .*InvalidSystemDiskCategory\.ValueNotSupported; add categories to spec\.systemDisk\.categories/,
    other: { systemDisk: { categories: ['cloud_auto'] } },
  },
]

describe.each(sampled(hindrances, 1, 'hindrances of Alibaba Cloud'))('$what', ({ begin, end, says, other }) => {
  test('an event tells the remedy, existing nodes stay, and new ones are launched when it ends', async () => {
    const harness = await story()
    await harness.runs()
    const before = harness.instances().map(({ id }) => id)
    const launches = harness.cloud.count(LAUNCH)
    await begin(harness)
    await harness.scale(40)
    await harness.pass(240)
    expect(`${await harness.events()}\n${await harness.launches()}`).toMatch(says)
    expect(harness.cloud.count(LAUNCH) - launches).toBeLessThanOrEqual(MOST_LAUNCHES)
    expect(harness.instances().map(({ id }) => id)).toEqual(before)
    expect(await harness.run()).toBeGreaterThanOrEqual(3)
    if (other !== undefined) await harness.runsElsewhere(other)
    await end(harness)
    await harness.runs(40, 1_200)
    await harness.leavesNothing()
  })
})

test('an instance that never starts is replaced, and released when ECS accepts it', async () => {
  const harness = await story()
  await harness.runs()
  const before = new Set(harness.instances().map(({ id }) => id))
  const launched = () => harness.instances().filter(({ id }) => !before.has(id))
  harness.account.options.startsFor = 2 * 3_600_000
  await harness.scale(40)
  await harness.until('a launch', async () => launched().length > 0)
  const stuck = launched().map(({ id }) => id)
  harness.account.options.startsFor = 8_000
  await harness.runs(40, 2_400)
  expect(await harness.events()).toMatch(
    /FailedTermination: .*instance \S+ is Starting since \S+, and ECS does not release it.*ask the support of Alibaba Cloud/,
  )
  expect(launched().map(({ id }) => id)).toEqual(expect.arrayContaining(stuck))
  await harness.until(
    'the stuck instances released',
    async () => launched().every(({ id }) => !stuck.includes(id)),
    2 * 3_600,
  )
  const claims = async () => (await harness.client.list(karpenterKinds.NodeClaim)).items.length
  await harness.until('a claim for each instance', async () => (await claims()) === harness.instances().length)
  await harness.leavesNothing()
})
