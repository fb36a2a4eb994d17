/**
 * Strings that a transcript keeps, by the field that they stand in: what EC2 offers, states, kinds and codes. Everything else
 * that is a string is replaced, since nobody can list all fields that may hold a name.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...[
    'InstanceType',
    'instanceType',
    'AvailabilityZone',
    'AvailabilityZoneId',
    'Location',
    'LocationType',
    'Lifecycle',
  ],
  ...['InstanceLifecycle', 'Architecture', 'State', 'Type', 'ResourceType', 'InterfaceType', 'VolumeType', 'Tenancy'],
  ...[
    'AllocationStrategy',
    'DefaultTargetCapacityType',
    'MarketType',
    'SpotInstanceType',
    'HttpTokens',
    'HttpEndpoint',
  ],
  ...[
    'ErrorCode',
    'code',
    'name',
    'SpotPrice',
    'Hypervisor',
    'VirtualizationType',
    'RootDeviceType',
    'ProductDescription',
  ],
  ...[
    'Version',
    'Value of State',
    'Manufacturer',
    'EnaSupport',
    'EncryptionInTransitSupported',
    'NitroEnclavesSupport',
  ],
  ...['SupportedUsageClasses', 'SupportedArchitectures', 'SupportedFeatures', 'SupportedStrategies', 'NvmeSupport'],
  ...[
    'EbsOptimizedSupport',
    'HttpProtocolIpv6',
    'InstanceMetadataTags',
    'DeviceName',
    'Status',
    'InterruptionBehavior',
  ],
])

/** Keys of tags that are Kerf's or Kubernetes' own; other keys are names of the account. */
const OWN_KEY = /^(?:karpenter\.|kerf\.sh\/|eks:eks-cluster-name$|Name$|kubernetes\.io\/cluster\/kerf-verify-)/

/** Filters of EC2 are written in EC2's words; `tag:KEY` has a key of the account in it. */
const FILTER = /^(?:[a-z-]+(?:\.[a-z-]+)*|tag-key)$/

const ID = /\b(i|subnet|sg|vpc|lt|eni|vol|ami|snap|r|fleet|sir|igw|rtb|cr|pg|eipalloc|key)-[0-9a-f]{8,17}\b/g
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const IPV6 = /\b(?:[0-9a-f]{1,4}:){2,7}[0-9a-f:]*\b/gi
const ARN = /\barn:[\w-]+:[\w-]*:[\w-]*:\d*:[^\s"',)]+/g
const ACCOUNT = /\b\d{12}\b/g
const HOST = /\b[\w-]+(?:\.[\w-]+)+\.(?:internal|com|net|org|io|cn|aws|invalid)\b/g
/** Encoded messages, certificates, user data: a word so long is none. */
const LONG = /[\w+/=-]{60,}/g

/**
 * Replaces what belongs to an account. The same text is replaced by the same word through the whole transcript, so that one still
 * sees which instance a call is about.
 */
export class Redaction {
  readonly #words = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** @param names of the user's: role, subnets, groups. They are replaced wherever they stand, also inside messages */
  constructor(names: readonly string[]) {
    for (const name of names.filter((each) => each !== '').toSorted((a, b) => b.length - a.length))
      this.#word('name', name)
  }

  /** A copy with every string replaced that is not known to be harmless. Numbers, booleans and dates stay. */
  value(value: unknown, field = ''): unknown {
    if (typeof value === 'string') return this.#string(value, field)
    if (value instanceof Date || value === null || typeof value !== 'object') return value
    // The items of a list stand in the list's field.
    if (Array.isArray(value)) return value.map((item) => this.value(item, field))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [this.#key(key), this.value(each, this.#under(key, field))]),
    )
  }

  /** A message of AWS: its words stay; names, ids and addresses in it are replaced. */
  message(text: string): string {
    let out = text
    for (const [from, to] of this.#words) if (to.startsWith('name-')) out = out.replaceAll(from, to)
    return out
      .replaceAll(ARN, (found) => this.#word('arn', found))
      .replaceAll(ID, (found, prefix: string) => this.#word(prefix, found))
      .replaceAll(ACCOUNT, (found) => this.#word('account', found))
      .replaceAll(IPV4, (found) => this.#word('address', found))
      .replaceAll(IPV6, (found) => this.#word('address', found))
      .replaceAll(HOST, (found) => this.#word('host', found))
      .replaceAll(LONG, (found) => this.#word('text', found))
  }

  /** Tags of an IAM profile are a record by key. */
  #key(key: string): string {
    return /^[\w$-]+$/.test(key) || OWN_KEY.test(key) ? key : this.#word('key', key)
  }

  #under(key: string, field: string): string {
    // A state is `{ Code, Name }`; a filter is `{ Name, Values }`.
    return key === 'Name' ? `${field}.Name` : key
  }

  #string(text: string, field: string): string {
    if (text === '' || KEPT.has(field)) return text
    if (field === 'Message' || field === 'ErrorMessage' || field === 'message') return this.message(text)
    if (field === 'State.Name' || field === 'CurrentState.Name' || field === 'PreviousState.Name') return text
    if (/filters?\.Name$/i.test(field) && FILTER.test(text)) return text
    if (field === 'Key' && OWN_KEY.test(text)) return text
    const [prefix] = /^[a-z]+(?=-[0-9a-f]{8,17}$)/.exec(text) ?? []
    return this.#word(prefix ?? 'text', text)
  }

  #word(kind: string, text: string): string {
    const known = this.#words.get(text)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const word = `${kind}-${count}`
    this.#words.set(text, word)
    return word
  }
}
