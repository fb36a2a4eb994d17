import type { BizflyCloudNodeClassSpec } from '@kerf/provider-bizfly/node-class'
import { PASSWORD } from '@kerf/provider-bizfly/testing'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { type Story, type StoryOptions, story } from './kerf-on-fake-bizfly.ts'

/** A fault or a mistake that exists from the start and prevents all launches. */
interface Obstacle {
  readonly what: string
  readonly options: StoryOptions
  readonly condition: string
  /** Matches the reason and the remedy in the condition and in an Event. */
  readonly says: RegExp
  readonly repair: (harness: Story) => unknown
}

const mistake = (
  what: string,
  spec: Partial<BizflyCloudNodeClassSpec>,
  condition: string,
  says: RegExp,
  repaired: Partial<BizflyCloudNodeClassSpec>,
): Obstacle => ({ what, options: { spec }, condition, says, repair: ({ changeClass }) => changeClass(repaired) })

const obstacles: readonly Obstacle[] = [
  {
    what: 'a wrong password',
    options: {
      before: ({ cloud }) => {
        cloud.password = 'another'
      },
    },
    condition: 'NetworksReady',
    says: /CredentialsRefused: .*HTTP status 401.*correct BIZFLY_CLOUD_EMAIL and BIZFLY_CLOUD_PASSWORD/,
    repair: ({ cloud }) => {
      cloud.password = PASSWORD
    },
  },
  {
    what: 'a region without services',
    options: {
      before: ({ cloud }) => {
        cloud.region = 'HoChiMinh'
      },
    },
    condition: 'NetworksReady',
    says: /RegionNotFound: .*cloud_server in HoChiMinh, not in HN.*check BIZFLY_CLOUD_REGION/,
    repair: ({ cloud }) => {
      cloud.region = 'HN'
    },
  },
  {
    what: 'an account without rights',
    options: { before: ({ cloud }) => void cloud.denied.add('networks') },
    condition: 'NetworksReady',
    says: /PermissionDenied: .*you are not allowed.*give the account of the controller the rights on Cloud Server/,
    repair: ({ cloud }) => cloud.denied.clear(),
  },
  mistake(
    'a network that does not exist',
    { vpcNetworkIds: ['network-none'] },
    'NetworksReady',
    /NetworksNotFound: the project does not have "network-none" of spec\.vpcNetworkIds; correct the IDs/,
    { vpcNetworkIds: ['network-2'] },
  ),
  mistake(
    'a class without zones and plans',
    { zones: [], networkPlans: [] },
    'InstanceReady',
    /NodeClassInvalid: spec\.zones is empty; add a value, for example HN1; spec\.networkPlans is empty/,
    { zones: ['HN1'], networkPlans: ['free_bandwidth'] },
  ),
  mistake(
    'a tag that would replace the cluster’s metadata',
    { tags: ['bke_cluster_token=mine', 'team=web'] },
    'InstanceReady',
    /NodeClassInvalid: spec\.tags: only the controller sets bke_cluster_token; remove the tag/,
    { tags: ['team=web'] },
  ),
  mistake(
    'a category without flavors',
    { nodeCategories: ['dedicated'] },
    'InstanceReady',
    /NoInstanceTypes: no flavor of the region has a category of spec\.nodeCategories/,
    { nodeCategories: ['premium'] },
  ),
  {
    what: 'a cluster without worker images',
    options: {
      before: ({ account }) => {
        account.versions = account.versions.filter(({ kubernetes_version }) => kubernetes_version.startsWith('v1.35'))
      },
    },
    condition: 'ImagesReady',
    says: /ImagesNotFound: there is no worker image of ubuntu for version v1\.36\.\S+ of the cluster; change spec\.osType/,
    repair: ({ account }) => {
      account.versions = [{ kubernetes_version: 'v1.36.4', worker_image_id: 'image-1.36.4' }]
    },
  },
]

describe.each(sampled(obstacles, 3, 'obstacles of Bizfly Cloud'))('$what', ({ options, condition, says, repair }) => {
  test('a condition and an event state the remedy, nothing is launched, and Kerf continues after the change', async () => {
    const harness = await story(options)
    await harness.pass(120)
    expect(await harness.condition(condition)).toMatch(says)
    expect(await harness.condition('Ready')).not.toMatch(/^True/)
    expect(await harness.events()).toMatch(says)
    expect(harness.cloud.count('launchServer')).toBe(0)
    await repair(harness)
    await harness.runs(3, 900)
    expect(await harness.condition(condition)).toMatch(/^True/)
    await harness.leavesNothing()
  })
})

/** A fault that begins while nodes are running. */
const hindrances: readonly {
  readonly what: string
  readonly begin: (harness: Story) => unknown
  readonly end: (harness: Story) => unknown
  readonly says: RegExp
  /** The maximum number of launches that Kerf may try during the fault. */
  readonly most: number
}[] = [
  {
    what: 'a quota of zero',
    begin: ({ account }) => {
      account.quota = 0
    },
    end: ({ account }) => {
      account.quota = 10_000
    },
    says: /InsufficientCapacityError: .*Quota exceeded for instances.*raise the quota of the project/,
    // Each of ten offerings is refused at most twice for each of several simultaneous launches.
    most: 60,
  },
  {
    what: 'creations that fail after they were accepted',
    begin: ({ account }) => {
      account.failing = [{}]
    },
    end: ({ account }) => {
      account.failing = []
    },
    says: /InsufficientCapacityError: .*failed to create it without a reason; look at the tasks of the project/,
    // After the first failed launches, Kerf waits for one minute, and then for two minutes.
    most: 20,
  },
]

describe.each(sampled(hindrances, 1, 'hindrances of Bizfly Cloud'))('$what', ({ begin, end, says, most }) => {
  test('an event states the remedy, existing nodes stay, and new nodes are launched when the fault ends', async () => {
    const harness = await story()
    await harness.runs()
    const before = harness.servers().map(({ id }) => id)
    const launches = harness.cloud.count('launchServer')
    await begin(harness)
    await harness.scale(40)
    await harness.pass(240)
    expect(await harness.events()).toMatch(says)
    expect(harness.cloud.count('launchServer') - launches).toBeLessThanOrEqual(most)
    expect(harness.servers().map(({ id }) => id)).toEqual(expect.arrayContaining(before))
    await end(harness)
    await harness.runs(40, 1_200)
    await harness.leavesNothing()
  })
})

test('a creation that is not complete at the first check is not repeated', async () => {
  const harness = await story({
    before: ({ account }) => {
      account.options.buildsFor = 230_000
      account.options.listLag = 230_000
    },
  })
  await harness.until('a server', async () => harness.servers().length > 0)
  await harness.pass(280)
  // A server has the name of its claim.
  expect(new Set(harness.servers().map(({ name }) => name)).size).toBe(harness.cloud.count('launchServer'))
})
