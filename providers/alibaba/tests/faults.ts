import type { ECSNodeClassSpec } from '@kerf/provider-alibaba/node-class'
import { ACCESS_KEY } from '@kerf/provider-alibaba/testing'
import type { Story, StoryOptions } from './kerf-on-fake-alibaba.ts'

const REMEDY = 'check the RAM role of its service account \\(RRSA\\), or ALIBABA_CLOUD_ACCESS_KEY_ID'

/** A fault that exists from the start and prevents all launches. */
interface StartFault {
  readonly what: string
  readonly options: StoryOptions
  readonly end: (harness: Story) => unknown
  /** Matches the reason and the remedy in a condition of the node class and in an Event. */
  readonly says: RegExp
}

export const startFaults: readonly StartFault[] = [
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
  {
    what: 'a cluster that does not exist',
    options: {
      before: ({ cloud }) => {
        const refusal = { status: 404, code: 'ErrorClusterNotFound', message: 'cluster not found' }
        cloud.fail('DescribeClusterDetail', { refusal })
      },
    },
    end: ({ cloud }) => cloud.recover(),
    says: /ClusterNotFound: .*ErrorClusterNotFound.*check CLUSTER_ID/,
  },
]

/** A mistake in a node class, which affects only the NodePools of this class. */
interface ClassMistake {
  readonly what: string
  readonly spec: Partial<ECSNodeClassSpec>
  readonly condition: string
  readonly says: RegExp
  readonly repaired: object
}

export const classMistakes: readonly ClassMistake[] = [
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

const ALL_CPUS = { 'on-demand': 10_000, spot: 10_000 }

/** A fault that begins while nodes are running. */
interface Hindrance {
  readonly what: string
  readonly begin: (harness: Story) => unknown
  readonly end: (harness: Story) => unknown
  readonly says: RegExp
  /** Fields of a second node class, whose launches succeed despite the fault. */
  readonly other?: Partial<ECSNodeClassSpec>
}

export const hindrances: readonly Hindrance[] = [
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
