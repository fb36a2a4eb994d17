/**
 * Fields whose strings a transcript keeps, such as offers, states, kinds and codes of EC2. All other strings are replaced, because a list
 * of the fields that may contain names would never be complete.
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

/** Matches tag keys of Kerf and Kubernetes. All other keys are user-defined names. */
const OWN_KEY = /^(?:karpenter\.|kerf\.sh\/|eks:eks-cluster-name$|Name$|kubernetes\.io\/cluster\/kerf-verify-)/

/** Matches names of EC2 filters, which are kept. Does not match `tag:KEY`, because users define the key. */
const FILTER = /^(?:[a-z-]+(?:\.[a-z-]+)*|tag-key)$/

const ID = /\b(i|subnet|sg|vpc|lt|eni|vol|ami|snap|r|fleet|sir|igw|rtb|cr|pg|eipalloc|key)-[0-9a-f]{8,17}\b/g
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const IPV6 = /\b(?:[0-9a-f]{1,4}:){2,7}[0-9a-f:]*\b/gi
const ARN = /\barn:[\w-]+:[\w-]*:[\w-]*:\d*:[^\s"',)]+/g
const ACCOUNT = /\b\d{12}\b/g
const HOST = /\b[\w-]+(?:\.[\w-]+)+\.(?:internal|com|net|org|io|cn|aws|invalid)\b/g
/** Matches encoded messages, certificates and user data. Ordinary words are not this long. */
const LONG = /[\w+/=-]{60,}/g

/**
 * Replaces data of the account. Equal strings get the same replacement in the whole transcript, so readers can recognize calls about the
 * same instance.
 */
export class Redaction {
  readonly #words = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** @param names the user's names of roles, subnets and groups, which are replaced everywhere, including in messages */
  constructor(names: readonly string[]) {
    for (const name of names.filter((each) => each !== '').toSorted((a, b) => b.length - a.length))
      this.#word('name', name)
  }

  /** Returns a copy in which every string is replaced unless it is known to be harmless. Numbers, booleans and dates are kept. */
  value(value: unknown, field = ''): unknown {
    if (typeof value === 'string') return this.#string(value, field)
    if (value instanceof Date || value === null || typeof value !== 'object') return value
    // List items are redacted like values of the field that contains the list.
    if (Array.isArray(value)) return value.map((item) => this.value(item, field))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [this.#key(key), this.value(each, this.#under(key, field))]),
    )
  }

  /** Returns a message of AWS in which names, IDs and addresses are replaced. */
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

  /** Returns the key, or a replacement for it. In the tags of an instance profile, the keys are user-defined names. */
  #key(key: string): string {
    return /^[\w$-]+$/.test(key) || OWN_KEY.test(key) ? key : this.#word('key', key)
  }

  #under(key: string, field: string): string {
    // Distinguishes the `Name` of a state (`{ Code, Name }`) from the `Name` of a filter (`{ Name, Values }`).
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
